// TieredMemory::move: what is admitted, where it goes, what became of it, and which pages move whole.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <memory>
#include <unordered_map>

#include "runtime/host/memory_calls.h"
#include "runtime/host/tiered_memory.h"

namespace lbhm::host {
namespace {

template <class Work>
Nanoseconds duration_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return Nanoseconds(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
}

constexpr std::size_t most_pages = huge_page.value / 4096;  // no page of Linux is smaller

std::uintptr_t block_of(std::uintptr_t page) { return page / huge_page.value * huge_page.value; }

std::vector<std::uintptr_t> pages_of(std::uintptr_t block, std::uint64_t page) {
  std::vector<std::uintptr_t> pages;
  for (std::uintptr_t at = block; at < block + huge_page.value; at += page) pages.push_back(at);
  return pages;
}

/// Pages that a sampler made PROT_NONE are nowhere for older kernels, and there all the same.
bool have_all_contents(std::span<const std::uintptr_t> pages) {
  std::array<bool, most_pages> present;
  const std::span out = std::span(present).first(pages.size());
  have_contents(pages, out);
  return std::ranges::all_of(out, [](bool there) { return there; });
}

/// Calls work(pages, statuses) for the chosen ones; the others have the status `rest`.
template <class Work>
void for_chosen(std::span<const std::uintptr_t> pages, const std::vector<bool>& chosen, PageStatus rest,
                std::span<PageStatus> out, const Work& work) {
  std::vector<std::uintptr_t> some;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (chosen[i]) some.push_back(pages[i]);
  std::vector<PageStatus> status(some.size(), PageStatus::unmapped);
  work(some, status);
  for (std::size_t i = 0, k = 0; i < pages.size(); ++i) out[i] = chosen[i] ? status[k++] : rest;
}

}  // namespace

/// Which pages may go to the tier; those that are there already may. A huge page goes whole or not at all, however few
/// of its pages were named.
TieredMemory::Admission TieredMemory::admit(std::span<const std::uintptr_t> pages, std::span<const Stretch> stretches,
                                            TierId to) {
  const std::lock_guard guard(lock_);
  const auto missing = [&](std::size_t first, std::size_t end, bool whole) {
    return missing_of(pages.subspan(first, end - first), whole, to);
  };
  std::uint64_t wanted = 0;
  for (const Stretch& part : stretches) wanted += missing(part.first, part.end, part.whole);
  const std::uint64_t granted = take(to, Bytes(wanted * page_)).value / page_;
  std::uint64_t left = granted - std::min(granted, wanted);
  Admission admission;
  if (granted < wanted) {
    left = granted;
    admission.pages.resize(pages.size());
    for (const Stretch& part : stretches) {
      for (std::size_t at = part.first, end; at < part.end; at = end) {
        end = part.whole ? part.end : at + 1;
        const std::uint64_t needed = missing(at, end, part.whole);
        if (needed > left) continue;
        left -= needed;
        std::fill_n(admission.pages.begin() + static_cast<std::ptrdiff_t>(at), end - at, true);
      }
    }
  }
  admission.taken = Bytes((granted - left) * page_);
  if (to.value < pending_.size()) pending_[to.value] += admission.taken;
  if (left > 0) settle();
  return admission;
}

void TieredMemory::move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  std::ranges::fill(out, PageStatus::unmapped);
  if (to.value >= options_.tiers.size()) return;
  const auto go = [&](std::span<const std::uintptr_t> some, std::span<PageStatus> status) {
    move_free(some, to, status);
  };
  const std::vector<bool> free = free_among(pages);
  if (free.empty())
    go(pages, out);
  else
    for_chosen(pages, free, PageStatus::bound, out, go);
}

