// TieredMemory::move: what is admitted, where it goes, and what became of it.
#include <algorithm>
#include <chrono>

#include "runtime/machine/memory_calls.h"
#include "runtime/machine/tiered_memory.h"

namespace lbhm::host {
namespace {

template <class Work>
Nanoseconds duration_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return Nanoseconds(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace

/// Which pages may go to the tier; those that are there already may. A huge page goes whole or not at all, however few
/// of its pages were named. Returns for how much room was taken.
Bytes TieredMemory::admit(std::span<const std::uintptr_t> pages, const std::vector<bool>& whole, TierId to,
                          std::vector<bool>& admitted) {
  const auto same = [&](std::size_t i, std::size_t k) {
    return whole[k] && pages[i] / huge_page.value == pages[k] / huge_page.value;
  };
  const std::lock_guard guard(lock_);
  std::vector<std::uint32_t> missing(pages.size());  // at the first page of each unit
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (i > 0 && whole[i] && same(i - 1, i)) continue;
    missing[i] = static_cast<std::uint32_t>(missing_of(pages[i], whole[i], to));
    wanted += missing[i];
  }
  std::uint64_t left = take(to, Bytes(wanted * page_)).value / page_;
  Bytes taken;
  for (std::size_t i = 0; i < pages.size();) {
    const bool fits = missing[i] <= left;
    if (fits) left -= missing[i];
    if (fits) taken += Bytes(missing[i] * page_);
    std::size_t end = i + 1;
    while (end < pages.size() && whole[i] && same(i, end)) ++end;
    for (; i < end; ++i) admitted[i] = fits;
  }
  if (to.value < pending_.size()) pending_[to.value] += taken;
  if (left > 0) settle();
  return taken;
}

void TieredMemory::move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  std::ranges::fill(out, PageStatus::unmapped);
  if (to.value >= options_.tiers.size()) return;
  const std::vector<bool> whole = in_units(pages);
  std::vector<bool> admitted(pages.size());
  const Bytes taken = admit(pages, whole, to, admitted);
  std::ranges::fill(out, PageStatus::full);
  std::vector<std::uintptr_t> going;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (admitted[i]) going.push_back(pages[i] / page_ * page_);
  std::vector<PageStatus> status(going.size(), PageStatus::busy);
  const Nanoseconds time = duration_of([&] {
    if (options_.tiers[to.value].nodes.size() == 1) {
      mover_.move(going, options_.tiers[to.value].nodes, status);
    } else {
      move_by_origin(going, to, status);
    }
  });
  const auto moved = static_cast<std::uint64_t>(std::ranges::count(status, PageStatus::moved));
  place_untouched(going, to, status);
  note_company(going, to, status);

  const std::lock_guard guard(lock_);
  for (std::size_t i = 0, g = 0; i < pages.size(); ++i)
    if (admitted[i]) out[i] = status[g++];
  count_whole(pages, whole, out);
  enter(going, to, status);
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

}  // namespace lbhm::host
