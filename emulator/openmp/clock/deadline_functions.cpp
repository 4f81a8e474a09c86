// The waits of libc that take a deadline.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "emulator/openmp/clock/deadline.h"
#include "libomp-ext/real/real_function.h"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;

/// The first version of pthread_cond_* knows another type.
constexpr const char* condition_version = "GLIBC_2.3.2";
constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> real_cond_timedwait(
    "pthread_cond_timedwait", condition_version);
constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_cond_clockwait(
    "pthread_cond_clockwait");
constinit RealFunction<int(pthread_mutex_t*, const timespec*)> real_mutex_timedlock("pthread_mutex_timedlock");
constinit RealFunction<int(pthread_mutex_t*, clockid_t, const timespec*)> real_mutex_clocklock(
    "pthread_mutex_clocklock");
constinit RealFunction<int(sem_t*, const timespec*)> real_sem_timedwait("sem_timedwait");

bool is_timeout(int error) { return error == ETIMEDOUT; }

}  // namespace

LBHM_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return wait_until(
      {}, deadline, __builtin_return_address(0),
      [=](const timespec* t) { return real_cond_timedwait(condition, mutex, t); }, is_timeout);
}

LBHM_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* deadline) {
  return wait_until(
      clock, deadline, __builtin_return_address(0),
      [=](const timespec* t) { return real_cond_clockwait(condition, mutex, clock, t); }, is_timeout);
}

LBHM_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return wait_until(
      CLOCK_REALTIME, deadline, __builtin_return_address(0),
      [=](const timespec* t) { return real_mutex_timedlock(mutex, t); }, is_timeout);
}

LBHM_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) noexcept {
  return wait_until(
      clock, deadline, __builtin_return_address(0),
      [=](const timespec* t) { return real_mutex_clocklock(mutex, clock, t); }, is_timeout);
}

LBHM_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return wait_until(
      CLOCK_REALTIME, deadline, __builtin_return_address(0),
      [=](const timespec* t) { return real_sem_timedwait(semaphore, t); },
      [](int result) { return result != 0 && errno == ETIMEDOUT; });
}
