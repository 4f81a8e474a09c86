// In which tiers untouched pages shall appear: in an order of tiers, or by chance.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>

#include "emulator/base/private_memory.h"
#include "runtime/base/chance.h"
#include "runtime/base/units.h"

namespace lbhm::emulator {

using PageNumber = std::uint64_t;  ///< virtual address >> page_bits
using TierOrder = PrivateVector<TierId>;

/// A map of page ranges to orders of tiers. Not safe against concurrent calls; the page map's lock guards it.
class Preferences {
 public:
  void set_default(std::span<const TierId> order) { default_.assign(order.begin(), order.end()); }

  /// Pages [first, last).
  void set(PageNumber first, PageNumber last, std::span<const TierId> order) {
    clear(first, last);
    ranges_[first] = {last, TierOrder(order.begin(), order.end())};
  }

  void clear(PageNumber first, PageNumber last) {
    split(first);
    split(last);
    ranges_.erase(ranges_.lower_bound(first), ranges_.lower_bound(last));
  }

  const TierOrder& default_order() const { return default_; }

  /// Null if the page has no preference of its own.
  const TierOrder* own_order(PageNumber page) const {
    auto next = ranges_.upper_bound(page);
    if (next == ranges_.begin()) return nullptr;
    const Range& range = std::prev(next)->second;
    return page < range.last ? &range.order : nullptr;
  }

 private:
  struct Range {
    PageNumber last = 0;  // first page behind the range
    TierOrder order;
  };

  /// Makes `page` the border of two ranges if it lies inside one.
  void split(PageNumber page) {
    auto next = ranges_.lower_bound(page);
    if (next == ranges_.begin()) return;
    Range& range = std::prev(next)->second;
    if (range.last <= page) return;
    ranges_[page] = range;
    range.last = page;
  }

  PrivateMap<PageNumber, Range> ranges_;
  TierOrder default_;
};

}  // namespace lbhm::emulator
