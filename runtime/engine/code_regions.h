// Code regions as the markers of the compiler plugin tell of them (lbhm/code_regions.h), for the run report.
#pragma once

#include "runtime/engine/region_stack.h"

namespace lbhm::engine {

/// What all threads have measured so far.
TotalsByLane measured_code_regions();

}  // namespace lbhm::engine
