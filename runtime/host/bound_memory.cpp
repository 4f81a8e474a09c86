// TieredMemory: what the program and its user have said themselves of where memory is comes first.
//
// A range that the program binds (mbind, move_pages) is left to it. A policy of a thread (set_mempolicy, numactl) is
// about the pages that this thread will touch, and nobody knows which these are: so all that has no contents yet when
// the first one comes is left to the program, and all that such a thread asks for. numactl --membind is no such policy:
// it says which nodes there are, and tiers are made of those alone (discovery.cpp).
#include <algorithm>
#include <array>
#include <memory>

#include "runtime/host/memory_calls.h"
#include "runtime/host/tiered_memory.h"

namespace lbhm::host {
namespace {

constexpr TierId bound_tier{0};

/// Calls `use` with stretches of pages that have no contents.
template <class Use>
void for_untouched(std::uintptr_t begin, std::uintptr_t end, std::uint64_t page, const Use& use) {
  std::array<std::uintptr_t, 512> pages;
  std::array<bool, 512> present;
  for (std::uintptr_t at = begin; at < end;) {
    const std::size_t count = std::min<std::size_t>(pages.size(), (end - at) / page);
    for (std::size_t i = 0; i < count; ++i) pages[i] = at + i * page;
    have_contents(std::span(pages).first(count), std::span(present).first(count));
    for (std::size_t i = 0; i < count;) {
      std::size_t last = i;
      while (last < count && !present[last]) ++last;
      if (last > i) use(pages[i], pages[i] + (last - i) * page);
      i = last + 1;
    }
    at += count * page;
  }
}

}  // namespace

void TieredMemory::begin_managed(Range range, Ranges& ranges) {
  end_managed(range);
  ranges.set(range.first, range.second, {});
  fresh_.insert(range.first);
}

void TieredMemory::end_managed(Range range) {
  bound_.assign(range.first, range.second, no_tier);
  reserved_.cut(range.first, range.second);
  adopted_.cut(range.first, range.second);
  fresh_.erase(fresh_.lower_bound(range.first), fresh_.lower_bound(range.second));
}

std::vector<TieredMemory::Range> TieredMemory::managed_of(Range range) const {
  std::vector<Range> parts;
  for (const Ranges* ranges : {&reserved_, &adopted_})
    ranges->visit(range.first, range.second, [&](auto begin, auto end, auto) { parts.emplace_back(begin, end); });
  return parts;
}

void TieredMemory::mark(Range range, bool bound) {
  if (bound) {
    ever_bound_ += Bytes(range.second - range.first) - bound_.held(range.first, range.second, bound_tier);
    account_.assign(range.first, range.second, no_tier);
  }
  bound_.assign(range.first, range.second, bound ? bound_tier : no_tier);
}

void TieredMemory::bind(std::uintptr_t address, Bytes bytes, bool bound) {
  const std::uintptr_t first = address / page_ * page_;
  const std::uintptr_t last = address + std::min<std::uint64_t>(bytes.value, ~address);
  const std::lock_guard guard(lock_);
  for (const Range& part : managed_of({first, last + (page_ - last % page_) % page_})) mark(part, bound);
  settle();
}

bool TieredMemory::thread_binds() const {
  if (!threads_choose_.load(std::memory_order_relaxed)) [[likely]]
    return false;
  const ThreadPolicy policy = policy_of_this_thread();
  const bool limit = policy.mode == MPOL_BIND && policy == own_policy_;
  return policy.says_something() && !limit;
}

void TieredMemory::bind_by_threads() {
  const std::lock_guard guard(lock_);
  threads_choose_.store(true);
  for (const std::uintptr_t begin : fresh_) {
    const Ranges& ranges = reserved_.starting(begin) != reserved_.end() ? reserved_ : adopted_;
    const auto at = ranges.starting(begin);
    if (at == ranges.end()) continue;
    for_untouched(begin, at->second.end, page_, [this](std::uintptr_t from, std::uintptr_t to) {
      bind_memory(from, to - from, MPOL_DEFAULT, nullptr);
      mark({from, to}, true);
    });
  }
  fresh_.clear();
  settle();
}

Bytes TieredMemory::bound(std::uintptr_t address, Bytes bytes) const {
  const std::lock_guard guard(lock_);
  return bound_.held(address, address + bytes.value, bound_tier);
}

std::vector<TieredMemory::Range> TieredMemory::free_of(Range range) const {
  if (bound_.held(range.first, range.second, bound_tier).value == 0) return {range};
  std::vector<Range> parts;
  for (std::uintptr_t at = range.first; at < range.second; at += page_) {
    if (bound_.at(at) == bound_tier) continue;
    if (!parts.empty() && parts.back().second == at)
      parts.back().second += page_;
    else
      parts.emplace_back(at, at + page_);
  }
  return parts;
}

/// Which of the pages are not bound. Empty: all. What moves whole stays whole.
std::vector<bool> TieredMemory::free_among(std::span<const std::uintptr_t> pages) {
  {
    const std::lock_guard guard(lock_);
    if (bound_.held(bound_tier).value == 0) return {};
  }
  const std::vector<Stretch> stretches = stretches_of(pages);
  std::vector<bool> free(pages.size());
  const std::lock_guard guard(lock_);
  for (const Stretch& stretch : stretches) {
    const std::uint64_t unit = stretch.whole ? huge_page.value : page_;
    for (std::size_t i = stretch.first; i < stretch.end; ++i) {
      const std::uintptr_t first = pages[i] / unit * unit;
      free[i] = bound_.held(first, first + unit, bound_tier).value == 0;
    }
  }
  return free;
}

}  // namespace lbhm::host
