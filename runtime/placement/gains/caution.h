// How moves without a plan begin: not while a plan is near, and few pages at first. The samples that such moves rest on
// tell what was used so far. A task that streams through its pages uses others next, so that each exchange may take
// away what is needed; and what a base instance teaches is worse where pages move in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "runtime/base/values.h"
#include "runtime/placement/gains/gain_watch.h"
#include "runtime/placement/gains/ghost_scans.h"
#include "runtime/placement/gains/reuse.h"

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

  /// No plan is near; the next instance of the phase that begins has one, as this is its base instance; this one may
  /// have one at once, as the objects are those of the last phase.
  enum class Near : std::uint8_t { no, next, now };

  void phase_begins(Near near) {
    near_ = near;
    reuse_.forget();
  }
  void planned() { waited_ = 0; }
  /// The samples of a wake-up without a plan. `fast`, `footprint`: bytes of fast memory, and of the program. True:
  /// nothing moves yet.
  bool waits(std::span<const AccessSample> samples, Bytes fast, Bytes footprint, Bytes page) {
    share_.fade(GhostScans::forgotten);
    share_.add(samples);
    if (near_ == Near::no || ++waited_ >= patience || share_.value() < fair_part * (fast / footprint)) return false;
    if (near_ == Near::next) reuse_.add(samples, fast.value / page.value, page);
    return !reuse_.promises();
  }
  /// A plan is near: whatever would rule it out is to wait, too.
  bool patient() const { return near_ != Near::no && waited_ < patience; }
  /// So many pages may come now. `capacity`: of fast memory, in pages.
  std::uint64_t most_pages(const GainWatch& moved, std::uint64_t capacity) {
    if (moved.gain() > 2 * moved.error()) part_ = std::min(1.0, 2 * part_);
    if (moved.gain() < 0) part_ = std::max(least_part, part_ / 2);
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part_ * static_cast<double>(capacity)));
  }

 private:
  Near near_ = Near::no;
  std::uint64_t waited_ = 0;  ///< wake-ups since there was a plan
  FastShare share_;
  Reuse reuse_;  ///< since the phase began
  double part_ = first_part;
};

}  // namespace lbhm::placement
