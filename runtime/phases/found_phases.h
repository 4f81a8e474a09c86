// Phases that the program does not name: from one begin of a region that comes again and again to another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm {

/// Told of every region that begins, finds those with which a phase begins. Programs repeat a sequence of regions, an
/// iteration, and sequences within it. The anchor is a region whose begins are far enough apart for a phase, and not
/// much farther; where all iterations are too short, a phase is several of them. Not thread-safe.
class FoundPhases {
 public:
  /// A region of this number begins at `now`. True: so does a phase, `least` or more after the one before.
  bool begins(std::uint32_t region, Nanoseconds now, Nanoseconds least);
  /// Regions that came more than once: an iteration has no more.
  std::uint32_t recurring() const { return recurring_; }

 private:
  struct Seen {
    std::uint64_t times = 0;
    Nanoseconds first{}, last{};  ///< when it began
    Nanoseconds interval() const { return (last - first) / static_cast<double>(times - 1); }
  };
  bool suits_better(const Seen& region, Nanoseconds now, Nanoseconds least) const;

  std::vector<Seen> seen_;  ///< by number of the region
  std::uint32_t recurring_ = 0;
  std::optional<std::uint32_t> anchor_;
  std::optional<Nanoseconds> begun_;  ///< when the last phase did
};

}  // namespace lbhm
