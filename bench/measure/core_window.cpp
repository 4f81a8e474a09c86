#include <algorithm>
#include <limits>
#include <vector>

#include "bench/measure/measured_core.h"

namespace measure {
namespace {

constexpr std::size_t points = 129;
constexpr std::size_t tries = 3;  // the fastest counts: whatever disturbs a try makes it slower
constexpr std::uint64_t pairs = 2000;

/// Seconds of a pair of loads with `fillers` behind each.
double seconds_of_a_pair(const Line* first, const Line* second, Bytes filler, std::size_t fillers) {
  Code code;
  code.append(op::follow_rdi);
  code.append(filler, fillers);
  code.append(op::follow_rsi);
  code.append(filler, fillers);
  return code.run(first, second, pairs) / static_cast<double>(pairs);
}

/// Where the times go up from one latency a pair (both overlap) to two: the point with the fewest slow points before it
/// and fast ones behind it, for single points are disturbed. 0 if they do not go up.
std::size_t rise(const std::vector<double>& seconds) {
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  const double together = sorted[points / 10];
  const double apart = sorted[points - 1 - points / 10];
  if (apart < 1.4 * together) return 0;
  const double middle = (together + apart) / 2;
  std::size_t wrong = static_cast<std::size_t>(std::ranges::count_if(seconds, [&](double s) { return s < middle; }));
  std::size_t fewest = wrong;
  std::size_t at = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    wrong = seconds[i] < middle ? wrong - 1 : wrong + 1;
    if (wrong < fewest) {
      fewest = wrong;
      at = i;
    }
  }
  return at;
}

}  // namespace

double window(std::span<const Line> lines, Bytes filler, std::size_t most) {
  // Every try walks other lines, far from those of the tries before, so that none of them is in a cache.
  const std::size_t step = most / (points - 1);
  const std::size_t stride = lines.size() / (2 * points * tries);
  const Line* start = lines.data();
  std::vector<double> seconds(points, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < points * tries; ++i, start += 2 * stride) {
    double& least = seconds[i % points];
    least = std::min(least, seconds_of_a_pair(start, start + stride, filler, i % points * step));
  }
  return static_cast<double>(rise(seconds) * step);
}

}  // namespace measure
