#include "emulator/openmp/clock/virtual_clock.h"

#include <cmath>

#include "emulator/openmp/clock/caller.h"
#include "libomp-ext/real/real_function.h"
#include "runtime/engine/engine.h"

namespace lbhm::clock {
namespace {

constinit real::RealFunction<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");

thread_local bool inside = false;

Time whole_seconds(Time t) { return t / second * second; }

/// Where the clocks of the wall stood when the program first asked for the time.
struct Origins {
  Time real = whole_seconds(real_time(CLOCK_REALTIME));
  Time monotonic = whole_seconds(real_time(CLOCK_MONOTONIC));
};

const Origins& origins() {
  static const Origins made;
  return made;
}

}  // namespace

Time real_time(clockid_t clock) {
  timespec t{};
  real_clock_gettime(clock, &t);
  return to_time(t);
}

bool applies_to(const void* return_address) { return engine::keeps_virtual_time() && is_program(return_address); }

std::optional<Time> elapse(Nanoseconds passing) {
  if (inside) return std::nullopt;
  inside = true;
  const auto now = engine::virtual_now(passing);
  inside = false;
  if (!now) return std::nullopt;
  return std::llround(now->value);
}

std::optional<Time> shown(clockid_t clock, Time elapsed) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return origins().real + elapsed;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
      return origins().monotonic + elapsed;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return elapsed;
    default:
      return std::nullopt;
  }
}

std::optional<Time> read(clockid_t clock, const void* return_address) {
  if (!applies_to(return_address)) return std::nullopt;
  const auto elapsed = elapse(reading);
  return elapsed ? shown(clock, *elapsed) : std::nullopt;
}

}  // namespace lbhm::clock
