// Refinement of alpha over task instances: section 4 of the paper, "Runtime refinement of alpha".
#include <algorithm>
#include <cmath>
#include <ranges>

#include "model/bounded.h"
#include "model/model.h"
#include "model/power_law.h"

namespace lbhm {
namespace {

/// Older instances have next to no weight.
constexpr std::size_t kept = 16;
/// An instance counts half as much as the next one: what changes with the input, the last inputs tell best. Assumption.
constexpr double recency = 0.5;
/// Counts of one task on one size repeat to 2 %, caches and neighbours being what they are. Assumption.
constexpr double repeatability = 0.02;
/// A count of 0 from samples means "less than one sample".
constexpr double less_than_one = 0.5;

}  // namespace

void AlphaRefinement::observe(Bytes size, AccessCount counted, double samples) {
  if (size.value == 0 || !std::isfinite(counted.value) || counted.value < 0 || std::isnan(samples)) return;
  const double count = std::clamp(counted.value, less_than_one, model::largest);
  const double variance = repeatability * repeatability + 1 / std::max(samples, less_than_one);
  observations_.push_back({std::log(static_cast<double>(size.value)), std::log(count), variance});
  if (observations_.size() > kept) observations_.erase(observations_.begin());
  if (seen_++ == 0) base_ = std::log(count);
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
  if (seen_ == 0 || base.value == 0 || now.value == 0) return 1;
  // Eq. 1 solved for alpha, with the count of the base instance as the profiled one.
  const double growth = std::exp(log_expected(std::log(static_cast<double>(now.value))) - base_);
  return model::factor(now / base / growth);
}

AccessCount AlphaRefinement::expected(Bytes now) const {
  if (seen_ == 0 || now.value == 0) return AccessCount(0);
  return AccessCount(model::amount(std::exp(log_expected(std::log(static_cast<double>(now.value))))));
}

}  // namespace lbhm
