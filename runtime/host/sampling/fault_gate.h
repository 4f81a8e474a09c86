// Keeps what hint faults cost within bounds: how many more pages may be armed now, and the way to arm them, through
// which both hint faults and the accessed bits that are made of them go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/host/sampling/armed_memory.h"
#include "runtime/host/sampling/samplers.h"

namespace lbhm::sampling {

/// What a hint fault of an isolated page takes, arming included: docs/sampling.md, measured by bench/run sampling.
inline constexpr double nanoseconds_per_hint_fault = 12000;
/// Hint faults may cost this share of the time of all processors. An assumption: without them the policies that ask for
/// hint faults cannot work, so it is more than what sampling may cost.
inline constexpr double most_faulting = 0.05;

/// A bucket that fills at a rate and holds what comes within one second.
class FaultBudget {
 public:
  /// `most_per_second`: of all threads, above 0.
  FaultBudget(double most_per_second, std::uint64_t now_ns) : rate_(most_per_second), level_(rate_), at_(now_ns) {}

  /// Faults since the last call are paid; pages that are armed may still fault, so they are reserved. `price`: what one
  /// costs, where 1 is what the rate was meant for.
  std::size_t grant(std::uint64_t now_ns, std::uint64_t faults_since, std::size_t armed, double price = 1) {
    const double seconds = static_cast<double>(now_ns - at_) * 1e-9;
    at_ = now_ns;
    level_ = std::min(level_ + seconds * rate_, rate_) - price * static_cast<double>(faults_since);
    return static_cast<std::size_t>(std::max(std::floor(level_ / price) - static_cast<double>(armed), 0.0));
  }

 private:
  double rate_;
  double level_;
  std::uint64_t at_;
};

class FaultGate {
 public:
  /// From now on pages may be watched in this process. `most_per_second`: 0: the default. `lane`: of the calling
  /// thread, in a signal handler. `root`: of /proc. `managed`: no other page is armed, and none of it is released
  /// meanwhile; none: every page that is asked for.
  FaultGate(double most_per_second, LaneId (*lane)(), std::string root,
            std::function<void(const UseRanges& use)> managed = {});

  /// Arms as many of the pages as may be, spread over all of them, others the next time. Returns how many are armed.
  std::size_t arm(std::span<const std::uintptr_t> pages, Armed reason);
  /// How many more pages may be armed now. By default fewer where faults turn out to be dear, as in emulated
  /// processors.
  std::size_t grant();
  /// Pages that were not armed because of the budget.
  std::uint64_t passed_over() const { return passed_over_; }

 private:
  std::size_t grant_now();
  double price() const;
  std::size_t arm_managed(std::span<const std::uintptr_t> pages, Armed reason);

  std::mutex lock_;
  FaultBudget budget_;
  bool by_time_;  // the rate is a share of time, not the caller's number
  LaneId (*lane_)();
  std::string root_;
  std::function<void(const UseRanges& use)> managed_;
  std::uint64_t resolved_;
  std::size_t rotation_ = 0;
  std::uint64_t passed_over_ = 0;
};

}  // namespace lbhm::sampling
