// Waits with a deadline, of libc and of std::future. The program computed the deadline from its virtual clock; the wait
// itself happens in real time, for as long as was left. If nothing came, the deadline has passed on the thread's clock
// too. Lanes of OpenMP wait for conditions in virtual time (conditions.h).
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "emulator/openmp/clock/virtual_clock.h"
#include "emulator/openmp/order/conditions.h"
#include "libomp-ext/real/real_function.h"

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

/// Of virtual time; nothing where the deadline is real.
std::optional<Time> left_until(clockid_t clock, const timespec* deadline, const void* caller) {
  if (!deadline || !applies_to(caller)) return std::nullopt;
  const auto now = read(clock, caller);
  return now ? std::optional(std::max<Time>(to_time(*deadline) - *now, 0)) : std::nullopt;
}

/// Calls `wait` with the deadline as the real clock shows it, `left` from now. `timed_out` tells from what `wait`
/// returned.
template <class Wait, class TimedOut>
auto wait_for(std::optional<Time> left, clockid_t clock, const timespec* deadline, Wait wait, TimedOut timed_out) {
  if (!left) return wait(deadline);
  const timespec real_deadline = to_timespec(real_time(clock) + *left);
  const auto result = wait(&real_deadline);
  if (timed_out(result)) elapse(Nanoseconds(static_cast<double>(*left)));
  return result;
}

template <class Wait, class TimedOut>
auto wait_until(clockid_t clock, const timespec* deadline, const void* caller, Wait wait, TimedOut timed_out) {
  return wait_for(left_until(clock, deadline, caller), clock, deadline, wait, timed_out);
}

constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> real_cond_timedwait(
    "pthread_cond_timedwait");
constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> real_cond_clockwait(
    "pthread_cond_clockwait");
constinit RealFunction<int(pthread_mutex_t*, const timespec*)> real_mutex_timedlock("pthread_mutex_timedlock");
constinit RealFunction<int(pthread_mutex_t*, clockid_t, const timespec*)> real_mutex_clocklock(
    "pthread_mutex_clocklock");
constinit RealFunction<int(sem_t*, const timespec*)> real_sem_timedwait("sem_timedwait");

[[gnu::constructor]] void find_deadlines() {
  lbhm::real::find_all(real_cond_timedwait, real_cond_clockwait, real_mutex_timedlock, real_mutex_clocklock,
                       real_sem_timedwait);
}

bool is_timeout(int error) { return error == ETIMEDOUT; }

template <class Wait>
int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                       const void* caller, Wait real) {
  const std::optional<Time> left = left_until(clock, deadline, caller);
  const auto result = left ? lbhm::openmp::wait_in_order(condition, mutex, *left) : std::nullopt;
  return result ? *result : wait_for(left, clock, deadline, real, is_timeout);
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
  return wait_until(
      clock, &deadline, caller,
      [&](const timespec* t) { return real(self, word, value, true, Time{t->tv_sec}, Time{t->tv_nsec}); },
      [](bool changed) { return !changed; });
}

}  // namespace

LBHM_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  const void* const caller = __builtin_return_address(0);
  const clockid_t clock = applies_to(caller) ? clock_of(to_time(*deadline)) : CLOCK_REALTIME;
  return wait_for_condition(condition, mutex, clock, deadline, caller,
                            [=](const timespec* t) { return real_cond_timedwait(condition, mutex, t); });
}

LBHM_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* deadline) {
  return wait_for_condition(condition, mutex, clock, deadline, __builtin_return_address(0),
                            [=](const timespec* t) { return real_cond_clockwait(condition, mutex, clock, t); });
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
