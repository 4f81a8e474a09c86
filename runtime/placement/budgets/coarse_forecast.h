// Forecasts that know less: regions not told apart, or the pages of a task.
#pragma once

#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

// The tasks of a phase whose regions are not told apart.

/// Makes one task a lane: its times and accesses in all regions together. What a phase of one region is anyway.
void join_regions(PhaseForecast& phase);

// Accesses spread evenly over the pages of a task, as Algorithm 1 of the paper takes them (MAP_TO_PAGES, section 6).

/// Gives every page that a task uses the same number of its accesses.
inline void spread_evenly(std::vector<TaskForecast>& tasks) {
  for (TaskForecast& task : tasks) {
    std::uint64_t pages = 0;
    for (const ExtentEstimate& extent : task.accesses.extents) pages += extent.count.value > 0 ? extent.pages : 0;
    for (ExtentEstimate& extent : task.accesses.extents) {
      if (extent.count.value > 0)
        extent.count = task.accesses.total * (static_cast<double>(extent.pages) / static_cast<double>(pages));
    }
  }
}

}  // namespace lbhm::placement
