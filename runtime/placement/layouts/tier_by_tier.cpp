#include "runtime/placement/layouts/tier_by_tier.h"

#include <algorithm>

#include "runtime/placement/heat/page_heat.h"

namespace lbhm::placement {
namespace {

PageRange range_of(const PhaseForecast& phase, const HeatRun& run) {
  return {phase.objects[run.slot.value] + run.first.value * phase.page.value, phase.page * run.pages};
}

/// Calls visit(run, first page, pages, inside) for the parts of each run that are in the set, or are not.
template <class Visit>
void for_parts(const PhaseForecast& phase, const HeatMap& map, const PageRanges& set, Visit visit) {
  for (const HeatRun& run : map.runs) {
    set.split(range_of(phase, run), [&](const PageRange& part, bool inside) {
      const PageIndex first((part.address - phase.objects[run.slot.value]) / phase.page.value);
      visit(run, first, part.bytes.value / phase.page.value, inside);
    });
  }
}

/// A curve over the accesses that are left, `left` of all: it starts at `now` and gains what they gain in this tier.
TaskTimes curve_of_rest(const TaskTimes& whole, Nanoseconds now, double left) {
  TaskTimes times{whole.lane, now, now, {}};
  for (std::size_t point = 0; point < TaskTimes::points; ++point) {
    const Nanoseconds gain = whole.curve.front() - time_at(whole, TaskTimes::share(point) * left);
    times.curve[point] = std::max(Nanoseconds(0), now - gain);
    if (point > 0) times.curve[point] = std::min(times.curve[point], times.curve[point - 1]);
  }
  times.fast_only = times.curve.back();
  return times;
}

/// Takes pages that faster tiers take away from `tier` out of its ranges.
void apply(const MigrationPlan& moves, TierId tier, PagePlacement& placement) {
  if (tier.value >= placement.tiers.size()) return;
  PageRanges here(placement.in(tier));
  for (const PageMove& move : moves.moves)
    if (move.to < tier) here.remove({move.address, move.bytes});
  placement.tiers[tier.value] = here.all();
}

}  // namespace

TierByTier::TierByTier(const PhaseForecast& fastest) : fastest_(fastest) {
  for (const TaskForecast& task : fastest.tasks) totals_.push_back(task.accesses.total);
}

std::vector<Nanoseconds> TierByTier::times(const PhaseForecast& stage, const PageRanges& taken) {
  std::vector<AccessCount> inside(stage.tasks.size()), all(stage.tasks.size());
  const HeatMap map = merge_extents(stage.tasks);
  for_parts(stage, map, taken, [&](const HeatRun& run, PageIndex, std::uint64_t pages, bool in) {
    for (const User& user : map.users_of(run)) {
      const AccessCount count = user.per_page * static_cast<double>(pages);
      all[user.task] += count;
      if (in) inside[user.task] += count;
    }
  });
  std::vector<Nanoseconds> times;
  times.reserve(stage.tasks.size());
  for (std::size_t task = 0; task < stage.tasks.size(); ++task)
    times.push_back(time_at(stage.tasks[task].times, all[task].value > 0 ? inside[task] / all[task] : 0));
  return times;
}

PhaseForecast TierByTier::below(const PhaseForecast& stage, std::size_t middle, const PageRanges& taken,
                                const MigrationPlan& moves) const {
  const MiddleTier& tier = fastest_.middle[middle];
  PhaseForecast rest;
  rest.objects = stage.objects;
  rest.page = stage.page;
  rest.fast = tier.tier;
  rest.room = tier.room;
  rest.slowest = stage.slowest;
  rest.placement = stage.placement;
  apply(moves, tier.tier, rest.placement);
  rest.page_move = stage.page_move;
  rest.slow_access = stage.slow_access;
  rest.instances = stage.instances;
  rest.prediction_error = stage.prediction_error;
  rest.tasks.resize(stage.tasks.size());
  std::vector<AccessCount> left(stage.tasks.size());  // by their weights, as curves are
  const HeatMap map = merge_extents(stage.tasks);
  for_parts(stage, map, taken, [&](const HeatRun& run, PageIndex first, std::uint64_t pages, bool in) {
    if (in) return;
    for (const User& user : map.users_of(run)) {
      const AccessCount count = user.accesses * static_cast<double>(pages);
      rest.tasks[user.task].accesses.extents.push_back({run.slot, first, pages, count});
      rest.tasks[user.task].accesses.total += count;
      left[user.task] += user.per_page * static_cast<double>(pages);
    }
  });
  const std::vector<Nanoseconds> now = times(stage, taken);
  for (std::size_t i = 0; i < rest.tasks.size(); ++i) {
    TaskForecast& task = rest.tasks[i];
    const TaskForecast& before = stage.tasks[i];
    const double share = totals_[i].value > 0 ? std::min(1.0, left[i] / totals_[i]) : 0;
    task.times = curve_of_rest(tier.times[i], now[i], share);
    task.accesses.lane = before.accesses.lane;
    task.region = before.region;
    task.lines = before.lines;
    task.weights = before.weights;
  }
  return rest;
}

}  // namespace lbhm::placement

namespace lbhm {

Nanoseconds time_at(const TaskTimes& fastest, double share, std::span<const TaskTimes> middle,
                    std::span<const double> middle_shares) {
  Nanoseconds time = time_at(fastest, share);
  for (std::size_t i = 0; i < std::min(middle.size(), middle_shares.size()); ++i)
    time -= middle[i].curve.front() - time_at(middle[i], middle_shares[i]);
  return std::max(Nanoseconds(0), time);
}

}  // namespace lbhm
