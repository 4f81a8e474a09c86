// One thread's samples: its events, which lane it was when, and the clocks that tell it (the processor's counter,
// perf's clock, CLOCK_MONOTONIC).
#pragma once

#include <linux/perf_event.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/host/sampling/sampler_plan.h"

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

class LaneHistory {
 public:
  /// From `time` (ns, not before earlier calls) on the thread is `lane`.
  void note(std::uint64_t time, LaneId lane) {
    if (changes_.empty() || changes_.back().lane != lane) changes_.push_back({time, lane});
  }
  /// Before the first note: the first lane.
  LaneId at(std::uint64_t time) const {
    if (changes_.empty()) return LaneId(0);
    const auto after = std::ranges::upper_bound(changes_, time, {}, &Change::time);
    return after == changes_.begin() ? after->lane : std::prev(after)->lane;
  }
  /// Nobody will ask for times before this one.
  void forget_before(std::uint64_t time) {
    const auto after = std::ranges::upper_bound(changes_, time, {}, &Change::time);
    if (after != changes_.begin()) changes_.erase(changes_.begin(), std::prev(after));
  }
  std::size_t size() const { return changes_.size(); }

 private:
  struct Change {
    std::uint64_t time;
    LaneId lane;
  };
  std::vector<Change> changes_;
};

struct Losses {
  std::uint64_t samples = 0;    ///< counted by the kernel, and records that made no sense
  std::uint64_t throttled = 0;  ///< times that the kernel stopped sampling until its next tick
};

/// One thread notes lanes, another may drain at the same time.
class ThreadBuffer {
 public:
  /// Opens the events of the plan for the calling thread.
  static Result<std::unique_ptr<ThreadBuffer>> open(const SamplerPlan& plan);

  void lane_begins(LaneId lane);
  void thread_ends();
  bool ended() const { return ended_; }

  /// 0: off.
  void set_period(std::uint64_t period);
  /// Appends samples with address, lane, write, latency in cycles and time by CLOCK_MONOTONIC; `losses` grow.
  void drain(std::vector<AccessSample>& out, Losses& losses);

 private:
  ThreadBuffer() = default;
  void drain_event(std::size_t i, std::vector<AccessSample>& out, Losses& losses);

  const SamplerPlan* plan_ = nullptr;
  std::mutex lock_;
  std::vector<PerfEvent> events_;  // as in the plan
  LaneHistory lanes_;
  LaneId lane_{~std::uint32_t{0}};  // of the thread itself: what it noted last
  std::atomic<bool> ended_ = false;
};

}  // namespace lbhm::sampling
