// Records of regions that have ended, for those that begin: most programs need one.
#pragma once

#include "runtime/engine/lane_state.h"

namespace lbhm::engine {

/// One that nobody uses, as its last user left it, or a new one. Throws std::bad_alloc.
RegionInstance* take_region();
/// Nobody uses it any more.
void give_back_region(RegionInstance* region);

}  // namespace lbhm::engine
