// Two OMPT tools where libomp has room for one: ours, and the one that the program or its user brought.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

/// The tool for libomp to start: hands everything to both. The other one sees what it would see alone.
ompt_start_tool_result_t* both_tools(ompt_start_tool_result_t& ours, ompt_start_tool_result_t& other);

}  // namespace lbhm::openmp
