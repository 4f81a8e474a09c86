// How many samples a thread may handle: MEMTIS raises the sampling period when its sampling thread needs more than its
// share of a processor, and lowers it when it needs less (Lee et al., SOSP '23, section 4.1.1).
#pragma once

#include <array>
#include <cstddef>

#include "runtime/base/units.h"

namespace lbhm::placement {

/// The machine's own period is fixed, so that a longer one is had by leaving samples out.
class SampleBudget {
 public:
  static constexpr double quota = 0.030;  ///< ksampled_soft_cpu_quota, of one processor
  static constexpr double slack = 0.005;  ///< no change within it (htmm_sampler.c)
  /// What one sample takes: a walk through the page table and two or three other misses. Assumption.
  static constexpr Nanoseconds per_sample{1000};
  /// pebs_period_list of htmm.h; a step at a time.
  static constexpr std::array periods{199.,  293.,  401.,  499.,  599.,   701.,   797.,   907.,   997.,   1201.,
                                      1399., 1601., 1801., 1999., 2503.,  3001.,  3499.,  4001.,  4507.,  4999.,
                                      6007., 7001., 7993., 9001., 10007., 12007., 13999., 16001., 17989., 19997.};

  /// The share of the machine's samples that is used.
  double share() const { return periods.front() / periods[step_]; }

  /// Is this sample one of those?
  bool admit() {
    credit_ += share();
    if (credit_ < 1) return false;
    credit_ -= 1;
    ++admitted_;
    return true;
  }

  /// Looks at what the thread did in `elapsed` and goes one step. `quota_factor` times the quota is allowed.
  void adjust(Nanoseconds elapsed, double quota_factor = 1) {
    const double used = static_cast<double>(admitted_) * (per_sample / elapsed) / quota_factor;
    if (used > quota + slack && step_ + 1 < periods.size()) ++step_;
    if (used < quota - slack && step_ > 0) --step_;
    admitted_ = 0;
  }

 private:
  std::size_t step_ = 0;
  double credit_ = 0;
  std::size_t admitted_ = 0;
};

}  // namespace lbhm::placement
