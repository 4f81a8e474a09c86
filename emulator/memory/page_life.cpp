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

bool all_mapped(PageNumberRange run) {
  PrivateVector<unsigned char> residence(run.last - run.first);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel tells of addresses
  void* start = reinterpret_cast<void*>(run.first << page_bits);
  return mincore(start, (run.last - run.first) << page_bits, residence.data()) == 0 || errno != ENOMEM;
}

}  // namespace

void PageMap::manage(PageNumberRange range) {
  const std::lock_guard guard(lock_);
  release_locked(range, Gone::at_once);  // what malloc had there before is gone; the system gives no notice of that
  managed_[range.first] = range.last;
  if (log_ != nullptr) log_->object_appears(range.first, range.last);
}

void PageMap::adopt(PageNumberRange range) {
  const std::lock_guard guard(lock_);
  managed_[range.first] = range.last;
  if (log_ != nullptr) log_->object_appears(range.first, range.last);
  for (auto& [number, page] : pages_) {
    if (number < range.first || number >= range.last) continue;
    --unmanaged_live_;
    if (!page.pending) ++unmanaged_gone_;
    if (log_ != nullptr) log_->page_is_adopted(page.id, number);
  }
}

bool PageMap::managed(PageNumber page) const {
  auto next = managed_.upper_bound(page);
  return next != managed_.begin() && page < std::prev(next)->second;
}

void PageMap::release(PageNumberRange range, Gone gone) {
  const std::lock_guard guard(lock_);
  release_locked(range, gone);
  unmanage(range);
  preferences_.clear(range.first, range.last);
}

/// Makes `page` the border of two ranges if it lies inside one.
void PageMap::split_managed(PageNumber page) {
  const auto next = managed_.lower_bound(page);
  if (next == managed_.begin()) return;
  auto& [first, last] = *std::prev(next);
  if (last <= page) return;
  managed_[page] = last;
  last = page;
  if (log_ != nullptr) log_->object_splits(first, page);
}

void PageMap::unmanage(PageNumberRange range) {
  split_managed(range.first);
  split_managed(range.last);
  for (auto part = managed_.lower_bound(range.first); part != managed_.end() && part->first < range.last;) {
    if (log_ != nullptr) log_->object_goes(part->first);
    part = managed_.erase(part);
  }
}

void PageMap::release_locked(PageNumberRange range, Gone gone) {
  for (PageNumber number = range.first; number < range.last; ++number) {
    const auto found = pages_.find(number);
    if (found != pages_.end()) drop(found, gone);
  }
  if (unmanaged_gone_ > unmanaged_handed_out_.size() / 2) drop_names();
  released_.push_back(range);
  if (released_.size() > remembered_releases) released_.pop_front();
  releases_.fetch_add(1, std::memory_order_release);
}

void PageMap::drop(Pages::iterator page, Gone gone) {
  const PageId id = page->second.id;
  if (!page->second.pending) node_->give(tier(id).value);
  if (!managed(page->first)) {
    --unmanaged_live_;
    if (!page->second.pending) ++unmanaged_gone_;
  }
  if (gone == Gone::at_once)
    tiers_[id].store(no_tier.value, std::memory_order_relaxed);
  else
    going_.push_back(id);
  const auto among = touched_in_chunk_.find(page->first / chunk);
  if (--among->second == 0) touched_in_chunk_.erase(among);
  pages_.erase(page);
}

bool PageMap::released_since(std::uint64_t& seen, PrivateVector<PageNumberRange>& out) {
  const std::lock_guard guard(lock_);
  const std::uint64_t releases = releases_.load(std::memory_order_relaxed);
  const std::uint64_t missed = releases - seen;
  seen = releases;
  if (missed > released_.size()) return false;
  out.assign(released_.end() - static_cast<std::ptrdiff_t>(missed), released_.end());
  return true;
}

PrivateVector<PageNumberRange> PageMap::touched(PageNumberRange range) {
  const std::lock_guard guard(lock_);
  PrivateVector<PageNumberRange> parts;
  for (PageNumber at = range.first; at < range.last;) {
    const PageNumber end = std::min(range.last, (at / chunk + 1) * chunk);
    if (touched_in_chunk_.contains(at / chunk)) {
      if (!parts.empty() && parts.back().last == at)
        parts.back().last = end;
      else
        parts.push_back({at, end});
    }
    at = end;
  }
  return parts;
}

PrivateVector<PageNumberRange> PageMap::unmanaged() {
  const std::lock_guard guard(lock_);
  hand_out_locked();
  if (unmanaged_gone_ > 0) drop_names();
  PrivateVector<PageNumberRange> runs;
  for (const auto& [number, id] : unmanaged_handed_out_) {
    if (!runs.empty() && runs.back().last == number)
      ++runs.back().last;
    else
      runs.push_back({number, number + 1});
  }
  return runs;
}

/// Of unmanaged pages that are gone, or an object's now; another page may be where one was.
void PageMap::drop_names() {
  std::erase_if(unmanaged_handed_out_, [this](const auto& name) {
    const auto found = pages_.find(name.first);
    return found == pages_.end() || found->second.id != name.second || managed(name.first);
  });
  unmanaged_gone_ = 0;
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
  PrivateVector<PageNumberRange> unmapped;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    find_unmapped({numbers[i], numbers[end - 1] + 1}, unmapped);
    i = end;
  }
  for (const PageNumberRange& range : unmapped) release_locked(range, Gone::at_once);
}

/// Halves the run until each part is mapped as a whole or is one page that is gone; joins neighbours again.
void PageMap::find_unmapped(PageNumberRange run, PrivateVector<PageNumberRange>& out) {
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
