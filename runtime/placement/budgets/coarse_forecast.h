// Forecasts that know less: the tasks of a phase whose regions are not told apart.
#pragma once

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Makes one task a lane: its times and accesses in all regions together. What a phase of one region is anyway.
void join_regions(PhaseForecast& phase);

}  // namespace lbhm::placement
