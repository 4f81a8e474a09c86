// The way to arm pages within the budget: both hint faults and the accessed bits that are made of them go through it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/sampling/armed_pages.h"
#include "runtime/sampling/fault_budget.h"
#include "runtime/sampling/samplers.h"

namespace lbhm::sampling {

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
