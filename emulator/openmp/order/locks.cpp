// Trying a lock: whether it is free depends on who came first, so in virtual time the machine answers.
#include <omp.h>

#include "libomp-ext/real/real_function.h"
#include "runtime/engine/engine.h"

using lbhm::real::OpenMPFunction;

// libomp finds a lock free that the machine calls free: who has it in virtual time has it in fact.

LBHM_EXPORT int omp_test_lock(omp_lock_t* lock) {
  static constinit OpenMPFunction<int(omp_lock_t*)> real(__func__);
  return lbhm::engine::try_mutex(lock) ? real(lock) : 0;
}

LBHM_EXPORT int omp_test_nest_lock(omp_nest_lock_t* lock) {
  static constinit OpenMPFunction<int(omp_nest_lock_t*)> real(__func__);
  return lbhm::engine::try_mutex(lock) ? real(lock) : 0;
}
