// Times and amounts of policies that were published for memories of another size.
//
// Policies were published for hundreds of gigabytes and minutes; programs here have megabytes and milliseconds. A
// policy goes through the memory at some rate (pages scanned, samples taken, bytes moved a second), so what it takes to
// go through all of it grows with the memory. Times and amounts are therefore scaled alike, by the footprint, and rates
// (bytes a second) stay as published.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/base/units.h"

namespace lbhm::placement {

/// How often a daemon looks whether it has something to do. The footprint, and with it every scaled time, is not known
/// when Policy::needs() is asked; so a policy asks for this interval and keeps its own time. Shorter than the
/// quantum of the presets (100,000 cycles): it runs at the end of every quantum.
inline constexpr Nanoseconds daemon_interval{20'000};

/// Assumption: what policies were published for without saying for how much memory. Merchandiser, Table 2: SpGEMM.
inline constexpr Bytes usual_published_footprint{429'300'000'000};

/// A published time, for a memory of `footprint` instead of `published_footprint` bytes (not 0).
inline Nanoseconds scaled(Nanoseconds published, Bytes published_footprint, Bytes footprint) {
  return published * (footprint / published_footprint);
}

/// A published amount, likewise; a page at least.
inline Bytes scaled(Bytes published, Bytes published_footprint, Bytes footprint, Bytes page) {
  const double bytes = static_cast<double>(published.value) * (footprint / published_footprint);
  return std::max(page, Bytes(static_cast<std::uint64_t>(std::llround(bytes))));
}

/// When a daemon is to do something next, on the clock of the machine.
class Alarm {
 public:
  bool rings(Nanoseconds now) const { return now >= next_; }
  void set(Nanoseconds next) { next_ = next; }

 private:
  Nanoseconds next_;
};

}  // namespace lbhm::placement
