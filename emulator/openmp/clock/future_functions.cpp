// What std::future of libstdc++ waits by: it asks the kernel itself. Seconds and nanoseconds are classes of one integer
// each, which the ABI passes like integers.
#include "emulator/openmp/clock/deadline.h"
#include "libomp-ext/real/real_function.h"

#define LBHM_FUTEX_SYSTEM                                                                                      \
  "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_" \
  "IlS3_ILl1ELl1000000000EEEE"
#define LBHM_FUTEX_STEADY                                                                                             \
  "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_" \
  "IlS3_ILl1ELl1000000000EEEE"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;
using lbhm::real::RuntimeFunction;

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
