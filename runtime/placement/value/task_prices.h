// What a nanosecond of each task is worth, and with that which pages are to be fast: from a forecast.
#pragma once

#include "runtime/base/range_map.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

struct PricedPlan {
  RangeMap<bool> chosen;  ///< pages of the phase's objects, by address: to be fast?
  Nanoseconds time;       ///< of the phase with them
  Budget budget;
  std::uint64_t looks = 0;  ///< Decision::looks
};

/// The end of a region is its last task's. As predictions miss, any task may be the last one: the end is the smooth
/// maximum s log sum exp(T / s), whose slopes are the chances of each task to be the last one, and these are prices. s:
/// by how much predictions miss. What all tasks ask of slow memory is one more task of the region. The best pages are
/// taken until fast memory is full, a part of it at a time, with new prices for each part.
PricedPlan price_pages(const PhaseForecast& phase);

}  // namespace lbhm::placement
