// A set of pages as ranges of addresses.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

class PageRanges {
 public:
  PageRanges() = default;
  explicit PageRanges(std::span<const PageRange> ranges) {
    for (const PageRange& range : ranges) add(range);
  }

  void add(const PageRange& range);
  void remove(const PageRange& range);

  /// Calls visit(part, inside) for the parts of a range in order: each wholly inside of the set or outside.
  template <class Visit>
  void split(const PageRange& range, Visit visit) const {
    const std::uintptr_t end = range.address + range.bytes.value;
    for (std::uintptr_t at = range.address; at < end;) {
      auto next = ends_.upper_bound(at);  // the first range that begins behind `at`
      const std::uintptr_t covered = next == ends_.begin() ? 0 : std::prev(next)->second;
      const bool inside = covered > at;
      const std::uintptr_t border = inside ? covered : next == ends_.end() ? end : next->first;
      const std::uintptr_t until = border < end ? border : end;
      visit(PageRange{at, Bytes(until - at)}, inside);
      at = until;
    }
  }

  /// By address, not overlapping.
  std::vector<PageRange> all() const;

 private:
  std::map<std::uintptr_t, std::uintptr_t> ends_;  // by begin
};

}  // namespace lbhm::placement
