// From sampled offsets to a pattern, without help from the compiler.
// Samples of streams that run side by side come in turns, so each sample is compared with the nearest of the last few:
// where loops step through an object, that one lies behind it (or, for a loop that runs down, in front); where
// addresses come from data, it lies on either side as often.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "runtime/patterns/patterns.h"

namespace lbhm {
namespace {

/// Streams side by side that are still told apart: arrays of more streams than cores have fill buffers do not pay.
constexpr std::size_t looked_back = 8;
/// Of the steps one way: a fair coin shows that of 31 tosses in 1 case of 1,400.
constexpr double one_way = 0.8;
/// Of the distances that a common step must divide: loops begin anew now and then.
constexpr double nearly_all = 0.9;

/// From the nearest of the samples just before to sample `at`; 0 if all lie at the same place.
std::int64_t step_to(std::span<const SampledAccess> samples, std::size_t at) {
  std::int64_t nearest = 0;
  for (std::size_t back = 1; back <= std::min(at, looked_back); ++back) {
    const auto step = static_cast<std::int64_t>(samples[at].offset - samples[at - back].offset);
    if (step != 0 && (nearest == 0 || std::abs(step) < std::abs(nearest))) nearest = step;
  }
  return nearest;
}

std::size_t divisible(const std::vector<std::uint64_t>& distances, std::uint64_t by) {
  return static_cast<std::size_t>(
      std::count_if(distances.begin(), distances.end(), [&](std::uint64_t d) { return d % by == 0; }));
}

/// The largest number that divides nearly all distances, 1 if there is no other.
std::uint64_t common_step(const std::vector<std::uint64_t>& distances) {
  std::uint64_t best = 1;
  for (std::size_t i = 1; i < distances.size(); ++i) {
    const std::uint64_t step = std::gcd(distances[i - 1], distances[i]);
    if (step <= best) continue;
    if (static_cast<double>(divisible(distances, step)) >= nearly_all * static_cast<double>(distances.size()))
      best = step;
  }
  return best;
}

/// Every period-th access is sampled: where one stream alone is, its step shows that many times larger.
std::uint64_t without_period(std::uint64_t step, std::uint64_t period, std::uint64_t line) {
  return step % (period * line) == 0 ? step / period : step;
}

}  // namespace

AccessPattern classify_samples(std::span<const SampledAccess> samples, std::uint64_t period, Bytes line) {
  AccessPattern pattern{.kind = PatternKind::unknown};
  if (samples.size() < least_samples || line.value == 0) return pattern;
  std::vector<std::uint64_t> distances;
  std::size_t up = 0;
  for (std::size_t at = 1; at < samples.size(); ++at) {
    const std::int64_t step = step_to(samples, at);
    if (step == 0) continue;
    up += step > 0;
    distances.push_back(static_cast<std::uint64_t>(std::abs(step)));
  }
  const auto writes = std::count_if(samples.begin(), samples.end(), [](const auto& sample) { return sample.write; });
  pattern.write = 2 * static_cast<std::size_t>(writes) > samples.size();
  if (distances.size() < least_samples / 2) return pattern;
  const double share_up = static_cast<double>(up) / static_cast<double>(distances.size());
  if (std::max(share_up, 1 - share_up) < one_way) {
    pattern.kind = pattern.write ? PatternKind::scatter : PatternKind::gather;
    return pattern;
  }
  const std::uint64_t step = without_period(common_step(distances), std::max<std::uint64_t>(period, 1), line.value);
  pattern.kind = step > line.value ? PatternKind::strided : PatternKind::stream;
  const auto stride = static_cast<std::int64_t>(step > line.value ? step : pattern.element.value);
  pattern.stride = share_up >= 0.5 ? stride : -stride;
  return pattern;
}

}  // namespace lbhm
