// Refinement of alpha over task instances: section 4 of the paper, "Runtime refinement of alpha".
//
// Homogeneous times refined by the instances that ran since the base instance. Deriving a fast-only time from a run in
// slow memory is a guess: what queues there, and what fast memory hides, is not in the counts. An instance of which
// most accesses went to fast memory hardly needs that guess (docs/model.md).
#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "model/block_laws.h"
#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

/// Older instances have next to no weight.
constexpr std::size_t kept = 16;
/// An instance counts half as much as the next one: what changes with the input, the last inputs tell best. Assumption.
constexpr double recency = 0.5;
/// Counts of one task on one size repeat to 2 %, caches and neighbours being what they are. Assumption.
constexpr double repeatability = 0.02;
/// A count of 0 from samples means "less than one sample": so much of one. Without samples, of an access.
constexpr double less_than_one = 0.5;

/// Times repeat to so much. Assumption, as of AlphaRefinement.
constexpr double time_repeatability = 0.02;

/// By how much (f - 1) / r of a model is wrong on code that it was not trained on: of the shipped one of optane, which
/// is right for most code and wrong by several times this for some.
constexpr double model_error = 0.25;
/// At the ends f plays no part, so times tell nothing of it.
constexpr double least_share = 0.1, most_share = 0.95;

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
    const double weight = 1 / (seen.change * seen.change + grown * grown + time_repeatability * time_repeatability);
    weights += weight;
    sum += weight * (seen.time + grown);
  }
  Nanoseconds time() const { return Nanoseconds(model::amount(std::exp(sum / weights))); }
  double variance() const { return 1 / weights; }

 private:
  double now, weights = 0, sum = 0;
};

/// Both times, of all instances that can be used.
struct Means {
  Mean slow, fast;

  Means(const SeenTimes& base, std::span<const SeenTimes> later, const InputScale& now)
      : slow(now.slow), fast(now.fast) {
    add(base);
    for (const SeenTimes& seen : later) {
      if (usable(seen)) add(seen);
    }
  }

 private:
  void add(const SeenTimes& seen) {
    slow.add(slow_of(seen));
    fast.add(fast_of(seen));
  }
};

}  // namespace

void AlphaRefinement::observe(Bytes size, AccessCount counted, AccessCount a_sample) {
  if (size.value == 0 || !std::isfinite(counted.value) || counted.value < 0 || std::isnan(a_sample.value)) return;
  const double of_one = std::max(a_sample.value, 0.0);
  const double samples = of_one > 0 ? counted.value / of_one : std::numeric_limits<double>::infinity();
  const double count = std::clamp(counted.value, less_than_one * std::max(of_one, 1.0), model::largest);
  const double variance = repeatability * repeatability + 1 / std::max(samples, less_than_one);
  observations_.push_back({std::log(static_cast<double>(size.value)), std::log(count), variance});
  if (observations_.size() > kept) observations_.erase(observations_.begin());
  ++seen_;
  if (!base_ && counted.value > 0) base_ = std::log(count);
}

double AlphaRefinement::log_expected(double log_size) const {
  // Instances of similar size count more, by the inverse square of the ratio of sizes, because caches bend the power
  // law; the nearest one counts in full. Assumption.
  const auto distance = [&](const Observation& seen) { return std::abs(seen.log_size - log_size); };
  const double nearest = std::ranges::min(observations_ | std::views::transform(distance));
  std::vector<model::LogPoint> points;
  double weight = 1;
  for (auto it = observations_.rbegin(); it != observations_.rend(); ++it, weight *= recency) {
    const double similarity = std::exp(-2 * (distance(*it) - nearest));
    points.push_back({it->log_size, it->log_count, weight * similarity / it->variance});
  }
  return model::fit_power_law(points).log_at(log_size);
}

double AlphaRefinement::alpha(Bytes base, Bytes now) const {
  if (!base_ || base.value == 0 || now.value == 0) return 1;
  // Eq. 1 solved for alpha.
  const double growth = std::exp(log_expected(std::log(static_cast<double>(now.value))) - *base_);
  return model::factor(now / base / growth);
}

AccessCount AlphaRefinement::expected(Bytes now) const {
  if (seen_ == 0 || now.value == 0) return AccessCount(0);
  return AccessCount(model::amount(std::exp(log_expected(std::log(static_cast<double>(now.value))))));
}

SeenTimes seen_times(Nanoseconds measured, const HomogeneousTimes& derived, const InputScale& scale) {
  return {.times = derived,
          .scale = scale,
          .slow_change = std::log(derived.slow_only / measured),
          .fast_change = std::log(derived.fast_only / measured)};
}

HomogeneousTimes refined(const SeenTimes& base, std::span<const SeenTimes> later, const InputScale& now) {
  const HomogeneousTimes unrefined = scaled(base.times, now);
  if (!usable(base) || std::ranges::none_of(later, usable)) return unrefined;
  const Means means(base, later, now);
  HomogeneousTimes times{means.slow.time(), means.fast.time(), unrefined.bandwidth_bound};
  // The two means have different weights; noise must not turn the memories round.
  if (unrefined.fast_only <= unrefined.slow_only) times.fast_only = std::min(times.fast_only, times.slow_only);
  return times;
}

namespace {

/// f between the points of a curve, linear.
double at_share(std::span<const double, TaskTimes::points> f, double r) {
  const double position = r * (TaskTimes::points - 1);
  const auto left = std::min(static_cast<std::size_t>(position), TaskTimes::points - 2);
  const double weight = position - static_cast<double>(left);
  return f[left] * (1 - weight) + f[left + 1] * weight;
}

}  // namespace

Shift shown_shift(const SeenTimes& base, std::span<const SeenTimes> later, const CorrelationFeatures& features,
                  const Correlation& f) {
  if (!usable(base)) return {};
  const HomogeneousTimes times = refined(base, later, {});
  const Means means(base, later, {});
  std::array<double, TaskTimes::points> curve;
  f.evaluate(features, times, curve);
  const double before = 1 / (model_error * model_error);
  double weights = before, sum = 0;
  for (const SeenTimes& seen : later) {
    const double r = seen.share;
    if (!usable(seen) || !(r >= least_share && r <= most_share)) continue;
    const double in_slow = (1 - r) * times.slow_only.value * model::factor(seen.scale.slow);
    const double in_fast = r * times.fast_only.value * model::factor(seen.scale.fast);
    const double measured = seen.times.slow_only.value * std::exp(-seen.slow_change);
    const double shown = (measured - in_fast) / in_slow;
    const double variance = std::pow(time_repeatability * measured / in_slow, 2) +
                            means.fast.variance() * std::pow(in_fast / in_slow, 2) +
                            means.slow.variance() * shown * shown;
    const double weight = r * r / variance;
    if (!std::isfinite(weight) || !std::isfinite(shown)) continue;
    weights += weight;
    sum += weight * (shown - at_share(curve, r)) / r;
  }
  return {.slope = sum / weights, .seen = 1 - before / weights};
}

}  // namespace lbhm
