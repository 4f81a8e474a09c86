// Our OMPT tool (tool.cpp) as libomp starts it, alone or beside another one.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

ompt_start_tool_result_t& our_tool();

// Which parallel construct a fork belongs to: the function into which the compiler put its body.
//
// OMPT gives the return address of the fork. A loop that the compiler unrolled, or a function that it inlined, has
// several of those for one construct; the outlined function is one and the same. It is the third argument of
// __kmpc_fork_call (clang, flang) and the first of GOMP_parallel (gcc), which are interposed to note it.

/// The outlined function of the fork that the calling thread is in, once; null if nobody noted it.
const void* take_outlined();

// Which implicit barrier is the one at the end of a region. libomp says so from version 17 on; older ones call it and
// that of a worksharing construct the same (ompt_sync_region_barrier_implicit).

/// The calling thread forks: `call` is the return address that OMPT gives.
void forks_from(const void* call);
void joined();
/// Of a barrier of the old kind, by OMPT's return address: at the end of a region the thread that forked has the fork's
/// there, all others have none.
bool is_join(const void* call);

}  // namespace lbhm::openmp
