#include "runtime/placement/page_ranges.h"

#include <algorithm>
#include <iterator>

namespace lbhm::placement {

void PageRanges::add(const PageRange& range) {
  if (range.bytes.value == 0) return;
  std::uintptr_t begin = range.address, end = range.address + range.bytes.value;
  auto at = ends_.upper_bound(begin);
  if (at != ends_.begin() && std::prev(at)->second >= begin) --at;
  while (at != ends_.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = ends_.erase(at);
  }
  ends_[begin] = end;
}

void PageRanges::remove(const PageRange& range) {
  if (range.bytes.value == 0) return;
  const std::uintptr_t begin = range.address, end = range.address + range.bytes.value;
  auto at = ends_.upper_bound(begin);
  if (at != ends_.begin() && std::prev(at)->second > begin) --at;
  while (at != ends_.end() && at->first < end) {
    const auto [first, last] = *at;
    at = ends_.erase(at);
    if (first < begin) ends_[first] = begin;
    if (last > end) ends_[end] = last;
  }
}

std::vector<PageRange> PageRanges::all() const {
  std::vector<PageRange> ranges;
  for (const auto& [begin, end] : ends_) ranges.push_back({begin, Bytes(end - begin)});
  return ranges;
}

}  // namespace lbhm::placement
