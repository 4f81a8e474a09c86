// Predicted times against measured ones, and what the difference is made of.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/model.h"
#include "runtime/base/values.h"
#include "runtime/machine/machine.h"
#include "runtime/phases/region_record.h"

namespace lbhm {

struct RegionKnowledge;

/// What the tasks of a region were expected to take. By lane.
struct PlannedRegion {
  std::vector<TaskTimes> tasks;
  std::vector<std::vector<TaskTimes>> middle;  ///< MiddleTier::times of these tasks
  std::vector<TaskBudget> budget;
  double executions = 1;  ///< of the region that these times are of
};

/// The errors of the tasks of a region instance. With P(r, H) for Eq. 2 at the share r of fast accesses and the
/// homogeneous times H, of which r^ and H^ were planned, and T the measured time:
///
///   ln(P(r^, H^) / T) = ln(P(r^, H^) / P(r, H^)) + ln(P(r, H^) / P(r, H)) + ln(P(r, H) / T)
///                       counts                     homogeneous              correlation
///
/// counts: accesses elsewhere than expected, pages that did not move. r is counted by the machine; where it counts
/// none, r is r^. homogeneous: H is derived from `measured`, this instance's own times, events and samples, as H^ was
/// from the base instance's. correlation: the rest. `measured` and `tasks` are by lane.
std::vector<PredictionError> explain(const PlannedRegion& planned, const RegionKnowledge& known,
                                     const PhaseProfile& measured, std::span<const TaskRecord> tasks,
                                     const Topology& topology);

/// The same predictions, as a few short tasks do not decide: the median of |predicted / measured - 1|, and the sum of
/// |predicted - measured| over the sum of what was measured. Of any number of tasks in the same memory.
class ErrorSpread {
 public:
  /// As RunningError::add.
  void add(Nanoseconds predicted, Nanoseconds measured);
  /// To 0.5 % of itself. NaN before anything was predicted.
  double median() const;
  double time_weighted() const {
    return measured_ > 0 ? missed_ / measured_ : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  /// Errors from `least` on, each bin 1 % wider than the one before; the first and the last take what lies beyond.
  static constexpr double least = 1e-5, width = 1.01;
  static constexpr std::size_t bins = 2'800;  ///< up to 1e7
  std::array<std::uint32_t, bins> tasks_in_{};
  std::uint64_t tasks_ = 0;
  double missed_ = 0, measured_ = 0;
};

/// Of a whole run.
struct PredictionTotals {
  RunningError error;
  ErrorSpread spread;
  std::uint64_t explained = 0;  ///< task instances that the parts are known of
  PredictionError absolute{0, 0, 0};

  /// Parts that are not known are left out.
  void add(const TaskRecord& task);
  /// Mean absolute parts; NaN if there are none.
  PredictionError mean() const;
};

}  // namespace lbhm
