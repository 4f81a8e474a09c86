// A measured number: the best of several repetitions, or their median, and how far they lay apart.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

namespace measure {

struct Figure {
  double value = 0;
  double spread = 0;  ///< (largest - smallest) / median
};

constexpr int repetitions = 5;

/// What other programs, and neighbours of a virtual machine, do to a measured number.
enum class Noise {
  adds,   ///< a time: it only gets longer, so the smallest is the truest
  takes,  ///< a rate: it only gets lower, so the largest is
  both,   ///< a difference or a ratio of two: the median
};

/// The truest value that `measurement` returns; nothing if one is no positive number, because it could not be measured.
template <class Measurement>
std::optional<Figure> repeated(const Measurement& measurement, Noise noise, int times = repetitions) {
  std::vector<double> values;
  for (int i = 0; i < times; ++i) values.push_back(measurement());
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value) && value > 0; })) return {};
  std::ranges::sort(values);
  const double median = values[values.size() / 2];
  const double value = noise == Noise::adds ? values.front() : noise == Noise::takes ? values.back() : median;
  return Figure{value, (values.back() - values.front()) / median};
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
