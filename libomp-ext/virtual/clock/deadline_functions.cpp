// Waits with a deadline for conditions, mutexes and locks of readers and writers, of libc and of std::future
// (deadlines.h). Lanes of OpenMP wait for them in virtual time.
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "libomp-ext/virtual/clock/deadlines.h"
#include "libomp-ext/virtual/order/conditions.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/futex.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "libomp-ext/virtual/order/thread_locks.h"
#include "runtime/interpose/real_function.h"

// What std::future of libstdc++ waits by: it asks the kernel itself. Seconds and nanoseconds are classes of one integer
// each, which the ABI passes like integers.
#define LBHM_FUTEX_SYSTEM                                                                                      \
  "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_" \
  "IlS3_ILl1ELl1000000000EEEE"
#define LBHM_FUTEX_STEADY                                                                                             \
  "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_" \
  "IlS3_ILl1ELl1000000000EEEE"

namespace {

using namespace lbhm::clock;
using lbhm::Nanoseconds;
using lbhm::real::RealFunction;
using lbhm::real::RuntimeFunction;

/// A condition variable does not tell its clock. The two begin decades apart, so the nearer one is it.
clockid_t clock_of(Time deadline) {
  const auto distance = [=](clockid_t clock) { return std::abs(deadline / second - real_time(clock) / second); };
  return distance(CLOCK_MONOTONIC) < distance(CLOCK_REALTIME) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> real_cond_timedwait(
    "pthread_cond_timedwait");
constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_cond_clockwait(
    "pthread_cond_clockwait");
constinit RealFunction<int(pthread_mutex_t*, const timespec*)> real_mutex_timedlock("pthread_mutex_timedlock");
constinit RealFunction<int(pthread_mutex_t*, clockid_t, const timespec*)> real_mutex_clocklock(
    "pthread_mutex_clocklock");
constinit RealFunction<int(pthread_rwlock_t*, const timespec*)> real_timedrdlock("pthread_rwlock_timedrdlock"),
    real_timedwrlock("pthread_rwlock_timedwrlock");
constinit RealFunction<int(pthread_rwlock_t*, clockid_t, const timespec*)> real_clockrdlock(
    "pthread_rwlock_clockrdlock"),
    real_clockwrlock("pthread_rwlock_clockwrlock");
constinit RealFunction<int(pthread_rwlock_t*)> real_tryrdlock("pthread_rwlock_tryrdlock"),
    real_trywrlock("pthread_rwlock_trywrlock");

[[gnu::constructor]] void find_deadlines() {
  lbhm::real::find_all(real_cond_timedwait, real_cond_clockwait, real_mutex_timedlock, real_mutex_clocklock,
                       real_timedrdlock, real_timedwrlock, real_clockrdlock, real_clockwrlock, real_tryrdlock,
                       real_trywrlock);
}

bool is_timeout(int error) { return error == ETIMEDOUT; }

template <class Wait>
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                       const void* caller, Wait real) {
  const std::optional<Time> left = left_until(clock, deadline, applies_to(caller));
  const auto result = left ? lbhm::openmp::wait_in_order(condition, mutex, *left) : std::nullopt;
  if (result) return *result;
  const int woken = wait_for(left, clock, deadline, real, is_timeout);
  if (woken == 0 && left) lbhm::openmp::got(lbhm::openmp::edge_of(condition));
  return woken;
}

using FutexWait = bool(const void*, unsigned*, unsigned, bool, Time, Time);
constinit RuntimeFunction real_system(LBHM_FUTEX_SYSTEM);
constinit RuntimeFunction real_steady(LBHM_FUTEX_STEADY);

/// True: the value changed. False: the deadline passed.
bool futex_wait(RuntimeFunction& place, clockid_t clock, const void* caller, const void* self, unsigned* word,
                unsigned value, bool has_deadline, Time seconds, Time nanoseconds) {
  auto* const real = reinterpret_cast<FutexWait*>(place.need(caller));
  if (!has_deadline) return real(self, word, value, has_deadline, seconds, nanoseconds);
  const timespec deadline{.tv_sec = seconds, .tv_nsec = nanoseconds};
  if (lbhm::openmp::lane_calls() && applies_to(caller))
    return lbhm::openmp::lane_waits(word, value, left_until(clock, &deadline, true)) != ETIMEDOUT;
  return wait_until(
      clock, &deadline, applies_to(caller),
      [&](const timespec* t) { return real(self, word, value, true, Time{t->tv_sec}, Time{t->tv_nsec}); },
      [](bool changed) { return !changed; });
}

}  // namespace

