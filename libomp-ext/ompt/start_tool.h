// Our OMPT tool (tool.cpp) as libomp starts it, alone or beside another one.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

ompt_start_tool_result_t& our_tool();

}  // namespace lbhm::openmp
