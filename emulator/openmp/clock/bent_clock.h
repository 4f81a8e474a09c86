// A clock that runs now faster, now slower, so that two durations in a row have another ratio than they really have.
#pragma once

#include <cmath>
#include <numbers>

#include "emulator/openmp/clock/virtual_clock.h"

namespace lbhm::clock {

/// What it shows when `elapsed` has passed since it stood at 0. A chain of waves, each on what the last one made of the
/// time (their rates are multiplied): whatever a program measures, from microseconds to minutes, one of the waves is
/// about as long. It never goes back, and shows the same in every run.
inline Time bent(Time elapsed) {
  constexpr double shortest = 1e4;  // ns
  constexpr double longer = 16;
  constexpr int waves = 6;
  constexpr double strength = 0.5;  // the rate of each is 0.5 to 1.5
  auto time = static_cast<double>(elapsed);
  double period = shortest;
  for (int wave = 0; wave < waves; ++wave, period *= longer) {
    const double angular = 2 * std::numbers::pi / period;
    time += strength / angular * (1 - std::cos(angular * time));
  }
  return std::llround(time);
}

}  // namespace lbhm::clock
