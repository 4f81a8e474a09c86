// Which pages make the regions of a phase end earliest, moves included.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/placement/layouts/cover.h"
#include "runtime/placement/layouts/layout.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

struct MinMax {
  Chosen chosen;       ///< pages that should be fast
  Nanoseconds end;     ///< predicted time of all regions then, one after the other, each of its last task
  Nanoseconds before;  ///< and if nothing is copied
};

/// What is left of fast memory is for the pages that save most as far as they need no copy, because they are there or
/// have yet to appear, or save more than `worth_copying`. `chosen` is at most layout.capacity().
void fill(const Cover& cover, const Layout& layout, double worth_copying, Chosen& chosen);

/// From the ends without any copy each region's end is lowered step by step, always the one that gains most time for
/// each page more, until nothing fits any more; steps that do not fit are halved. Of all states on the way the one is
/// chosen for which (time of all regions x instances that the pages will serve) + (copies x their cost) is smallest.
/// As far as predictions were wrong so far (PhaseForecast::prediction_error), the mean time of the tasks counts instead
/// of the last one's, so that what is left of fast memory goes to the hottest pages of all. With one region this is a
/// search for the earliest end of its last task. `copy_cost`: what copying one page costs the program.
/// `most_looks`: it ends after so many looks (Cover::looks), with the best that was found by then.
MinMax min_max(const PhaseForecast& phase, Cover& cover, const Layout& layout, Nanoseconds copy_cost,
               std::uint64_t most_looks = UINT64_MAX);

}  // namespace lbhm::placement
