// Waits with a deadline. The program computed the deadline from its virtual clock; a thread that is no lane waits in
// real time, for as long as was left. If nothing came, the deadline has passed on the thread's clock too.
#pragma once

#include <algorithm>
#include <ctime>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"

namespace lbhm::clock {

/// Of virtual time; nothing where the deadline is real, or there is none.
inline std::optional<Time> left_until(clockid_t clock, const timespec* deadline, bool is_virtual) {
  const auto elapsed = deadline && is_virtual ? elapse(reading) : std::nullopt;
  const auto now = elapsed ? shown(clock, *elapsed) : std::nullopt;
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
auto wait_until(clockid_t clock, const timespec* deadline, bool is_virtual, Wait wait, TimedOut timed_out) {
  return wait_for(left_until(clock, deadline, is_virtual), clock, deadline, wait, timed_out);
}

}  // namespace lbhm::clock
