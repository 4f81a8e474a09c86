// The clock and the counters of a thread.
#pragma once

#include <vector>

#include "runtime/base/event_fields.h"

namespace lbhm {

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

}  // namespace lbhm
