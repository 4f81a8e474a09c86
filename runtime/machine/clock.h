// A clock that costs a few nanoseconds to read: OMPT callbacks stand on the hot path of every fork and join.
#pragma once

#include <cstdint>

#include "runtime/base/units.h"

namespace lbhm {

/// Time since the clock was made. On x86-64 by the time-stamp counter, compared once with CLOCK_MONOTONIC (1 ms);
/// elsewhere CLOCK_MONOTONIC itself.
class HostClock {
 public:
  HostClock();
  Nanoseconds now() const { return Nanoseconds(static_cast<double>(ticks() - start_) * nanoseconds_per_tick_); }

 private:
  static std::uint64_t ticks();

  std::uint64_t start_ = 0;
  double nanoseconds_per_tick_ = 1;
};

}  // namespace lbhm
