// A set of pages as ranges of addresses.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/values.h"

namespace lbhm::placement {

class PageRanges {
 public:
  PageRanges() = default;
  explicit PageRanges(std::span<const PageRange> ranges) {
    for (const PageRange& range : ranges) add(range);
  }

  void add(const PageRange& range) { ranges_.join(range.address, range.address + range.bytes.value, {}); }
  void remove(const PageRange& range) { ranges_.cut(range.address, range.address + range.bytes.value); }

  /// Calls visit(part, inside) for the parts of a range in order: each wholly inside of the set or outside.
  template <class Visit>
  void split(const PageRange& range, Visit visit) const {
    const std::uintptr_t end = range.address + range.bytes.value;
    for (std::uintptr_t at = range.address; at < end;) {
      const auto next = ranges_.from(at);
      const bool inside = next != ranges_.end() && next->first <= at;
      const std::uintptr_t border = inside ? next->second.end : next == ranges_.end() ? end : next->first;
      const std::uintptr_t until = border < end ? border : end;
      visit(PageRange{at, Bytes(until - at)}, inside);
      at = until;
    }
  }

  /// By address, not overlapping.
  std::vector<PageRange> all() const {
    std::vector<PageRange> ranges;
    for (const auto& [begin, range] : ranges_) ranges.push_back({begin, Bytes(range.end - begin)});
    return ranges;
  }

 private:
  RangeMap<std::monostate> ranges_;
};

}  // namespace lbhm::placement
