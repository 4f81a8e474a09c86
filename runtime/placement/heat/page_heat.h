// Which pages are used by whom and how much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// What one task is expected to do with each page of a run.
struct User {
  std::size_t task = 0;  ///< index into PhaseForecast::tasks
  AccessCount per_page;  ///< by their weights (TaskForecast::weights)
  AccessCount accesses;  ///< the same, each as one
  AccessCount lines;     ///< of the page, that the slowest tier moves for these
};

/// Neighbouring pages of one object that the same tasks use alike. To page selection they are all the same, so it
/// works on runs, and its cost does not depend on how many pages there are.
struct HeatRun {
  ObjectSlot slot;
  PageIndex first;
  std::uint64_t pages = 0;
  AccessCount per_page;        ///< of all users together
  std::size_t first_user = 0;  ///< in HeatMap::users
  std::size_t user_count = 0;
};

struct HeatMap {
  std::vector<HeatRun> runs;  ///< by (slot, first), not overlapping
  std::vector<User> users;

  std::span<const User> users_of(const HeatRun& run) const {
    return std::span(users).subspan(run.first_user, run.user_count);
  }
};

/// Accesses count by what they wait for (TaskForecast::weights): together as many as they are.
void weigh_by_waits(TaskForecast& task);

/// Merges the extents of all tasks. Cost: O(E + R U) for E extents in all, R runs and U tasks that access
/// an object.
HeatMap merge_extents(std::span<const TaskForecast> tasks);
/// The same into a map whose memory is used again.
void merge_extents(std::span<const TaskForecast> tasks, HeatMap& map);

}  // namespace lbhm::placement
