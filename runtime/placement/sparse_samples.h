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

/// Predictions of the phase are right.
bool settled(const PhaseHistory& history);

/// One of so many accesses is sampled: none (0) once predictions are right, few while they are nearly so.
AccessCount sparse_period(const PhaseView& phase);
/// The same where nothing is predicted: as for predictions that are just worth a plan.
AccessCount watching_period(const PhaseView& phase);
/// The same where there are no phases: by what the busiest lane did in the time in which these samples were taken, one
/// of `period` accesses. No shorter than `own`, the machine's.
AccessCount watching_period(std::span<const AccessSample> samples, Nanoseconds time, AccessCount period,
                            AccessCount own);

}  // namespace lbhm::placement
