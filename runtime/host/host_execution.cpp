#include "runtime/host/host_execution.h"

#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace lbhm {
namespace {

std::uint64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

#if defined(__x86_64__)

std::uint64_t HostClock::ticks() { return __rdtsc(); }

namespace {

struct Moment {
  std::uint64_t ns = 0, ticks = 0;
};

/// Both clocks at one moment: of some readings the one in which the least time passed between them, for a busy computer
/// may take the processor away there, and every time that is measured afterwards would be wrong by as much.
Moment read_both() {
  constexpr int readings = 8;
  Moment best;
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < readings; ++i) {
    const std::uint64_t before = __rdtsc();
    const std::uint64_t ns = monotonic_ns();
    const std::uint64_t took = __rdtsc() - before;
    if (took >= least) continue;
    least = took;
    best = {.ns = ns, .ticks = before + took / 2};
  }
  return best;
}

}  // namespace

HostClock::HostClock() {
  constexpr std::uint64_t calibration_ns = 1'000'000;
  const Moment begin = read_both();
  while (monotonic_ns() - begin.ns < calibration_ns) {}
  const Moment end = read_both();
  nanoseconds_per_tick_ = static_cast<double>(end.ns - begin.ns) / static_cast<double>(end.ticks - begin.ticks);
  start_ = begin.ticks;
}

#else

std::uint64_t HostClock::ticks() { return monotonic_ns(); }

HostClock::HostClock() : start_(ticks()) {}

#endif

}  // namespace lbhm
