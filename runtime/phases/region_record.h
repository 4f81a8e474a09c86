// What is told of a region instance that has ended.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm {

/// ln(predicted / measured) of a task, in three parts that add up to it; NaN where they are not known (prediction.h).
struct PredictionError {
  double counts = std::numeric_limits<double>::quiet_NaN();
  double homogeneous = std::numeric_limits<double>::quiet_NaN();
  double correlation = std::numeric_limits<double>::quiet_NaN();

  double total() const { return counts + homogeneous + correlation; }
  bool known() const { return std::isfinite(total()); }
};

struct TaskRecord {
  LaneId lane;         ///< its number among the region's tasks: the lane's, unless the program named some
  std::string name{};  ///< what the program called it (lbhm_task), or its construct; empty: the lane
  Nanoseconds time;    ///< at work; waiting at barriers excluded
  Nanoseconds predicted{std::numeric_limits<double>::quiet_NaN()};
  AccessCount accesses;
  AccessCount fast_accesses;
  std::vector<AccessCount> middle_accesses{};  ///< in the tiers between the fastest and the slowest
  PredictionError error{};
  Bytes fast_bytes;                                               ///< of its budget
  double prefetches = -1;                                         ///< negative: not counted
  double useless_prefetches = -1;                                 ///< lines that nobody wanted
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blocks{};  ///< counter, executions; only with LBHM_BLOCKS=on
};

struct RegionRecord {
  std::uint32_t region = 0;    ///< number in the RegionIndex
  std::uint32_t instance = 0;  ///< 0 is the base instance
  Nanoseconds begin{};         ///< on the machine's clock
  Nanoseconds time;
  std::vector<TaskRecord> tasks;
  double running_error = std::numeric_limits<double>::quiet_NaN();  ///< of the region's predictions so far
};

}  // namespace lbhm
