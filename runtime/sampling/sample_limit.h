// Keeps what sampling costs within bounds: the period grows while samples come too fast.
#pragma once

#include <cstdint>

namespace lbhm::sampling {

/// Sampling may cost a thread this share of its time. An assumption: what users do not notice.
inline constexpr double most_overhead = 0.01;

/// Samples a second of one thread that cost `most_overhead`, if one costs this much.
constexpr double most_per_second(double nanoseconds_per_sample) { return most_overhead * 1e9 / nanoseconds_per_sample; }

/// The period for the next interval, after one in which `samples` came (lost ones included) within `seconds`. Doubles
/// until at most `most` a second would have come, sixteenfold at once at most, so that one burst does not make the
/// sampler blind; halves, but not below `asked`, when the rate was far below. The gap between the two bounds keeps it
/// from swinging.
constexpr std::uint64_t next_period(std::uint64_t period, std::uint64_t asked, std::uint64_t samples, double seconds,
                                    double most) {
  if (!(seconds > 0) || !(most > 0)) return period;
  constexpr std::uint64_t longest = std::uint64_t{1} << 40;  // within what counters of 48 bits hold
  double rate = static_cast<double>(samples) / seconds;
  for (int step = 0; step < 4 && rate > most && period < longest; ++step) {
    period *= 2;
    rate /= 2;
  }
  while (rate < most / 8 && period / 2 >= asked) {
    period /= 2;
    rate *= 2;
  }
  return period;
}

}  // namespace lbhm::sampling
