// When the loader finds another ompt_start_tool before ours: in the program itself, or in a library preloaded before
// us.
#pragma once

#include "libomp-ext/ompt/other_tool.h"

namespace lbhm::openmp {

/// Makes the OpenMP runtime call `ours` all the same; ours starts the other one then. Before the runtime is first used.
/// False: it will not call us.
bool come_first(StartTool* ours);

}  // namespace lbhm::openmp
