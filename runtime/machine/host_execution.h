// Real threads need no help to run: only the clock has work to do.
#pragma once

#include "runtime/machine/clock.h"
#include "runtime/machine/machine.h"

namespace lbhm {

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
