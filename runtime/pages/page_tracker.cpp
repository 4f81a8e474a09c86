#include "runtime/pages/page_tracker.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <numeric>
#include <utility>

namespace lbhm {
namespace {

void add(std::vector<PageRange>& ranges, std::uintptr_t address, Bytes bytes) {
  if (!ranges.empty() && ranges.back().address + ranges.back().bytes.value == address)
    ranges.back().bytes += bytes;
  else
    ranges.push_back({address, bytes});
}

std::uintptr_t end_of(const PageRange& range) { return range.address + range.bytes.value; }

/// In order, each page once.
std::vector<PageRange> without_overlaps(std::vector<PageRange> ranges) {
  std::ranges::sort(ranges, {}, &PageRange::address);
  std::vector<PageRange> apart;
  for (const PageRange& range : ranges) {
    if (apart.empty() || range.address > end_of(apart.back()))
      apart.push_back(range);
    else
      apart.back().bytes = Bytes(std::max(end_of(range), end_of(apart.back())) - apart.back().address);
  }
  return apart;
}

/// Appends pages to runs that are all in front of them.
template <class Run>
void append(std::vector<Run>& runs, const Run& more) {
  if (more.pages == 0) return;
  if (!runs.empty() && runs.back().like(more) && runs.back().first + runs.back().pages == more.first)
    runs.back().pages += more.pages;
  else
    runs.push_back(more);
}

}  // namespace

/// Asks for the first and the last of these pages and for each `stride`-th one between; where two of them that follow
/// each other differ, for the page in the middle, and so on to the border. Pages between two that are alike are taken
/// to be like them. Appends what is found.
void PageTracker::look(std::uintptr_t address, Run pages, std::uint64_t stride, std::vector<Run>& found) {
  struct Seen {
    std::uint64_t page;
    TierId tier;
  };
  std::vector<Seen> seen, fresh, both;
  std::vector<std::uintptr_t> addresses;
  std::vector<TierId> tiers;
  for (std::uint64_t page = 0; page + 1 < pages.pages; page += stride) fresh.push_back({pages.first + page, {}});
  fresh.push_back({pages.first + pages.pages - 1, {}});
  while (!fresh.empty()) {
    addresses.clear();
    for (const Seen& each : fresh) addresses.push_back(address + each.page * page_.value);
    tiers.resize(fresh.size());
    machine_.where(addresses, tiers);
    asked_ += fresh.size();
    for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i].tier = tiers[i];
    both.resize(seen.size() + fresh.size());
    std::ranges::merge(seen, fresh, both.begin(), {}, &Seen::page, &Seen::page);
    std::swap(seen, both);
    fresh.clear();
    for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
      if (seen[i + 1].page - seen[i].page > 1 && seen[i].tier != seen[i + 1].tier)
        fresh.push_back({std::midpoint(seen[i].page, seen[i + 1].page), {}});
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint64_t next = i + 1 < seen.size() ? seen[i + 1].page : pages.first + pages.pages;
    append(found, Run{seen[i].page, next - seen[i].page, seen[i].tier, stride > 1});
  }
}

/// What `answer(run, fresh)` appends takes the place of each of these runs, which are in order and do not overlap.
template <class Use>
void PageTracker::replace(Pages& object, std::span<const Run> runs, Use answer) {
  std::vector<Run> fresh;
  auto old = object.runs.begin();
  std::uint64_t taken = 0;  // pages of *old that are in `fresh` or out of date
  const auto keep_until = [&](std::uint64_t end, bool keep) {
    for (; old != object.runs.end() && old->first + taken < end;) {
      const std::uint64_t last = std::min(end, old->first + old->pages), first = old->first + taken;
      if (keep) append(fresh, Run{first, last - first, old->tier, old->guessed});
      taken += last - first;
      if (taken == old->pages) ++old, taken = 0;
    }
  };
  for (const Run& run : runs) {
    keep_until(run.first, true);
    keep_until(run.first + run.pages, false);
    answer(run, fresh);
  }
  keep_until(object.count, true);
  if (fresh == object.runs) return;
  changed_ = true;
  object.runs = std::move(fresh);
  object.untouched = 0;
  for (const Run& run : object.runs) object.untouched += run.tier == no_tier ? run.pages : 0;
}

/// Asks for the pages of these runs.
void PageTracker::ask(std::uintptr_t address, Pages& object, std::span<const Run> doubtful, std::uint64_t stride) {
  replace(object, doubtful, [&](const Run& run, std::vector<Run>& fresh) { look(address, run, stride, fresh); });
}

