// The functions that tell what processor time a process took, and the clock of C11. libc's own ask the kernel directly,
// past clock_gettime.
#include <sys/resource.h>
#include <sys/times.h>

#include <ctime>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;

constinit RealFunction<std::clock_t(tms*)> real_times("times");
constinit RealFunction<int(int, rusage*)> real_usage("getrusage");
constinit RealFunction<int(timespec*, int)> real_timespec_get("timespec_get");

[[gnu::constructor]] void find_usage() { lbhm::real::find_all(real_times, real_usage, real_timespec_get); }

/// Linux's, of the clock ticks that programs see.
constexpr Time tick = second / 100;

}  // namespace

LBHM_EXPORT std::clock_t times(tms* result) noexcept {
  const void* caller = __builtin_return_address(0);
  const auto elapsed = read(CLOCK_PROCESS_CPUTIME_ID, caller);
  const auto wall = elapsed ? shown(CLOCK_MONOTONIC, *elapsed) : std::nullopt;
  if (!wall) return real_times(result);
  if (result) *result = {.tms_utime = *elapsed / tick, .tms_stime = 0, .tms_cutime = 0, .tms_cstime = 0};
  return *wall / tick;
}

LBHM_EXPORT int getrusage(__rusage_who_t who, rusage* result) noexcept {
  const int status = real_usage(who, result);
  if (status != 0 || who == RUSAGE_CHILDREN) return status;
  if (const auto now = read(CLOCK_PROCESS_CPUTIME_ID, __builtin_return_address(0))) {
    result->ru_utime = {.tv_sec = *now / second, .tv_usec = *now % second / 1000};
    result->ru_stime = {};
  }
  return status;
}

LBHM_EXPORT int timespec_get(timespec* result, int base) noexcept {
  const auto now = base == TIME_UTC ? read(CLOCK_REALTIME, __builtin_return_address(0)) : std::nullopt;
  if (!now) return real_timespec_get(result, base);
  *result = to_timespec(*now);
  return base;
}