void TieredMemory::move_free(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  std::vector<std::uintptr_t> starts;  // where some are named by an address within them
  if (std::ranges::any_of(pages, [this](std::uintptr_t page) { return (page & (page_ - 1)) != 0; })) {
    for (const std::uintptr_t page : pages) starts.push_back(page / page_ * page_);
    pages = starts;
  }
  const std::vector<Stretch> stretches = stretches_of(pages);
  const Admission admission = admit(pages, stretches, to);
  const auto go = [&](std::span<const std::uintptr_t> some, std::span<PageStatus> status) {
    carry(some, to, admission.taken, status);
  };
  if (admission.pages.empty())
    go(pages, out);
  else
    for_chosen(pages, admission.pages, PageStatus::full, out, go);
  // Of a huge page that lies across two batches of the mover, the second finds its pages there already: the first has
  // moved them. It was on one node, so all of it moved if any did.
  for (const Stretch& stretch : stretches) {
    const auto unit = out.subspan(stretch.first, stretch.end - stretch.first);
    if (stretch.whole && std::ranges::find(unit, PageStatus::moved) != unit.end())
      std::ranges::replace(unit, PageStatus::already, PageStatus::moved);
  }
}

/// Moves pages for which there is room, `taken`, and puts them on the tier's account.
void TieredMemory::carry(std::span<const std::uintptr_t> pages, TierId to, Bytes taken, std::span<PageStatus> out) {
  const Nanoseconds time = duration_of([&] {
    if (options_.tiers[to.value].nodes.size() == 1) {
      mover_.move(pages, options_.tiers[to.value].nodes, out);
    } else {
      move_by_origin(pages, to, out);
    }
  });
  const auto moved = static_cast<std::uint64_t>(std::ranges::count(out, PageStatus::moved));
  place_untouched(pages, to, out);
  note_company(pages, to, out);

  const std::lock_guard guard(lock_);
  enter(pages, to, out);
  if (moved > 0) copies_[to.value] = {copies_[to.value].bytes + Bytes(moved * page_), copies_[to.value].time + time};
  if (to.value < pending_.size()) pending_[to.value] -= taken;
  settle();
}

std::optional<BytesPerNanosecond> TieredMemory::copy_bandwidth(TierId to) const {
  const std::lock_guard guard(lock_);
  if (to.value >= copies_.size() || copies_[to.value].bytes < MiB(1)) return std::nullopt;
  return BytesPerNanosecond(static_cast<double>(copies_[to.value].bytes.value) / copies_[to.value].time.value);
}

/// Puts the pages that are in the tier now on its account, as runs: pages of a plan mostly follow each other.
void TieredMemory::enter(std::span<const std::uintptr_t> pages, TierId tier, std::span<const PageStatus> status) {
  const auto there = [&](std::size_t i) { return status[i] == PageStatus::moved || status[i] == PageStatus::already; };
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!there(i)) continue;
    const std::uintptr_t begin = pages[i];
    while (i + 1 < pages.size() && there(i + 1) && pages[i + 1] == pages[i] + page_) ++i;
    account_.assign(begin, pages[i] + page_, tier);
  }
}

/// A page lies near the thread that touched it first: it goes to the node of the tier that is nearest to where it is.
void TieredMemory::move_by_origin(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  std::vector<int> nodes(pages.size());
  mover_.where(pages, nodes);
  std::vector<int> origins = nodes;
  std::ranges::sort(origins);
  origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
  std::vector<std::uintptr_t> some;
  std::vector<std::size_t> places;
  std::vector<PageStatus> status;
  for (const int origin : origins) {
    some.clear();
    places.clear();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (nodes[i] != origin) continue;
      some.push_back(pages[i]);
      places.push_back(i);
    }
    status.assign(some.size(), PageStatus::busy);
    mover_.move(some, targets(to, origin < 0 ? node_of_this_thread() : origin), status);
    for (std::size_t i = 0; i < some.size(); ++i) out[places[i]] = status[i];
  }
}

/// Pages that nobody has touched yet cost nothing: they will appear in the tier.
void TieredMemory::place_untouched(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  const std::lock_guard guard(lock_);
  for (std::size_t i = 0; i < pages.size();) {
    if (out[i] != PageStatus::unmapped) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < pages.size() && out[end] == PageStatus::unmapped && pages[end] == pages[end - 1] + page_) ++end;
    const Status status = appear({pages[i], pages[end - 1] + page_}, to);
    if (status.ok())
      std::fill(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(end),
                PageStatus::placed);
    if (status.code() != StatusCode::not_found) (void)once(status);
    i = end;
  }
}

