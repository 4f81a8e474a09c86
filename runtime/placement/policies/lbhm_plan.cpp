#include "runtime/placement/policies/lbhm_plan.h"

#include <algorithm>
#include <utility>

#include "runtime/base/kept_by_thread.h"
#include "runtime/placement/budgets/coarse_forecast.h"
#include "runtime/placement/heat/shrunk_heat.h"
#include "runtime/placement/layouts/layout.h"
#include "runtime/placement/layouts/min_max.h"
#include "runtime/placement/layouts/tier_by_tier.h"

namespace lbhm::policies {

Decision LbhmPlan::without_plan(const PhaseForecast& phase) {
  Decision decision;
  for (const TaskForecast& task : phase.tasks) decision.budget.tasks.emplace_back().lane = task.times.lane;
  return decision;
}

Decision LbhmPlan::go_back(const PhaseForecast& whole, const placement::BestLayout& best) const {
  PhaseForecast phase = as_far_as_known(whole);
  Decision decision;
  decision.background = best.back(phase);
  phase.placement.tiers[phase.fast.value].assign(best.fast().begin(), best.fast().end());
  const placement::HeatMap map = placement::merge_extents(phase.tasks);
  const placement::Cover cover(phase, map);
  const placement::Layout layout(phase, map);
  placement::Chosen chosen = cover.nothing();
  for (std::size_t run = 0; run < map.runs.size(); ++run) cover.add(run, layout.fast()[run], chosen);
  decision.budget = budget_of(whole, cover, chosen);
  decision.looks = cover.looks();
  return decision;
}

Decision LbhmPlan::decide(const PhaseForecast& whole, std::uint64_t most_looks) const {
  const PhaseForecast phase = as_far_as_known(whole);
  // Megabytes, kept: fresh pages take longer than what is done with them.
  static thread_local KeptByThread<placement::HeatMap> kept;
  placement::HeatMap& map = *kept;
  placement::merge_extents(phase.tasks, map);
  placement::Cover cover(phase, map);
  const placement::Layout layout(phase, map);
  Decision decision;
  const placement::Chosen chosen = placement::min_max(phase, cover, layout, copy_cost(phase), most_looks).chosen;
  layout.write(chosen.pages, decision);
  std::vector<Nanoseconds> ends;  // by task, where there are tiers between
  if (parts_.middle && !phase.middle.empty()) ends = plan_middle(phase, most_looks, decision);
  if (!parts_.background) std::swap(decision.plan, decision.background);
  decision.looks += cover.looks();
  decision.budget = budget_of(whole, cover, chosen);
  for (std::size_t task = 0; task < ends.size() && parts_.regions; ++task)
    decision.budget.tasks[task].predicted = ends[task];
  return decision;
}

Nanoseconds LbhmPlan::copy_cost(const PhaseForecast& phase) const {
  return parts_.costs ? phase.page_move : Nanoseconds(0);
}

/// What did not fit into the fastest tier, tier after tier, against the slowest. Returns the times of the tasks.
std::vector<Nanoseconds> LbhmPlan::plan_middle(const PhaseForecast& fastest, std::uint64_t most_looks,
                                               Decision& decision) const {
  const placement::TierByTier tiers(fastest);
  placement::TierByTier::Stage stage{fastest, {}};
  for (std::size_t middle = 0; middle < fastest.middle.size(); ++middle) {
    const placement::PageRanges taken = placement::pages_in_tier(stage.phase, decision);
    stage = tiers.below(stage.phase, middle, taken, decision.background);
    const placement::HeatMap map = placement::merge_extents(stage.phase.tasks);
    placement::Cover cover(stage.phase, map);
    const placement::Layout layout(stage.phase, map, stage.above);
    layout.write(placement::min_max(stage.phase, cover, layout, copy_cost(stage.phase), most_looks).chosen.pages,
                 decision);
    decision.looks += cover.looks();
  }
  return placement::TierByTier::times(stage.phase, placement::pages_in_tier(stage.phase, decision));
}

Budget LbhmPlan::budget_of(const PhaseForecast& whole, const placement::Cover& cover,
                           const placement::Chosen& chosen) const {
  Budget budget;
  for (std::size_t number = 0; number < whole.tasks.size(); ++number) {
    const TaskForecast& task = whole.tasks[number];
    const std::size_t decided = parts_.regions ? number : task.times.lane.value;
    const double counted = cover.counted_share_of(decided, chosen);
    budget.tasks.push_back({.lane = task.times.lane,
                            .fast_share = counted,
                            .fast_accesses = task.accesses.total * counted,
                            .fast_bytes = {},
                            .predicted = time_at(task.times, cover.share_of(decided, chosen))});
  }
  return budget;
}

/// The forecast without what is left out.
PhaseForecast LbhmPlan::as_far_as_known(const PhaseForecast& whole) const {
  PhaseForecast phase = whole;
  if (parts_.shrunk_heat) placement::shrink_heat(phase);
  if (parts_.waits) std::ranges::for_each(phase.tasks, placement::weigh_by_waits);
  if (!parts_.blocks)
    for (TaskForecast& task : phase.tasks) task.lines.clear();
  if (!parts_.contention) phase.slow_access = Nanoseconds(0);
  if (!parts_.regions) placement::join_regions(phase);
  if (!parts_.hottest_first) placement::spread_evenly(phase.tasks);
  return phase;
}

}  // namespace lbhm::policies
