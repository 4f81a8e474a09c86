// What was planned, for the report.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/placement/placement.h"

namespace lbhm::engine {

/// An object of a scope, for the report.
struct ObjectRecord {
  std::string name;
  Bytes bytes;
  // Of all tasks together, once there is a plan:
  std::string kind{};                    ///< its patterns: "stream+gather"
  double alpha = 1;                      ///< that would give `estimated` by Eq. 1
  AccessCount estimated{};               ///< of this instance, before it
  std::optional<AccessCount> counted{};  ///< in this instance; nothing while it runs
  // Not of all tasks together:
  std::map<std::uint32_t, AccessCount> counted_by_lane{};  ///< in this instance; lanes without an access are left out
  Bytes planned{};                                         ///< what the plan moves to fast memory, at once or later
};

/// What a task was expected to take with everything in one memory, by the rule of scaling that the plan was made with
/// and by the other one.
struct TaskForecastRecord {
  std::uint32_t region = 0;
  LaneId lane;
  HomogeneousTimes planned, other;
};

struct PlanRecord {
  std::string scope;
  std::uint32_t instance = 0;
  Nanoseconds decision;  ///< on the clock of the host
  MoveReport moves;
  std::vector<TaskBudget> budget;  ///< of the same length as `tasks`, or empty
  std::vector<ObjectRecord> objects;
  InputScaling scaling = InputScaling::sizes;  ///< the rule that was planned by
  std::vector<TaskForecastRecord> tasks;
  double running_error = std::numeric_limits<double>::quiet_NaN();  ///< of the scope's predictions, after the instance
};

/// Plans in the order in which they were made.
class PlanLog {
 public:
  /// Programs may call LB_HM_config millions of times; the report shows the first plans.
  static constexpr std::size_t kept_plans = 2'000;

  /// The number of the record. Later plans are only counted.
  std::optional<std::size_t> add(PlanRecord record) {
    if (records_.size() == kept_plans) {
      ++left_out_;
      return std::nullopt;
    }
    records_.push_back(std::move(record));
    return records_.size() - 1;
  }
  /// A record that was kept. Null without a number.
  PlanRecord* kept(std::optional<std::size_t> number) { return number ? &records_[*number] : nullptr; }
  const std::vector<PlanRecord>& records() const { return records_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  std::vector<PlanRecord> records_;
  std::uint64_t left_out_ = 0;
};

}  // namespace lbhm::engine
