// A clock that runs now faster, now slower, so that two durations in a row have another ratio than they really have.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "libomp-ext/virtual/clock/virtual_clock.h"

namespace lbhm::clock {

/// What it shows when `elapsed` has passed since it stood at 0. A chain of waves, each on what the last one made of the
/// time (their rates are multiplied): whatever a program measures, from microseconds to minutes, one of the waves is
/// about as long. It never goes back, and shows the same in every run. Where one variant is fast another one is slow.
/// 0: a clock that runs evenly.
inline Time bent(Time elapsed, std::uint64_t variant) {
  if (variant == 0) return elapsed;
  constexpr double shortest = 1e4;  // ns
  constexpr double longer = 16;
  constexpr int waves = 6;
  constexpr double strength = 0.8;  // the rate of each is 0.2 to 1.8
  auto time = static_cast<double>(elapsed);
  double period = shortest;
  for (int wave = 0; wave < waves; ++wave, period *= longer) {
    const double angular = 2 * std::numbers::pi / period;
    const double phase = static_cast<double>(variant) * (wave + 1);  // no multiple of a turn
    time += strength / angular * (std::cos(phase) - std::cos(angular * time + phase));
  }
  return std::llround(time);
}

}  // namespace lbhm::clock
