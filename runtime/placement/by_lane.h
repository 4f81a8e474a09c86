// The tasks of a scope whose regions are not told apart.
#pragma once

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Makes one task a lane: its times and accesses in all regions together. What a scope of one region is anyway.
void join_regions(ScopeForecast& scope);

}  // namespace lbhm::placement
