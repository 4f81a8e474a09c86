#include "runtime/machine/clock.h"

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

HostClock::HostClock() {
  const std::uint64_t begin_ns = monotonic_ns();
  const std::uint64_t begin = ticks();
  std::uint64_t now_ns = begin_ns;
  while (now_ns - begin_ns < 1'000'000) now_ns = monotonic_ns();
  nanoseconds_per_tick_ = static_cast<double>(now_ns - begin_ns) / static_cast<double>(ticks() - begin);
  start_ = begin;
}

#else

std::uint64_t HostClock::ticks() { return monotonic_ns(); }

HostClock::HostClock() : start_(ticks()) {}

#endif

}  // namespace lbhm
