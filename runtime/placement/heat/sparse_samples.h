// How many samples lbhm takes, for they cost the program time; and when predictions are right, so that none is needed.
#pragma once

#include <span>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Prediction error above which predictions are not worth a plan. An assumption; predictions of new inputs are off by
/// less on SpGEMM, PIC and BFS, and by more on DMRG and tensor (docs/results.md).
inline constexpr double trusted_error = 0.3;

/// Fast memory is there sooner for who asks alone. Else it only has the higher bandwidth.
bool answers_faster(const Topology& machine);

/// A sample costs about this much: S. Akiyama, T. Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead for Online
/// System-Noise Analysis", ROSS 2017: 200 to 300 ns.
inline constexpr Nanoseconds sample_cost{250};

/// Predictions of the phase are right.
bool settled(const PhaseHistory& history);

/// One of so many accesses is sampled: none (0) once predictions are right, few while they are nearly so.
AccessCount sparse_period(const PhaseView& phase);
/// The same where nothing is predicted: as for predictions that are just worth a plan.
AccessCount watching_period(const PhaseView& phase);
/// Of a task's time it is what samples may cost then: a tenth of that error.
inline constexpr double watching_share = 0.1 * trusted_error;
/// So that samples cost `share` of the time of the busiest lane: by what it did in the time in which these samples were
/// taken, one of `period` accesses. No shorter than `own`, the machine's.
AccessCount watching_period(std::span<const AccessSample> samples, Nanoseconds time, AccessCount period,
                            AccessCount own, double share);

/// Where nothing is planned: samples are dense until there are some for each page, and then so few that they hardly
/// cost anything. A region that runs for long as the base instance, or alone, needs no more to tell hot pages.
class SampleThrift {
 public:
  /// Of the time of the busiest lane; and samples that are enough, for each page of the footprint. Assumptions: a few
  /// samples tell hot pages from cold ones, and half a percent is less than moves gain.
  static constexpr double share = 0.005, a_page = 4;
  /// Dense ones from here on.
  void begin() { seen_ = 0; }
  /// So many more were taken.
  bool enough(std::size_t samples, Machine& machine) {
    seen_ += static_cast<double>(samples);
    return seen_ > a_page * (machine.peak_footprint() / machine.topology().page);
  }
  /// A change of the period that is worth making.
  static bool differ(AccessCount period, AccessCount now) { return period > 1.5 * now || now > 1.5 * period; }

 private:
  double seen_ = 0;
};

}  // namespace lbhm::placement
