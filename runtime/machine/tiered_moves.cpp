// TieredMemory::move: what is admitted, where it goes, and what became of it.
#include <algorithm>

#include "runtime/machine/memory_calls.h"
#include "runtime/machine/tiered_memory.h"

namespace lbhm::host {

/// Which pages may go to the tier; those that are there already may. Returns for how many room was taken.
std::size_t TieredMemory::admit(std::span<const std::uintptr_t> pages, TierId to, std::vector<bool>& admitted) {
  const std::lock_guard guard(lock_);
  std::size_t wanted = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    admitted[i] = account_.at(pages[i]) == to;
    wanted += !admitted[i];
  }
  const std::size_t granted = take(to, Bytes(wanted * page_)).value / page_;
  std::size_t left = granted;
  for (std::size_t i = 0; i < pages.size() && left > 0; ++i) {
    if (admitted[i]) continue;
    admitted[i] = true;
    --left;
  }
  if (to.value < pending_.size()) pending_[to.value] += Bytes(granted * page_);
  return granted;
}

void TieredMemory::move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  std::ranges::fill(out, PageStatus::unmapped);
  if (to.value >= options_.tiers.size()) return;
  std::vector<bool> admitted(pages.size());
  const std::size_t granted = admit(pages, to, admitted);
  std::ranges::fill(out, PageStatus::full);
  std::vector<std::uintptr_t> going;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (admitted[i]) going.push_back(pages[i] / page_ * page_);
  std::vector<PageStatus> status(going.size(), PageStatus::busy);
  if (options_.tiers[to.value].nodes.size() == 1) {
    mover_.move(going, options_.tiers[to.value].nodes, status);
  } else {
    move_by_origin(going, to, status);
  }
  place_untouched(going, to, status);

  const std::lock_guard guard(lock_);
  for (std::size_t i = 0, g = 0; i < pages.size(); ++i)
    if (admitted[i]) out[i] = status[g++];
  enter(going, to, status);
  if (to.value < pending_.size()) pending_[to.value] -= Bytes(granted * page_);
  settle();
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
