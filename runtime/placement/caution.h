// How moves without a plan begin: not while a plan is near, and few pages at first. The samples that such moves rest on
// tell what was used so far. A task that streams through its pages uses others next, so that each exchange may take
// away what is needed; and what a base instance teaches is worse where pages move in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/base/values.h"
#include "runtime/placement/gain_watch.h"
#include "runtime/placement/ghost_scans.h"

namespace lbhm::placement {

class Caution {
 public:
  /// Wake-ups for which nothing moves while a plan is near. An assumption.
  static constexpr std::uint64_t patience = 16;
  /// But where fast memory serves less than this part of what it would serve by chance, there is nothing to lose.
  /// Assumption.
  static constexpr double fair_part = 0.75;
  /// As in TCP's slow start (Jacobson, "Congestion Avoidance and Control", SIGCOMM '88): so much of fast memory is
  /// exchanged the first time, twice as much the next time if what moved so far brings something, half as much if it
  /// does harm. Assumptions.
  static constexpr double first_part = 1.0 / 16, least_part = 1.0 / 64;

  /// A phase begins. A plan is near in the base instance of a phase, and if the objects are those of the last one.
  void phase_begins(bool plan_is_near) { near_ = plan_is_near; }
  void planned() { waited_ = 0; }
  /// The samples of a wake-up without a plan. `fast_part`: of the footprint, that fast memory has room for. True:
  /// nothing moves yet.
  bool waits(std::span<const AccessSample> samples, double fast_part) {
    share_.fade(GhostScans::forgotten);
    share_.add(samples);
    return near_ && ++waited_ < patience && share_.value() >= fair_part * fast_part;
  }
  /// A plan is near: whatever would rule it out is to wait, too.
  bool patient() const { return near_ && waited_ < patience; }
  /// So many pages may come now. `capacity`: of fast memory, in pages.
  std::uint64_t most_pages(const GainWatch& moved, std::uint64_t capacity) {
    if (moved.gain() > 2 * moved.error()) part_ = std::min(1.0, 2 * part_);
    if (moved.gain() < 0) part_ = std::max(least_part, part_ / 2);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part_ * static_cast<double>(capacity)));
  }

 private:
  bool near_ = false;
  std::uint64_t waited_ = 0;  ///< wake-ups since there was a plan
  FastShare share_;
  double part_ = first_part;
};

}  // namespace lbhm::placement
