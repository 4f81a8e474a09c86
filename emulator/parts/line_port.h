// How fast a cache level hands over lines: one after the other.
//
// Latencies overlap, but a level can start only one line every so many cycles; lines that are asked for faster than
// that queue up. Intel 64 and IA-32 Optimization Reference Manual, "Skylake Server Microarchitecture Cache
// Recommendations", gives the rates as sustained bytes a cycle.
#pragma once

#include <algorithm>

#include "emulator/base/time.h"

namespace lbhm::emulator {

class LinePort {
 public:
  /// `interval` between two lines; 0: as many as anybody wants.
  explicit LinePort(Picoseconds interval) : interval_(interval) {}

  /// A line is asked for. Returns when its turn comes: `now`, or after the lines before it.
  Picoseconds take(Picoseconds now) {
    const Picoseconds start = std::max(now, free_at_);
    free_at_ = start + interval_;
    return start;
  }

 private:
  Picoseconds interval_;
  Picoseconds free_at_ = 0;
};

}  // namespace lbhm::emulator
