#include "runtime/pages/page_tracker.h"

#include <algorithm>
#include <iterator>
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
  if (!runs.empty() && runs.back().tier == more.tier && runs.back().first + runs.back().pages == more.first)
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
    append(found, Run{seen[i].page, next - seen[i].page, seen[i].tier});
  }
}

/// Asks for the pages of `doubtful`, which are in order and do not overlap, and puts the answers in their places.
void PageTracker::ask(std::uintptr_t address, Pages& object, std::span<const Run> doubtful, std::uint64_t stride) {
  std::vector<Run> fresh;
  auto old = object.runs.begin();
  std::uint64_t taken = 0;  // pages of *old that are in `fresh` or out of date
  const auto keep_until = [&](std::uint64_t end, bool keep) {
    for (; old != object.runs.end() && old->first + taken < end;) {
      const std::uint64_t last = std::min(end, old->first + old->pages), first = old->first + taken;
      if (keep) append(fresh, Run{first, last - first, old->tier});
      taken += last - first;
      if (taken == old->pages) ++old, taken = 0;
    }
  };
  for (const Run& run : doubtful) {
    keep_until(run.first, true);
    keep_until(run.first + run.pages, false);
    look(address, run, stride, fresh);
  }
  keep_until(object.count, true);
  const bool same = std::ranges::equal(fresh, object.runs, [](const Run& a, const Run& b) {
    return a.first == b.first && a.pages == b.pages && a.tier == b.tier;
  });
  if (same) return;
  changed_ = true;
  object.runs = std::move(fresh);
  object.untouched = 0;
  for (const Run& run : object.runs) object.untouched += run.tier == no_tier ? run.pages : 0;
}

void PageTracker::follow(const ObjectRegistry& objects) {
  const std::uint64_t version = objects.version();
  if (version == version_) return;
  version_ = version;
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
  const std::lock_guard lock(mutex_);
  stride_ = stride_of_neighbours_;
  if (std::exchange(all_doubtful_, false)) {
    objects_.clear();
    version_ = ~std::uint64_t{0};
    stride_ = 1;
  }
  return std::exchange(moved_, {});
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

void PageTracker::look_after() {
  if (machine_.execution().virtual_time()) return;
  for (std::uint64_t left = looked_after; left > 0 && !objects_.empty();) {
    const auto object = objects_.from(next_to_look_at_);
    if (object == objects_.end()) {
      next_to_look_at_ = 0;
      return;
    }
    const std::uintptr_t address = object->first;
    Pages& pages = object->second.value;
    const std::uint64_t first = next_to_look_at_ > address ? (next_to_look_at_ - address) / page_.value : 0;
    const Run run{first, std::min(left, pages.count - first), no_tier};
    ask(address, pages, std::span(&run, 1), 1);
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
/// that are behind it, one of which may wait for the lock. Nothing of that is left for the questions that follow.
std::unique_lock<std::mutex> PageTracker::turn() {
  machine_.where({}, {});  // what threads have touched is known from here on
  return std::unique_lock(asking_);
}

void PageTracker::catch_up(const ObjectRegistry& objects) {
  Ranges moved = take_moved();
  follow(objects);
  ask_one_by_one(std::move(moved));
}

/// The tier of each of these pages that is known; no_tier for all others.
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
    if (page < runs[run].first) run = 0;
    while (page >= runs[run].first + runs[run].pages) ++run;
    out[i] = runs[run].tier;
  }
}

void PageTracker::where(const ObjectRegistry& objects, std::span<const std::uintptr_t> pages, std::span<TierId> out) {
  const auto lock = turn();
  catch_up(objects);
  look_after();
  recall(pages, out);
  std::vector<std::uintptr_t> unknown;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (out[i] == no_tier) unknown.push_back(pages[i]);
  std::vector<TierId> tiers(unknown.size());
  machine_.where(unknown, tiers);
  asked_ += unknown.size();
  Ranges touched;
  for (std::size_t i = 0, next = 0; i < pages.size(); ++i) {
    if (out[i] != no_tier) continue;
    out[i] = tiers[next++];
    if (out[i] != no_tier) add(touched, pages[i], page_);
  }
  ask_one_by_one(std::move(touched));
}

PagePlacement PageTracker::placement(const ObjectRegistry& objects) {
  const auto lock = turn();
  catch_up(objects);
  ask_untouched();
  look_after();
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
  for (const std::uintptr_t page : pages) add(moved_, page, page_);
  if (moved_.size() <= most_moved) return;
  all_doubtful_ = true;
  moved_ = {};
}

}  // namespace lbhm
