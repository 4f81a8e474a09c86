// The OMPT tool that libomp would start if LB-HM were not there.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

using StartTool = ompt_start_tool_result_t*(unsigned version, const char* runtime);

/// The tool of the program or of a library that it loads; null: none, or none that wants to run. `start` is our own
/// ompt_start_tool.
ompt_start_tool_result_t* start_linked_tool(StartTool* start, unsigned version, const char* runtime);
/// The first of OMP_TOOL_LIBRARIES that wants to run, else Archer if the program is built with ThreadSanitizer; null:
/// neither. libomp looks there by itself if we give it no tool.
ompt_start_tool_result_t* start_named_tool(StartTool* start, unsigned version, const char* runtime);

// When the loader finds another ompt_start_tool before ours: in the program itself, or in a library preloaded before
// us.

/// Makes the OpenMP runtime call `ours` all the same; ours starts the other one then. Before the runtime is first used.
/// False: it will not call us.
bool come_first(StartTool* ours);

}  // namespace lbhm::openmp
