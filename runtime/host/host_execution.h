// The clock of lanes on real threads, which need no other help to run. It costs a few nanoseconds to read: OMPT
// callbacks stand on the hot path of every fork and join.
#pragma once

#include <cstdint>

#include "runtime/base/units.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// Time since the clock was made. On x86-64 by the time-stamp counter, compared once with CLOCK_MONOTONIC (1 ms);
/// elsewhere CLOCK_MONOTONIC itself.
class HostClock {
 public:
  HostClock();
  Nanoseconds now() const { return Nanoseconds(static_cast<double>(ticks() - start_) * nanoseconds_per_tick_); }

 private:
  static std::uint64_t ticks();

  std::uint64_t start_ = 0;
  double nanoseconds_per_tick_ = 1;
};

class HostExecution : public Execution {
 public:
  explicit HostExecution(const HostClock& clock = HostClock()) : clock_(clock) {}

  std::uint64_t fork() override { return 0; }
  void lane_begin(std::uint64_t, LaneId, std::uint32_t) override {}
  bool wait_begin(Wait, const void*) override { return false; }
  void wait_end(Wait, const void*) override {}
  void mutex_released(const void*) override {}
  bool try_mutex(const void*) override { return true; }
  void join(std::uint64_t) override {}
  void ordered_begin() override {}
  void ordered_end() override {}
  void sleep() override {}
  LaneName name() override { return nullptr; }
  void wake(LaneName) override {}
  void tasks_changed(std::uint64_t, int, int) override {}
  void measure(bool) override {}
  bool virtual_time() const override { return false; }
  Nanoseconds now() override { return clock_.now(); }

 private:
  HostClock clock_;
};

}  // namespace lbhm
