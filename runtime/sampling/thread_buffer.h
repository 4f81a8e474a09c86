// The events of one thread, and what is known of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/sampling/lane_history.h"
#include "runtime/sampling/sampler_plan.h"

namespace lbhm::sampling {

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
