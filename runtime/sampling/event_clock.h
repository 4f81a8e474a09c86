// The three clocks of a sample: the counter of the processor, perf's own clock, and CLOCK_MONOTONIC.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>

namespace lbhm::sampling {

std::uint64_t monotonic_ns();

/// How perf's clock follows from the processor's counter (linux/perf_event.h, cap_user_time_zero).
struct CounterScale {
  std::uint64_t zero = 0;
  std::uint32_t multiplier = 0;
  std::uint16_t shift = 0;

  std::uint64_t nanoseconds(std::uint64_t ticks) const;
};

/// Nothing where the kernel does not tell.
std::optional<CounterScale> counter_scale(const perf_event_mmap_page& control);

/// The counter of the processor that this runs on; 0 where we know of none.
std::uint64_t counter_ticks();

/// Turns times of perf's clock into those of CLOCK_MONOTONIC; both run at the same pace for as long as this lives.
class EventClock {
 public:
  explicit EventClock(const perf_event_mmap_page& control);
  std::uint64_t of_perf(std::uint64_t time) const { return time + offset_; }
  /// `ticks`: of the processor's counter.
  std::uint64_t of_counter(std::uint64_t ticks) const;

 private:
  std::optional<CounterScale> scale_;
  std::uint64_t offset_ = 0;  // wraps round where perf's clock is ahead
};

}  // namespace lbhm::sampling
