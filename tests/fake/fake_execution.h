// A clock that the test sets, and a log of what the machine was told of the program's threads.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/machine/machine.h"

namespace lbhm::fake {

class FakeExecution final : public Execution {
 public:
  // For the test.
  void set_clock(Nanoseconds time) { clock_ = time.value; }
  void set_virtual_time(bool is_virtual) { virtual_time_ = is_virtual; }
  std::vector<std::string> log() const {
    const std::lock_guard guard(log_lock_);
    return log_;
  }

  std::uint64_t fork() override {
    note("fork");
    return ++teams_;
  }
  void lane_begin(std::uint64_t team, LaneId lane, std::uint32_t size) override {
    note("lane_begin " + std::to_string(team) + " " + std::to_string(lane.value) + "/" + std::to_string(size));
  }
  bool wait_begin(Wait kind, const void*) override {
    note("wait_begin " + name_of(kind));
    return false;
  }
  void wait_end(Wait kind, const void*) override { note("wait_end " + name_of(kind)); }
  void mutex_released(const void*) override { note("mutex_released"); }
  bool try_mutex(const void*) override { return true; }
  void join(std::uint64_t team) override { note("join " + std::to_string(team)); }
  void ordered_begin() override { ordered_.lock(); }
  void ordered_end() override { ordered_.unlock(); }
  void sleep() override { ordered_.unlock(); }
  LaneName name() override { return nullptr; }
  void wake(LaneName) override {}
  void tasks_changed(std::uint64_t, int, int) override {}
  void measure(bool on) override { note(on ? "measure on" : "measure off"); }
  bool virtual_time() const override { return virtual_time_; }
  void pass(Nanoseconds time) override { clock_ += time.value; }
  Nanoseconds now() override { return Nanoseconds(clock_); }

 private:
  static std::string name_of(Wait kind) {
    constexpr const char* names[] = {"barrier", "team_barrier", "join", "mutex", "tasks"};
    return names[static_cast<std::size_t>(kind)];
  }
  void note(std::string call) {
    const std::lock_guard guard(log_lock_);
    log_.push_back(std::move(call));
  }

  std::atomic<double> clock_ = 0;
  std::atomic<bool> virtual_time_ = true;
  std::atomic<std::uint64_t> teams_ = 0;
  std::mutex ordered_;
  mutable std::mutex log_lock_;
  std::vector<std::string> log_;
};

}  // namespace lbhm::fake
