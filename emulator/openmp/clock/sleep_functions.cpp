// Sleeping in virtual time: the duration passes on the thread's clock, and nobody really sleeps. The other threads get
// the processor once, so that a thread that polls for something lets it happen.
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "emulator/openmp/clock/virtual_clock.h"
#include "libomp-ext/real/real_function.h"

namespace {

using namespace lbhm::clock;
using lbhm::Nanoseconds;
using lbhm::real::RealFunction;

constinit RealFunction<int(const timespec*, timespec*)> real_nanosleep("nanosleep");
constinit RealFunction<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep("clock_nanosleep");
constinit RealFunction<int(useconds_t)> real_usleep("usleep");
constinit RealFunction<unsigned(unsigned)> real_sleep("sleep");
constinit RealFunction<int()> real_yield("sched_yield");

/// False: really sleep.
bool sleep_for(Time duration, const void* return_address) {
  if (!applies_to(return_address)) return false;
  if (!elapse(Nanoseconds(static_cast<double>(std::max<Time>(duration, 0))) + system_call)) return false;
  real_yield();
  return true;
}

bool valid(const timespec* t) { return t && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < second; }

/// How long until `clock` shows `deadline`; nothing if it stays real.
std::optional<Time> until(clockid_t clock, Time deadline, const void* return_address) {
  const auto now = read(clock, return_address);
  if (!now) return std::nullopt;
  return deadline - *now;
}

}  // namespace

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
  if (applies_to(__builtin_return_address(0))) elapse(system_call);
  return real_yield();
}
