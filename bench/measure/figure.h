// A measured number: the median of several repetitions, and how far they lay apart.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

namespace measure {

struct Figure {
  double value = 0;   ///< the median
  double spread = 0;  ///< (largest - smallest) / median
};

constexpr int repetitions = 5;

/// The median of what `measurement` returns; nothing if that is no positive number, because it could not be measured.
template <class Measurement>
std::optional<Figure> repeated(const Measurement& measurement, int times = repetitions) {
  std::vector<double> values;
  for (int i = 0; i < times; ++i) values.push_back(measurement());
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value) && value > 0; })) return {};
  std::ranges::sort(values);
  const double median = values[values.size() / 2];
  return Figure{median, (values.back() - values.front()) / median};
}

/// Seconds of processor time that `work` takes on this thread: what else runs here then counts little.
template <class Work>
double seconds_of(const Work& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// Seconds that pass while `work` runs, for what several threads do together.
template <class Work>
double elapsed_seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace measure