void PageTracker::follow(const ObjectRegistry& objects) {
  const std::uint64_t version = objects.version();
  if (version == version_) return;
  RangeMap<Pages> known = std::exchange(objects_, {});
  for (const Object& object : objects.all()) {
    if (!object.migratable) continue;
    auto node = known.extract(object.address);
    if (node && node.mapped().value.id == object.id) {
      objects_.insert(std::move(node));
      continue;
    }
    const std::uint64_t count = (object.bytes.value + page_.value - 1) / page_.value;
    objects_.set(object.address, object.address + count * page_.value,
                 {object.id, count, {{0, count, no_tier}}, count});
  }
  version_ = version;
  changed_ = true;
}

void PageTracker::ask_untouched() {
  std::vector<Run> doubtful;
  for (auto& [address, object] : objects_) {
    Pages& pages = object.value;
    if (pages.untouched == 0) continue;
    doubtful.clear();
    std::ranges::copy_if(pages.runs, std::back_inserter(doubtful), [](const Run& run) { return run.tier == no_tier; });
    ask(address, pages, doubtful, stride_);
  }
}

/// What was moved since the last call; if nobody knows, all objects are forgotten, and each of their pages is asked
/// for.
PageTracker::Ranges PageTracker::take_moved() {
  Ranges moved;
  bool all_doubtful = false;
  {
    const std::lock_guard lock(mutex_);
    std::swap(moved, moved_);
    std::swap(all_doubtful, all_doubtful_);
  }
  if (all_doubtful) {
    objects_.clear();
    version_ = ~std::uint64_t{0};
    stride_ = 1;
  }
  return moved;
}

void PageTracker::ask_one_by_one(Ranges doubted) {
  doubted = without_overlaps(std::move(doubted));
  std::vector<Run> doubtful;
  for (auto range = doubted.begin(); range != doubted.end();) {
    const auto holder = objects_.from(range->address);
    if (holder == objects_.end()) return;  // behind all of them
    const std::uintptr_t address = holder->first, end = holder->second.end;
    doubtful.clear();
    for (; range != doubted.end() && range->address < end; ++range) {
      const std::uintptr_t first = std::max(range->address, address), last = std::min(end_of(*range), end);
      if (first < last) append(doubtful, Run{(first - address) / page_.value, (last - first) / page_.value, no_tier});
      if (end_of(*range) <= end) continue;
      *range = {end, Bytes(end_of(*range) - end)};  // of what lies behind this object
      break;
    }
    if (!doubtful.empty()) ask(address, holder->second.value, doubtful, 1);
  }
}

void PageTracker::look_after(std::uint64_t pages) {
  if (machine_.execution().virtual_time()) return;
  for (std::uint64_t left = pages; left > 0 && !objects_.empty();) {
    const auto object = objects_.from(next_to_look_at_);
    if (object == objects_.end()) {
      next_to_look_at_ = 0;
      return;
    }
    const std::uintptr_t address = object->first;
    Pages& known = object->second.value;
    const std::uint64_t first = next_to_look_at_ > address ? (next_to_look_at_ - address) / page_.value : 0;
    const Run run{first, std::min(left, known.count - first), no_tier};
    ask(address, known, std::span(&run, 1), 1);
    left -= run.pages;
    next_to_look_at_ = address + (first + run.pages) * page_.value;
  }
}

void PageTracker::flatten() {
  placement_.tiers.assign(machine_.topology().tiers.size(), {});
  placement_.untouched.clear();
  for (const auto& [address, object] : objects_) {
    for (const Run& run : object.value.runs) {
      const std::uintptr_t first = address + run.first * page_.value;
      const Bytes bytes = page_ * run.pages;
      if (run.tier == no_tier) add(placement_.untouched, first, bytes);
      if (run.tier.value < placement_.tiers.size()) add(placement_.tiers[run.tier.value], first, bytes);
    }
  }
  held_.assign(placement_.tiers.size(), Bytes(0));
  for (std::size_t tier = 0; tier < held_.size(); ++tier) {
    for (const PageRange& range : placement_.tiers[tier]) held_[tier] += range.bytes;
  }
  changed_ = false;
}

/// Before the lock: in virtual time what the thread did before may end a quantum, and then it waits for the threads
/// that are behind it, one of which may wait for the lock. With the lock no time passes.
std::unique_lock<std::mutex> PageTracker::turn() {
  machine_.where({}, {});  // what threads have touched is known from here on
  return std::unique_lock(asking_);
}

