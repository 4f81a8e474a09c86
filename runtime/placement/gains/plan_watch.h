// Whether a plan brings what it should.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/placement/gains/gain_watch.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Of all accesses of the tasks, those that the budget has in fast memory.
inline double expected_share(const PhaseForecast& phase, const Budget& budget) {
  double fast = 0, all = 0;
  for (std::size_t task = 0; task < std::min(phase.tasks.size(), budget.tasks.size()); ++task) {
    fast += budget.tasks[task].fast_share * phase.tasks[task].accesses.total.value;
    all += phase.tasks[task].accesses.total.value;
  }
  return all > 0 ? fast / all : 0;
}

class PlanWatch {
 public:
  /// A plan falls behind when so much less of the sampled accesses is served by fast memory than it expects, beyond
  /// twice the error of the sample, of so many samples at least. Assumptions: what a tenth of the accesses gains is
  /// about what the copies of a correction cost.
  static constexpr double tolerated_shortfall = 0.1, least_seen = 60;

  /// Such a share of the accesses is to be in fast memory; 0: nothing is expected.
  void expect(double share) { expected_ = share; }
  /// The samples so far say nothing: a phase begins, or pages of the plan are still to come.
  void forget() { seen_ = {}; }
  /// The samples of a wake-up show that it does.
  bool falls_behind(std::span<const AccessSample> samples) {
    seen_.fade(0.5);
    seen_.add(samples);
    if (seen_.all < least_seen) return false;
    const double error = std::sqrt(expected_ * (1 - expected_) / seen_.all);
    return seen_.value() < expected_ - tolerated_shortfall - 2 * error;
  }

 private:
  double expected_ = 0;
  FastShare seen_;
};

}  // namespace lbhm::placement
