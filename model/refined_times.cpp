// Homogeneous times refined by the instances that ran since the base instance. Deriving a fast-only time from a run in
// slow memory is a guess: what queues there, and what fast memory hides, is not in the counts. An instance of which
// most accesses went to fast memory hardly needs that guess (docs/model.md).
#include <algorithm>
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

/// Times repeat to so much. Assumption, as of AlphaRefinement.
constexpr double repeatability = 0.02;

/// One of the two times, with what makes it uncertain: all logarithms.
struct Estimate {
  double time, scale, change;
};

Estimate slow_of(const SeenTimes& seen) {
  return {std::log(seen.times.slow_only.value), std::log(model::factor(seen.scale.slow)), seen.slow_change};
}

Estimate fast_of(const SeenTimes& seen) {
  return {std::log(seen.times.fast_only.value), std::log(model::factor(seen.scale.fast)), seen.fast_change};
}

bool usable(const SeenTimes& seen) {
  return seen.times.slow_only.value > 0 && seen.times.fast_only.value > 0 && std::isfinite(seen.slow_change) &&
         std::isfinite(seen.fast_change);
}

/// Weighted mean of the estimates, as they are expected at the scale `now`.
class Mean {
 public:
  explicit Mean(double scale) : now(std::log(model::factor(scale))) {}
  void add(const Estimate& seen) {
    const double grown = now - seen.scale;
    const double weight = 1 / (seen.change * seen.change + grown * grown + repeatability * repeatability);
    weights += weight;
    sum += weight * (seen.time + grown);
  }
  Nanoseconds time() const { return Nanoseconds(model::amount(std::exp(sum / weights))); }

 private:
  double now, weights = 0, sum = 0;
};

}  // namespace

SeenTimes seen_times(Nanoseconds measured, const HomogeneousTimes& derived, const InputScale& scale) {
  return {.times = derived,
          .scale = scale,
          .slow_change = std::log(derived.slow_only / measured),
          .fast_change = std::log(derived.fast_only / measured)};
}

HomogeneousTimes refined(const SeenTimes& base, std::span<const SeenTimes> later, const InputScale& now) {
  const HomogeneousTimes unrefined = scaled(base.times, now);
  if (!usable(base) || std::ranges::none_of(later, usable)) return unrefined;
  Mean slow(now.slow), fast(now.fast);
  slow.add(slow_of(base));
  fast.add(fast_of(base));
  for (const SeenTimes& seen : later) {
    if (!usable(seen)) continue;
    slow.add(slow_of(seen));
    fast.add(fast_of(seen));
  }
  HomogeneousTimes times{slow.time(), fast.time(), unrefined.bandwidth_bound};
  // The two means have different weights; noise must not turn the memories round.
  if (unrefined.fast_only <= unrefined.slow_only) times.fast_only = std::min(times.fast_only, times.slow_only);
  return times;
}

}  // namespace lbhm
