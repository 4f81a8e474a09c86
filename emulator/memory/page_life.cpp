// The part of the page map that knows when memory appears and goes away.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "emulator/memory/page_map.h"

namespace lbhm::emulator {
namespace {

constexpr std::size_t remembered_releases = 4096;
constexpr std::uint64_t sweep_minimum = 1024;  // pages

bool all_mapped(PageRange run) {
  PrivateVector<unsigned char> residence(run.last - run.first);
  void* start = reinterpret_cast<void*>(run.first << page_bits);
  return mincore(start, (run.last - run.first) << page_bits, residence.data()) == 0 || errno != ENOMEM;
}

}  // namespace

void PageMap::manage(PageRange range) {
  const std::lock_guard guard(lock_);
  release_locked(range, Gone::at_once);  // what malloc had there before is gone; the system gives no notice of that
  managed_[range.first] = range.last;
  if (log_ != nullptr) log_->object_appears(range.first, range.last);
}

bool PageMap::managed(PageNumber page) const {
  auto next = managed_.upper_bound(page);
  return next != managed_.begin() && page < std::prev(next)->second;
}

void PageMap::release(PageRange range, Gone gone) {
  const std::lock_guard guard(lock_);
  release_locked(range, gone);
  managed_.erase(range.first);
  if (log_ != nullptr) log_->object_goes(range.first);
  preferences_.clear(range.first, range.last);
}

void PageMap::release_locked(PageRange range, Gone gone) {
  for (PageNumber number = range.first; number < range.last; ++number) {
    const auto found = pages_.find(number);
    if (found != pages_.end()) drop(found, gone);
  }
  released_.push_back(range);
  if (released_.size() > remembered_releases) released_.pop_front();
  releases_.fetch_add(1, std::memory_order_release);
}

void PageMap::drop(Pages::iterator page, Gone gone) {
  const PageId id = page->second.id;
  if (!page->second.pending) node_->give(tier(id).value);
  if (!managed(page->first)) --unmanaged_live_;
  if (gone == Gone::at_once)
    tiers_[id].store(no_tier.value, std::memory_order_relaxed);
  else
    going_.push_back(id);
  pages_.erase(page);
}

bool PageMap::released_since(std::uint64_t& seen, PrivateVector<PageRange>& out) {
  const std::lock_guard guard(lock_);
  const std::uint64_t releases = releases_.load(std::memory_order_relaxed);
  const std::uint64_t missed = releases - seen;
  seen = releases;
  if (missed > released_.size()) return false;
  out.assign(released_.end() - static_cast<std::ptrdiff_t>(missed), released_.end());
  return true;
}

PrivateVector<PageNumber> PageMap::unmanaged_pages() const {
  PrivateVector<PageNumber> numbers;
  for (const auto& [number, page] : pages_) {
    if (!managed(number)) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

void PageMap::sweep() {
  const std::lock_guard guard(lock_);
  if (unmanaged_touched_ < std::max(sweep_minimum, unmanaged_live_ / 8)) return;
  unmanaged_touched_ = 0;
  const PrivateVector<PageNumber> numbers = unmanaged_pages();
  PrivateVector<PageRange> unmapped;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    find_unmapped({numbers[i], numbers[end - 1] + 1}, unmapped);
    i = end;
  }
  for (const PageRange& range : unmapped) release_locked(range, Gone::at_once);
}

/// Halves the run until each part is mapped as a whole or is one page that is gone; joins neighbours again.
void PageMap::find_unmapped(PageRange run, PrivateVector<PageRange>& out) {
  if (all_mapped(run)) return;
  if (run.last - run.first > 1) {
    const PageNumber middle = run.first + (run.last - run.first) / 2;
    find_unmapped({run.first, middle}, out);
    find_unmapped({middle, run.last}, out);
  } else if (!out.empty() && out.back().last == run.first) {
    out.back().last = run.last;
  } else {
    out.push_back(run);
  }
}

}  // namespace lbhm::emulator
