// What was measured of one code region in one lane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/engine/event_fields.h"

namespace lbhm::engine {

/// The clock and the counters of a thread at one moment, or differences and sums of them.
struct Reading {
  Nanoseconds time;  ///< on the clock
  Nanoseconds work;  ///< of it, not waiting at barriers and for mutexes
  EventCounts events;
  std::vector<AccessCount> accesses;  ///< by tier; empty if the machine cannot count them

  Reading& operator+=(const Reading& more) {
    time += more.time;
    work += more.work;
    events += more.events;
    if (accesses.size() < more.accesses.size()) accesses.resize(more.accesses.size());
    for (std::size_t tier = 0; tier < more.accesses.size(); ++tier) accesses[tier] += more.accesses[tier];
    return *this;
  }
};

inline Reading difference(const Reading& end, const Reading& begin) {
  Reading result{end.time - begin.time, end.work - begin.work, difference(end.events, begin.events), end.accesses};
  for (std::size_t tier = 0; tier < begin.accesses.size(); ++tier)
    result.accesses[tier] = end.accesses[tier] - begin.accesses[tier];
  return result;
}

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
    self += more.self;
    return *this;
  }
};

}  // namespace lbhm::engine
