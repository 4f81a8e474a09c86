// A wait with a deadline. The program computed it from its virtual clock; the wait itself happens in real time, for as
// long as was left. If nothing came, the deadline has passed on the thread's clock too.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "emulator/openmp/clock/virtual_clock.h"

namespace lbhm::clock {

/// A condition variable does not tell its clock. The two begin decades apart, so the nearer one is it.
inline clockid_t clock_of(Time deadline) {
  const auto distance = [=](clockid_t clock) { return std::abs(deadline / second - real_time(clock) / second); };
  return distance(CLOCK_MONOTONIC) < distance(CLOCK_REALTIME) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

/// Calls `wait` with the deadline as the real clock shows it. `timed_out` tells from what `wait` returned. No `clock`:
/// find out which.
template <class Wait, class TimedOut>
auto wait_until(std::optional<clockid_t> clock, const timespec* deadline, const void* caller, Wait wait,
                TimedOut timed_out) {
  if (!deadline || !applies_to(caller)) return wait(deadline);
  if (!clock) clock = clock_of(to_time(*deadline));
  const auto now = read(*clock, caller);
  if (!now) return wait(deadline);
  const Time left = std::max<Time>(to_time(*deadline) - *now, 0);
  const timespec real_deadline = to_timespec(real_time(*clock) + left);
  const auto result = wait(&real_deadline);
  if (timed_out(result)) elapse(Nanoseconds(static_cast<double>(left)));
  return result;
}

}  // namespace lbhm::clock
