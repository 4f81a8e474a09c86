// What deciding takes the thread that begins a phase, in virtual time: counted work times what it takes on a host.
#pragma once

#include "runtime/base/units.h"
#include "runtime/placement/placement.h"

namespace lbhm {

// Measured by `bench/run decision` on a server core of 2.x GHz (docs/policies.md, "What deciding costs").

/// Of a task: its times in both memories and its curve (parts `homogeneous` and `prediction`: 9.4 and 5.3 us a task).
inline constexpr Nanoseconds per_task{14'700};
/// Of a look at a stretch of pages, a run, or a user of one.
inline constexpr Nanoseconds per_look{8};
/// Of an object that is looked up: its place in the list, its record, what is known of it.
inline constexpr Nanoseconds per_object{100};

/// A forecast and a decision that was made with it; null: there was none to make.
inline Nanoseconds decision_cost(std::size_t objects, const ScopeForecast* forecast, const Decision& decision) {
  Nanoseconds cost = per_object * static_cast<double>(objects);
  if (!forecast) return cost;
  std::size_t extents = 0;
  for (const TaskForecast& task : forecast->tasks) extents += task.accesses.extents.size();
  return cost + per_task * static_cast<double>(forecast->tasks.size()) +
         per_look * static_cast<double>(extents + decision.looks);
}

}  // namespace lbhm