int lbhm::openmp::await_condition_until(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline,
                                        const void* caller) {
  const clockid_t clock = applies_to(caller) ? clock_of(to_time(*deadline)) : CLOCK_REALTIME;
  return wait_for_condition(condition, mutex, clock, deadline, caller,
                            [=](const timespec* t) { return real_cond_timedwait(condition, mutex, t); });
}

LBHM_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return lbhm::openmp::await_condition_until(condition, mutex, deadline, __builtin_return_address(0));
}

LBHM_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* deadline) {
  return wait_for_condition(condition, mutex, clock, deadline, __builtin_return_address(0),
                            [=](const timespec* t) { return real_cond_clockwait(condition, mutex, clock, t); });
}

namespace {

/// A lane asks for the mutex every 400 ns of virtual time: who lets go of it wakes those alone that wait without limit.
int ask_for_mutex(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, const void* caller) {
  for (;;) {
    const int result = lbhm::openmp::try_to_take_mutex(mutex, caller);
    if (result != EBUSY) return result;
    if (left_until(clock, deadline, may_be_program(caller)).value_or(0) == 0) return ETIMEDOUT;
  }
}

template <class Real>
int lock_until(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, const void* caller, Real real) {
  if (lbhm::openmp::lane_calls() && may_be_program(caller)) return ask_for_mutex(mutex, clock, deadline, caller);
  return wait_until(clock, deadline, may_be_program(caller), real, is_timeout);
}

template <class Real>
int lock_until(pthread_rwlock_t* lock, RealFunction<int(pthread_rwlock_t*)>& attempt, clockid_t clock,
               const timespec* deadline, const void* caller, Real real) {
  if (!lbhm::openmp::lane_calls() || !may_be_program(caller))
    return wait_until(clock, deadline, may_be_program(caller), real, is_timeout);
  for (;;) {
    lbhm::engine::ordered_begin();
    const int result = attempt(lock);
    lbhm::engine::ordered_end();
    if (result != EBUSY) return result;
    if (left_until(clock, deadline, may_be_program(caller)).value_or(0) == 0) return ETIMEDOUT;
    elapse(system_call);
  }
}

}  // namespace

int lbhm::openmp::take_mutex_until(pthread_mutex_t* mutex, const timespec* deadline, const void* caller) {
  return lock_until(mutex, CLOCK_REALTIME, deadline, caller,
                    [=](const timespec* t) { return real_mutex_timedlock(mutex, t); });
}
LBHM_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return lbhm::openmp::take_mutex_until(mutex, deadline, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) noexcept {
  return lock_until(mutex, clock, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_mutex_clocklock(mutex, clock, t); });
}

LBHM_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return lock_until(lock, real_tryrdlock, CLOCK_REALTIME, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_timedrdlock(lock, t); });
}
LBHM_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  return lock_until(lock, real_trywrlock, CLOCK_REALTIME, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_timedwrlock(lock, t); });
}
LBHM_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) noexcept {
  return lock_until(lock, real_tryrdlock, clock, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_clockrdlock(lock, clock, t); });
}
LBHM_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) noexcept {
  return lock_until(lock, real_trywrlock, clock, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_clockwrlock(lock, clock, t); });
}

LBHM_EXPORT FutexWait lbhm_futex_system asm(LBHM_FUTEX_SYSTEM);
LBHM_EXPORT FutexWait lbhm_futex_steady asm(LBHM_FUTEX_STEADY);

bool lbhm_futex_system(const void* self, unsigned* word, unsigned value, bool has_deadline, Time seconds,
                       Time nanoseconds) {
  return futex_wait(real_system, CLOCK_REALTIME, __builtin_return_address(0), self, word, value, has_deadline, seconds,
                    nanoseconds);
}

bool lbhm_futex_steady(const void* self, unsigned* word, unsigned value, bool has_deadline, Time seconds,
                       Time nanoseconds) {
  return futex_wait(real_steady, CLOCK_MONOTONIC, __builtin_return_address(0), self, word, value, has_deadline, seconds,
                    nanoseconds);
}
