#include "runtime/placement/heat/sparse_samples.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lbhm::placement {
namespace {

/// Predictions are right when a phase was seen so many times at least, and its last instance missed them by no more
/// than this part of its time.
constexpr std::uint32_t least_instances = 3;
constexpr double tolerated_miss = 0.1;

/// What is spent on samples behind the base instance at most, of a task's time: a tenth of what predictions are off. An
/// assumption: less than what better placement gains then.
constexpr double sampling_share = 0.1, least_error = 0.01;

/// `rate`: accesses a nanosecond.
AccessCount period_for(double rate, double error, AccessCount own) {
  return std::max(own, AccessCount(std::ceil(rate * sample_cost.value / (sampling_share * error))));
}
AccessCount period_for(const PhaseView& phase, double error) {
  return period_for(phase.history.access_rate, error, phase.sample_period);
}

}  // namespace

bool answers_faster(const Topology& machine) {
  return machine.tiers.front().latency_random < machine.tiers.back().latency_random;
}

bool settled(const PhaseHistory& history) {
  return history.instances >= least_instances && history.last_error && *history.last_error <= tolerated_miss &&
         history.prediction_error <= trusted_error;
}

AccessCount sparse_period(const PhaseView& phase) {
  const PhaseHistory& history = phase.history;
  if (settled(history)) return AccessCount(0);
  // Without a profile, or without a plan where pages move all the same, samples are all that there is.
  if (!history.profiled ||
      (phase.intervals && answers_faster(phase.machine) && history.prediction_error > trusted_error))
    return phase.sample_period;
  return period_for(phase, std::max(history.prediction_error, least_error));
}

AccessCount watching_period(const PhaseView& phase) { return period_for(phase, trusted_error); }

AccessCount watching_period(std::span<const AccessSample> samples, Nanoseconds time, AccessCount period,
                            AccessCount own, double share) {
  std::map<LaneId, std::uint64_t> by_lane;
  std::uint64_t busiest = 0;
  for (const AccessSample& sample : samples) busiest = std::max(busiest, ++by_lane[sample.lane]);
  const double rate = static_cast<double>(busiest) * period.value / time.value;
  return std::max(own, AccessCount(std::ceil(rate * sample_cost.value / share)));
}

}  // namespace lbhm::placement
