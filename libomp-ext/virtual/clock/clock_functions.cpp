// The functions by which programs ask for the time, and those by which they sleep.
#include <omp.h>
#include <sched.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;
using lbhm::real::RuntimeFunction;

constinit RealFunction<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");
constinit RealFunction<int(timeval*, void*)> real_gettimeofday("gettimeofday");
constinit RealFunction<std::time_t(std::time_t*)> real_time_function("time");
constinit RealFunction<std::clock_t()> real_clock("clock");

[[gnu::constructor]] void find_clocks() {
  lbhm::real::find_all(real_clock_gettime, real_gettimeofday, real_time_function, real_clock);
}
constinit RuntimeFunction real_wtime("omp_get_wtime");
constinit RuntimeFunction real_wtick("omp_get_wtick");

using Clock = double();

// Since the machine began, not since 1970: a double holds the same fractions of it in every run.
double wtime(const void* return_address) {
  // libomp does not start for these two: a program without a parallel region would leave no report.
  if (is_program(return_address)) lbhm::engine::note_openmp();
  const auto now = read(CLOCK_PROCESS_CPUTIME_ID, return_address);
  if (now) return static_cast<double>(*now) / static_cast<double>(second);
  return reinterpret_cast<Clock*>(real_wtime.need(return_address))();
}

double wtick(const void* return_address) {
  if (is_program(return_address)) lbhm::engine::note_openmp();
  if (applies_to(return_address)) return 1 / static_cast<double>(second);
  return reinterpret_cast<Clock*>(real_wtick.need(return_address))();
}

// Sleeping in virtual time: the duration passes on the thread's clock, and nobody really sleeps. The other threads get
// the processor once, so that a thread that polls for something lets it happen.

using lbhm::Nanoseconds;

constinit RealFunction<int(const timespec*, timespec*)> real_nanosleep("nanosleep");
constinit RealFunction<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep("clock_nanosleep");
constinit RealFunction<int(useconds_t)> real_usleep("usleep");
constinit RealFunction<unsigned(unsigned)> real_sleep("sleep");
constinit RealFunction<int()> real_yield("sched_yield");
constinit RealFunction<int(const timespec*, timespec*)> real_thrd_sleep("thrd_sleep");

[[gnu::constructor]] void find_sleeps() {
  lbhm::real::find_all(real_nanosleep, real_clock_nanosleep, real_usleep, real_sleep, real_yield, real_thrd_sleep);
}

/// What earlier lanes have done by now in their turns is done when this returns.
void let_earlier_lanes_come() {
  lbhm::engine::ordered_begin();
  lbhm::engine::ordered_end();
}

/// False: really sleep.
bool sleep_for(Time duration, const void* return_address) {
  if (!may_be_program(return_address)) return false;
  if (!elapse(Nanoseconds(static_cast<double>(std::max<Time>(duration, 0))) + system_call)) return false;
  let_earlier_lanes_come();
  real_yield();
  return true;
}

bool valid(const timespec* t) { return t && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < second; }

/// How long until `clock` shows `deadline`; nothing if it stays real.
std::optional<Time> until(clockid_t clock, Time deadline, const void* return_address) {
  const auto elapsed = may_be_program(return_address) ? elapse(reading) : std::nullopt;
  const auto now = elapsed ? shown(clock, *elapsed) : std::nullopt;
  if (!now) return std::nullopt;
  return deadline - *now;
}

}  // namespace

LBHM_EXPORT int clock_gettime(clockid_t clock, timespec* result) noexcept {
  const auto now = read(clock, __builtin_return_address(0));
  if (!now) return real_clock_gettime(clock, result);
  *result = to_timespec(*now);
  return 0;
}

LBHM_EXPORT int gettimeofday(timeval* __restrict result, void* __restrict zone) noexcept {
  const auto now = read(CLOCK_REALTIME, __builtin_return_address(0));
  if (!now) return real_gettimeofday(result, zone);
  *result = {.tv_sec = *now / second, .tv_usec = *now % second / 1000};
  return 0;
}

LBHM_EXPORT std::time_t time(std::time_t* result) noexcept {
  const auto now = read(CLOCK_REALTIME, __builtin_return_address(0));
  if (!now) return real_time_function(result);
  if (result) *result = *now / second;
  return *now / second;
}

LBHM_EXPORT std::clock_t clock() noexcept {
  const auto now = read(CLOCK_PROCESS_CPUTIME_ID, __builtin_return_address(0));
  return now ? *now / (second / CLOCKS_PER_SEC) : real_clock();
}

LBHM_EXPORT double omp_get_wtime() { return wtime(__builtin_return_address(0)); }
LBHM_EXPORT double omp_get_wtick() { return wtick(__builtin_return_address(0)); }
// Fortran's names.
LBHM_EXPORT double omp_get_wtime_() { return wtime(__builtin_return_address(0)); }
LBHM_EXPORT double omp_get_wtick_() { return wtick(__builtin_return_address(0)); }

LBHM_EXPORT int nanosleep(const timespec* request, timespec* rest) {
  if (!valid(request) || !sleep_for(to_time(*request), __builtin_return_address(0)))
    return real_nanosleep(request, rest);
  return 0;
}

LBHM_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* rest) {
  const void* caller = __builtin_return_address(0);
  if (!valid(request)) return real_clock_nanosleep(clock, flags, request, rest);
  std::optional<Time> duration = to_time(*request);
  if (flags & TIMER_ABSTIME) duration = until(clock, *duration, caller);
  if (!duration || !sleep_for(*duration, caller)) return real_clock_nanosleep(clock, flags, request, rest);
  return 0;
}

LBHM_EXPORT int usleep(useconds_t duration) {
  if (!sleep_for(Time{duration} * 1000, __builtin_return_address(0))) return real_usleep(duration);
  return 0;
}

LBHM_EXPORT unsigned sleep(unsigned seconds) {
  if (!sleep_for(seconds * second, __builtin_return_address(0))) return real_sleep(seconds);
  return 0;
}

/// A spin wait that yields gets on by a little, so that the others are not held up by it.
LBHM_EXPORT int sched_yield() noexcept {
  if (applies_to(__builtin_return_address(0))) {
    elapse(system_call);
    let_earlier_lanes_come();
  }
  return real_yield();
}

LBHM_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  if (valid(duration) && sleep_for(to_time(*duration), __builtin_return_address(0))) return 0;
  return real_thrd_sleep(duration, rest);
}

LBHM_EXPORT void thrd_yield() {
  if (may_be_program(__builtin_return_address(0))) {
    elapse(system_call);
    let_earlier_lanes_come();
  }
  real_yield();
}

// The clocks of std::chrono in libstdc++. They are taken here and not at the clock_gettime that they call, because
// there the return address says libstdc++, whoever asked: LB-HM itself waits by std::chrono, and must wait in real
// time.
//
// Both return a class of one 64-bit integer, which the ABI returns like the integer.

#if defined(__GLIBCXX__)

static_assert(sizeof(std::chrono::steady_clock::time_point) == sizeof(Time));
static_assert(std::chrono::system_clock::period::den == second);

LBHM_EXPORT Time lbhm_steady_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");
LBHM_EXPORT Time lbhm_system_now() asm("_ZNSt6chrono3_V212system_clock3nowEv");

Time lbhm_steady_now() {
  const auto now = read(CLOCK_MONOTONIC, __builtin_return_address(0));
  return now ? *now : real_time(CLOCK_MONOTONIC);
}

Time lbhm_system_now() {
  const auto now = read(CLOCK_REALTIME, __builtin_return_address(0));
  return now ? *now : real_time(CLOCK_REALTIME);
}

#endif
