// What sampled counters of pages let expect of them, and exchanges by that.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/memtis_daemon.h"

namespace lbhm::placement {

/// The counter of a page, moved towards the mean of its object: by as much as the spread of the counters is what chance
/// alone makes of equal pages. Of a page that was never sampled that is a part of the mean; so pages of an object that
/// is used alike stay where they are, and objects are told apart long before their pages are. Pages of no object count
/// as those of one.
///
/// Source: as in shrunk_heat.h (Marshall 1991, section 3), each page a part of its own: m + A (r - m) / (A + m) with
/// A = s2 - m, 0 if that is negative. Halved counters spread less than counts of chance do: they move a little too far.
class ExpectedHeat {
 public:
  explicit ExpectedHeat(const PageCounters& counters);

  /// In samples. `counter`: of the page at `address`.
  double of(std::uintptr_t address, std::uint64_t counter) const;

 private:
  struct Group {
    double mean = 0;   ///< m
    double apart = 0;  ///< A: how much pages differ beyond chance
  };
  RangeMap<Group> objects_;
  Group rest_;
};

/// Copies and a wrong guess cost something. Assumption.
inline constexpr double so_much_more = 1.25;

/// Like MemtisDaemon::exchange: hot pages of slow memory come, `most` at most, and leave the watermark free. But the
/// pages that leave are those that are expected to be used least, and a page comes for another one only if it is
/// expected to be used `so_much_more` times as much. `below`: where pages go.
MigrationPlan exchange_by_expectation(const HotPages& pages, Bytes page, std::uint64_t most, TierBelow below);

}  // namespace lbhm::placement
