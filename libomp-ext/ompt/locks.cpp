// Trying a lock: whether it is free depends on who came first, so in virtual time the machine answers.
#include <omp.h>

#include "lbhm/engine.h"
#include "libomp-ext/tasks/runtime_interface.h"

namespace {

/// libomp then finds the lock free: who has it in virtual time has it in fact.
template <class Lock>
int try_lock(int (*real)(Lock*), Lock* lock) {
  return lbhm::engine::try_mutex(lock) ? real(lock) : 0;
}

}  // namespace

LBHM_EXPORT int omp_test_lock(omp_lock_t* lock) {
  static auto* const real = lbhm::tasks::next<int(omp_lock_t*)>(__func__);
  return try_lock(real, lock);
}

LBHM_EXPORT int omp_test_nest_lock(omp_nest_lock_t* lock) {
  static auto* const real = lbhm::tasks::next<int(omp_nest_lock_t*)>(__func__);
  return try_lock(real, lock);
}
