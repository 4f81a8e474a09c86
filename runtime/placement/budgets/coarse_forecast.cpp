
#include "runtime/placement/budgets/coarse_forecast.h"

#include <algorithm>
#include <utility>

#include "runtime/placement/heat/page_heat.h"

namespace lbhm::placement {
namespace {

void add(TaskTimes& sum, const TaskTimes& more) {
  sum.slow_only += more.slow_only;
  sum.fast_only += more.fast_only;
  for (std::size_t point = 0; point < TaskTimes::points; ++point) sum.curve[point] += more.curve[point];
}

/// Adds a run of pages of which the extents before it are the neighbours in front.
void add(AccessEstimate& task, const HeatRun& run, AccessCount count) {
  auto& extents = task.extents;
  task.total += count;
  if (!extents.empty() && extents.back().slot == run.slot && extents.back().first == run.first)
    extents.back().count += count;
  else
    extents.push_back({run.slot, run.first, run.pages, count});
}

}  // namespace

void join_regions(PhaseForecast& phase) {
  if (std::ranges::none_of(phase.tasks, [](const TaskForecast& task) { return task.region > 0; })) return;
  std::vector<TaskForecast> lanes;
  for (const TaskForecast& task : phase.tasks) {
    const LaneId lane = task.times.lane;
    if (lanes.size() <= lane.value) lanes.resize(lane.value + 1);
    lanes[lane.value].times.lane = lanes[lane.value].accesses.lane = lane;
    add(lanes[lane.value].times, task.times);
  }
  for (MiddleTier& tier : phase.middle) {
    std::vector<TaskTimes> times(lanes.size());
    for (const TaskTimes& task : tier.times) add(times[task.lane.value], task);
    for (std::size_t lane = 0; lane < times.size(); ++lane) times[lane].lane = lanes[lane].times.lane;
    tier.times = std::move(times);
  }
  const HeatMap map = merge_extents(phase.tasks);
  for (const HeatRun& run : map.runs) {
    for (const User& user : map.users_of(run)) {
      const LaneId lane = phase.tasks[user.task].times.lane;
      add(lanes[lane.value].accesses, run, user.per_page * static_cast<double>(run.pages));
    }
  }
  phase.tasks = std::move(lanes);
}

}  // namespace lbhm::placement
