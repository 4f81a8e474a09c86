// The clocks of std::chrono in libstdc++. They are taken here and not at the clock_gettime that they call, because
// there the return address says libstdc++, whoever asked: LB-HM itself waits by std::chrono, and must wait in real
// time.
//
// Both return a class of one 64-bit integer, which the ABI returns like the integer.
#include <chrono>

#include "emulator/openmp/clock/virtual_clock.h"
#include "libomp-ext/real/real_function.h"

#if defined(__GLIBCXX__)

namespace {

using namespace lbhm::clock;

static_assert(sizeof(std::chrono::steady_clock::time_point) == sizeof(Time));
static_assert(std::chrono::system_clock::period::den == second);

}  // namespace

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