void PageTracker::catch_up(const ObjectRegistry& objects) try {
  Ranges moved = take_moved();
  follow(objects);
  ask_one_by_one(std::move(moved));
} catch (const std::bad_alloc&) {
  const std::lock_guard lock(mutex_);
  all_doubtful_ = true;  // what was taken is lost
  throw;
}

/// The tier of each of these pages that was asked for; no_tier for all others.
void PageTracker::recall(std::span<const std::uintptr_t> pages, std::span<TierId> out) const {
  auto holder = objects_.end();
  std::size_t run = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (holder == objects_.end() || pages[i] < holder->first || pages[i] >= holder->second.end) {
      holder = objects_.find(pages[i]);
      run = 0;
    }
    out[i] = no_tier;
    if (holder == objects_.end()) continue;
    const std::vector<Run>& runs = holder->second.value.runs;
    const std::uint64_t page = (pages[i] - holder->first) / page_.value;
    if (run + 1 < runs.size() && page == runs[run + 1].first) ++run;  // the next page, in most cases
    if (page < runs[run].first || page >= runs[run].first + runs[run].pages)
      run = static_cast<std::size_t>(std::ranges::upper_bound(runs, page, {}, &Run::first) - runs.begin()) - 1;
    if (!runs[run].guessed) out[i] = runs[run].tier;
  }
}

/// Writes down what is known of these pages, but for those of which somebody has learnt more meanwhile.
void PageTracker::note(std::vector<Located> answers) {
  std::ranges::sort(answers, {}, &Located::page);
  std::vector<std::uintptr_t> pages(answers.size());
  std::vector<TierId> known(answers.size());
  std::ranges::transform(answers, pages.begin(), &Located::page);
  recall(pages, known);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < answers.size();) {
    const auto holder = objects_.find(pages[i]);
    const std::uintptr_t end = holder == objects_.end() ? pages[i] + 1 : holder->second.end;
    runs.clear();
    std::uintptr_t last = 0;
    for (; i < answers.size() && pages[i] < end; ++i) {
      if (holder == objects_.end() || known[i] != no_tier || pages[i] == last) continue;
      last = pages[i];
      append(runs, Run{(last - holder->first) / page_.value, 1, answers[i].tier});
    }
    if (!runs.empty())
      replace(holder->second.value, runs, [](const Run& run, std::vector<Run>& fresh) { append(fresh, run); });
  }
}

void PageTracker::where(const ObjectRegistry& objects, std::span<const std::uintptr_t> pages, std::span<TierId> out) {
  if (pages.empty()) return;
  std::uint64_t version = 0;
  {
    const auto lock = turn();
    catch_up(objects);
    version = version_;
    look_after(std::min<std::uint64_t>(pages.size(), std::max(looked_after, pages.size() / turn_around)));
    recall(pages, out);
  }
  std::vector<std::uintptr_t> unknown;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (out[i] == no_tier) unknown.push_back(pages[i]);
  std::vector<TierId> tiers(unknown.size());
  machine_.where(unknown, tiers);  // may take long: plans are not kept waiting
  std::vector<Located> touched;
  for (std::size_t i = 0, next = 0; i < pages.size(); ++i) {
    if (out[i] != no_tier) continue;
    out[i] = tiers[next++];
    if (out[i] != no_tier) touched.push_back({pages[i], out[i]});
  }
  const std::lock_guard lock(asking_);
  asked_ += unknown.size();
  if (version_ == version) note(std::move(touched));
}

PagePlacement PageTracker::placement(const ObjectRegistry& objects) {
  const auto lock = turn();
  catch_up(objects);
  ask_untouched();
  stride_ = stride_of_neighbours_;
  look_after(looked_after);
  if (changed_) flatten();
  return placement_;
}

std::vector<Bytes> PageTracker::rooms() const {
  std::vector<Bytes> rooms;
  {
    const std::lock_guard lock(asking_);
    rooms = held_;
  }
  for (std::size_t tier = 0; tier < rooms.size(); ++tier)
    rooms[tier] += machine_.room(TierId(static_cast<std::uint8_t>(tier)));
  return rooms;
}

void PageTracker::moved(std::span<const std::uintptr_t> pages) {
  const std::lock_guard lock(mutex_);
  if (all_doubtful_) return;
  try {
    for (const std::uintptr_t page : pages) add(moved_, page, page_);
    if (moved_.size() <= most_moved) return;
    // NOLINTNEXTLINE(bugprone-empty-catch): then they are not told one by one
  } catch (const std::bad_alloc&) {}
  all_doubtful_ = true;
  moved_ = {};
}

}  // namespace lbhm
