// What deciding takes the core that does it, in virtual time: counted work times what it takes on a host.
#pragma once

#include "runtime/base/units.h"
#include "runtime/placement/placement.h"

namespace lbhm {

// Measured on a server core (processor time of the parts of PhaseLoop::plan, seven programs; docs/policies.md, "What
// deciding costs"). Loading f, once a run, is left out.

/// Of a task: its times in both memories and its curve.
inline constexpr Nanoseconds per_task{12'000};
/// Of a run of pages of a task: its expected accesses, its heat, its place in the map.
inline constexpr Nanoseconds per_extent{140};
/// Of a page whose place the system is asked for: move_pages(2) without nodes, in batches.
inline constexpr Nanoseconds per_page{52};
/// Of an object that is looked up.
inline constexpr Nanoseconds per_object{100};

/// A forecast and a decision that was made with it; null: there was none to make. `asked`: pages.
inline Nanoseconds decision_cost(std::size_t objects, std::uint64_t asked, const PhaseForecast* forecast,
                                 const Decision& decision) {
  const Nanoseconds cost = per_object * static_cast<double>(objects) + per_page * static_cast<double>(asked);
  if (!forecast) return cost;
  std::size_t extents = 0;
  for (const TaskForecast& task : forecast->tasks) extents += task.accesses.extents.size();
  return cost + per_task * static_cast<double>(forecast->tasks.size()) + per_extent * static_cast<double>(extents) +
         Decision::per_look * static_cast<double>(decision.looks);
}

}  // namespace lbhm
