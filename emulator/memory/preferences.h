// In which tiers untouched pages shall appear: in an order of tiers, or by chance.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/base/private_memory.h"
#include "runtime/base/chance.h"
#include "runtime/base/range_map.h"
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
    ranges_.set(first, last, TierOrder(order.begin(), order.end()));
  }

  void clear(PageNumber first, PageNumber last) { ranges_.cut(first, last); }

  const TierOrder& default_order() const { return default_; }

  /// Null if the page has no preference of its own.
  const TierOrder* own_order(PageNumber page) const {
    const auto range = ranges_.find(page);
    return range == ranges_.end() ? nullptr : &range->second.value;
  }

 private:
  RangeMap<TierOrder, PrivateAllocator> ranges_;
  TierOrder default_;
};

}  // namespace lbhm::emulator
