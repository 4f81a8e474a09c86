// How dense samples are, for they cost the program time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "runtime/base/values.h"

namespace lbhm::placement {

/// Samples are as dense as the machine takes them until there are some for each page, and few from then on.
class SampleThrift {
 public:
  /// What a sample costs: S. Akiyama, T. Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead for Online
  /// System-Noise Analysis", ROSS 2017: 200 to 300 ns.
  static constexpr Nanoseconds sample_cost{250};

  /// These samples, one of `period` accesses, were taken in `elapsed`. `pages`: of the footprint. `turn`: rates are
  /// means of a few of them. Nothing: the period is not to change.
  std::optional<AccessCount> next_period(std::span<const AccessSample> samples, AccessCount period, Nanoseconds elapsed,
                                         Nanoseconds turn, std::uint64_t pages);

 private:
  /// Of the busiest lane's time that samples may cost, until there are `a_page` for each page and from then on; turns
  /// that rates are means of; a change of the period that is worth making. Assumptions.
  static constexpr double first_share = 0.015, share = 0.005, a_page = 4, turns = 4, change = 1.5;

  std::map<LaneId, double> rates_;     ///< accesses a nanosecond
  double own_period_ = 0, taken_ = 0;  ///< the machine's; samples so far
};

}  // namespace lbhm::placement
