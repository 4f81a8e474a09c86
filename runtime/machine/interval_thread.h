// Functions that run at intervals of real time, one after the other on one thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm {

/// A function that finds no memory (std::bad_alloc) is called again after its next interval.
class IntervalThread {
 public:
  /// Throws std::system_error if there can be no thread.
  void add(Nanoseconds interval, std::function<void()> duty);

 private:
  using Clock = std::chrono::steady_clock;
  struct Duty {
    Clock::duration interval;
    Clock::time_point next;
    std::function<void()> run;
  };

  void serve(const std::stop_token& stop);
  void run_due(std::unique_lock<std::mutex>& lock);

  std::mutex lock_;
  std::condition_variable_any changed_;
  std::vector<Duty> duties_;
  std::jthread thread_;  // the last member: it ends before the others do
};

/// Machine::every by such a thread. Errors: invalid_argument, unavailable.
Status run_every(IntervalThread& thread, Nanoseconds interval, std::function<void()> duty);

}  // namespace lbhm
