// Mutexes and conditions of C11 in virtual time. In glibc a mtx_t is a pthread_mutex_t, and
// a cnd_t a pthread_cond_t, under other names.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "libomp-ext/virtual/order/conditions.h"
#include "libomp-ext/virtual/order/thread_locks.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::openmp;

pthread_mutex_t* as_posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));

int outcome(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

}  // namespace

LBHM_EXPORT int mtx_lock(mtx_t* mutex) { return outcome(take_mutex(as_posix(mutex), __builtin_return_address(0))); }
LBHM_EXPORT int mtx_trylock(mtx_t* mutex) {
  return outcome(try_to_take_mutex(as_posix(mutex), __builtin_return_address(0)));
}
LBHM_EXPORT int mtx_timedlock(mtx_t* __restrict mutex, const timespec* __restrict deadline) {
  return outcome(take_mutex_until(as_posix(mutex), deadline, __builtin_return_address(0)));
}
LBHM_EXPORT int mtx_unlock(mtx_t* mutex) {
  return outcome(give_back_mutex(as_posix(mutex), __builtin_return_address(0)));
}

LBHM_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return outcome(await_condition(as_posix(condition), as_posix(mutex), __builtin_return_address(0)));
}
LBHM_EXPORT int cnd_timedwait(cnd_t* __restrict condition, mtx_t* __restrict mutex,
                              const timespec* __restrict deadline) {
  return outcome(await_condition_until(as_posix(condition), as_posix(mutex), deadline, __builtin_return_address(0)));
}
LBHM_EXPORT int cnd_signal(cnd_t* condition) {
  return outcome(wake_condition(as_posix(condition), false, __builtin_return_address(0)));
}
LBHM_EXPORT int cnd_broadcast(cnd_t* condition) {
  return outcome(wake_condition(as_posix(condition), true, __builtin_return_address(0)));
}
