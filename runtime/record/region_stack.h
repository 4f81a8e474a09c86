// The code regions that one thread is in, innermost last, and what it has measured.
//
// A region belongs to a frame of the stack. When a frame calls us, everything below it is gone: whatever began there
// was left by an exception or a longjmp, and its end was never said. Such executions are counted, not measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/phases/lanes.h"

namespace lbhm {

struct RegionTotals {
  std::uint64_t executions = 0;  ///< begun
  std::uint64_t abandoned = 0;   ///< of these, left by an exception or a longjmp past their end
  std::uint64_t measured = 0;
  Reading inclusive;  ///< of the measured executions
  Nanoseconds base;   ///< time of the first one
  Nanoseconds least, most;
  double squares = 0;               ///< of their times
  std::uint64_t self_measured = 0;  ///< measured executions of which all nested regions were measured, too
  Reading self;                     ///< of these, without the regions nested in them
  std::uint64_t beyond_limit = 0;   ///< measured executions in which a nested one was only counted

  void add(const Reading& execution) {
    const Nanoseconds time = execution.time;
    if (measured == 0) base = least = most = time;
    least = std::min(least, time);
    most = std::max(most, time);
    squares += time.value * time.value;
    inclusive += execution;
    ++measured;
  }

  void add_self(const Reading& execution, const Reading& nested) {
    self += difference(execution, nested);
    ++self_measured;
  }

  /// Another thread executed the same lane.
  RegionTotals& operator+=(const RegionTotals& more) {
    if (measured == 0) {
      base = more.base;
      least = more.least;
    } else if (more.measured > 0) {
      least = std::min(least, more.least);
    }
    most = std::max(most, more.most);
    executions += more.executions;
    abandoned += more.abandoned;
    measured += more.measured;
    inclusive += more.inclusive;
    squares += more.squares;
    self_measured += more.self_measured;
    beyond_limit += more.beyond_limit;
    self += more.self;
    return *this;
  }
};

/// A region and where it is entered.
struct RegionPlace {
  std::uint32_t slot = 0;  ///< RegionBook's; 0: none
  std::uint16_t kind = 0;
  std::uintptr_t frame = 0;  ///< stacks grow downwards: a smaller number is a frame called from this one
};

/// By lane, then by slot - 1.
using TotalsByLane = std::map<std::uint32_t, std::vector<RegionTotals>>;

class RegionStack {
 public:
  /// `most_measured`: executions of a region by this thread as one lane; later ones are only counted.
  explicit RegionStack(std::uint64_t most_measured) : most_measured_(most_measured) {}

  /// `lane`: that the thread executes, null outside of parallel constructs (reported as lane 0).
  void begin(Machine& machine, const LaneState* lane, const RegionPlace& place);
  void end(Machine& machine, const LaneState* lane, const RegionPlace& place);
  /// In that frame only the loop `place.slot` is under way, and the body that it is in.
  void unwound(const RegionPlace& place);

  /// Regions under way are not in it but in `executions`. Any thread may ask.
  void add_to(TotalsByLane& sums);

 private:
  struct Open {
    RegionPlace place;
    std::uint32_t lane = 0;
    bool measured = false;
    bool nested_measured = true;
    bool beyond_limit = false;
    Reading begin;
    Reading nested;
  };

  RegionTotals& totals(const Open& open);
  void drop_below(std::uintptr_t frame);
  void abandon();
  void close(Machine& machine, const LaneState* lane);

  const std::uint64_t most_measured_;
  std::vector<Open> open_;
  std::mutex mutex_;  ///< guards the totals: the report may be written while this thread runs
  TotalsByLane totals_;
};

}  // namespace lbhm