bool TieredMemory::may_be_huge(std::uintptr_t address) const {
  if (!huge_possible_) return false;
  const std::lock_guard guard(lock_);
  if (!reserved_.holds(address) || options_.huge_pages == HugePages::kernel) return always_huge_;
  return options_.huge_pages == HugePages::on;
}

bool TieredMemory::moves_whole(std::uintptr_t address) {
  const std::uintptr_t block = block_of(address);
  if (!may_be_huge(block)) return false;
  const std::vector<std::uintptr_t> pages = pages_of(block, page_);
  std::array<int, most_pages> answers;
  const std::span nodes = std::span(answers).first(pages.size());
  mover_.where(pages, nodes);
  std::vector<std::uintptr_t> unseen;
  int node = no_node;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (nodes[i] == no_node) {
      unseen.push_back(pages[i]);
    } else if (node != no_node && nodes[i] != node) {
      return false;
    } else {
      node = nodes[i];
    }
  }
  return node != no_node && (unseen.empty() || have_all_contents(unseen));
}

/// Pages that move whole, by huge page, and all between them as one.
std::vector<TieredMemory::Stretch> TieredMemory::stretches_of(std::span<const std::uintptr_t> pages) {
  std::vector<Stretch> stretches;
  if (!huge_possible_ && !pages.empty()) stretches.push_back({.first = 0, .end = pages.size()});
  for (std::size_t end = 0, first; huge_possible_ && end < pages.size();) {
    first = end++;
    while (end < pages.size() && block_of(pages[end]) == block_of(pages[first])) ++end;
    const bool whole = moves_whole(pages[first]);
    if (!whole && !stretches.empty() && !stretches.back().whole)
      stretches.back().end = end;
    else
      stretches.push_back({first, end, whole});
  }
  return stretches;
}

/// How many pages are not in the tier: of these, or of the huge page that they are of. Under lock_.
std::uint64_t TieredMemory::missing_of(std::span<const std::uintptr_t> pages, bool whole, TierId to) const {
  const auto missing = [&](std::uintptr_t begin, Bytes bytes) {
    return (bytes - account_.held(begin, begin + bytes.value, to)).value / page_;
  };
  if (whole) return missing(block_of(pages.front()), huge_page);
  std::uint64_t sum = 0;
  for (std::size_t at = 0, run; at < pages.size(); at += run) {
    run = run_length(pages.subspan(at), page_);
    sum += missing(pages[at], Bytes(run * page_));
  }
  return sum;
}

/// Huge pages that the settings do not speak of (a program may advise its own memory) take pages along that nobody
/// named: they are where the others are now. One that was elsewhere tells for its block.
void TieredMemory::note_company(std::span<const std::uintptr_t> pages, TierId to, std::span<const PageStatus> status) {
  if (!huge_possible_) return;
  std::unordered_map<std::uintptr_t, std::bitset<most_pages>> named;
  for (std::size_t i = 0; i < pages.size();) {
    const std::uintptr_t block = block_of(pages[i]);
    std::bitset<most_pages>* of_block = nullptr;
    for (; i < pages.size() && block_of(pages[i]) == block; ++i) {
      if (status[i] != PageStatus::moved) continue;
      if (!of_block) of_block = &named[block];
      of_block->set((pages[i] - block) / page_);
    }
  }
  std::vector<std::uintptr_t> witnesses;
  {
    const std::lock_guard guard(lock_);
    for (const auto& entry : named) {
      const std::uintptr_t block = entry.first;
      const auto& these = entry.second;
      const auto all = pages_of(block, page_);
      const auto witness = std::ranges::find_if(
          all, [&](std::uintptr_t at) { return !these[(at - block) / page_] && account_.at(at) != to; });
      if (witness != all.end()) witnesses.push_back(*witness);
    }
  }
  std::vector<int> nodes(witnesses.size());
  mover_.where(witnesses, nodes);
  for (std::size_t i = 0; i < witnesses.size(); ++i) {
    if (tier_of(nodes[i]) != to) continue;
    const auto all = pages_of(block_of(witnesses[i]), page_);
    std::vector<int> at(all.size());
    mover_.where(all, at);
    const std::lock_guard guard(lock_);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (tier_of(at[k]) == to) account_.assign(all[k], all[k] + page_, to);
  }
}

}  // namespace lbhm::host
