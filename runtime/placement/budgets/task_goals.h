// Merchandiser's check before a page goes up (section 6, "Page migration"): have the tasks that access it reached the
// goal of fast accesses that Algorithm 1 gave them?
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Goals of one instance of a phase. A task accesses a page if a sample of this instance, or the forecast, says so.
class TaskGoals {
 public:
  /// An instance without goals: nothing is held back.
  TaskGoals() = default;
  /// `budget`: in the order of the tasks of `phase`, one a lane. `objects`: of the phase; what lies elsewhere is in no
  /// goal, and is not counted.
  TaskGoals(const PhaseForecast& phase, const Budget& budget, std::span<const PlacedObject> objects);

  /// Counts samples of this instance; each stands for `period` accesses.
  void count(std::span<const AccessSample> samples, AccessCount period);
  /// The page is accessed by tasks of this phase, and all of them have reached their goals.
  bool holds_back(std::uintptr_t page) const;
  /// Nothing is left to go up for.
  bool reached(std::size_t task) const { return !(tasks_[task].fast < tasks_[task].goal); }
  std::size_t tasks() const { return tasks_.size(); }

 private:
  struct Task {
    LaneId lane;
    AccessCount goal;  // DRAM_Acc_i of Algorithm 1
    AccessCount fast;  // so far, in fast memory
  };
  void expect(const PhaseForecast& phase);
  void add(const std::vector<std::uint32_t>& tasks, std::uintptr_t begin, std::uintptr_t end);
  const Task* task_of(LaneId lane) const;

  std::uint64_t page_ = 1;
  std::vector<Task> tasks_;
  RangeMap<std::monostate> objects_;
  RangeMap<std::vector<std::uint32_t>> expected_;            // tasks that the forecast expects to access these pages
  std::set<std::pair<std::uintptr_t, std::uint32_t>> seen_;  // page, task
};

}  // namespace lbhm::placement
