// Which parallel construct a fork belongs to: the function into which the compiler put its body.
//
// OMPT gives the return address of the fork. A loop that the compiler unrolled, or a function that it inlined, has
// several of those for one construct; the outlined function is one and the same. It is the third argument of
// __kmpc_fork_call (clang, flang) and the first of GOMP_parallel (gcc), which are interposed to note it.
#pragma once

namespace lbhm::openmp {

/// The outlined function of the fork that the calling thread is in, once; null if nobody noted it.
const void* take_outlined();

}  // namespace lbhm::openmp
