// Whole objects in the fast memory in the order of a rank, and there they stay: what object-level placements do once
// they know the ranks (policies soar, sparta, warpx-pm).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// An object that may have fast memory; the smallest rank first.
struct RankedObject {
  std::uintptr_t address = 0;
  Bytes bytes;
  std::uint64_t rank = 0;
  std::string unit;  ///< objects of one unit are one data structure
};

/// What happens where the fast memory ends.
enum class Border : std::uint8_t {
  whole_units,  ///< a unit that does not fit gets nothing, a smaller one after it may fit
  in_order,     ///< the object that does not fit gets what is left, the ones after it nothing
  evenly,       ///< all objects of the rank that does not fit get the same share of their pages
};

class StaticPlacement {
 public:
  /// The plan that gives `objects` their places in 1 / `headroom` of tier 0. What an earlier call gave to objects
  /// that get less now leaves tier 0 first.
  MigrationPlan place(std::span<const RankedObject> objects, const Topology& machine, Border border,
                      double headroom = 1);

 private:
  std::map<std::uintptr_t, Bytes> fast_;  ///< the beginnings of objects that are in tier 0, by address
};

}  // namespace lbhm::placement
