// The tasks of a scope whose regions are not told apart.
#pragma once

#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// One task a lane: its times and accesses in all regions together. What a scope of one region is anyway.
std::vector<TaskForecast> by_lane(const ScopeForecast& scope);

}  // namespace lbhm::placement
