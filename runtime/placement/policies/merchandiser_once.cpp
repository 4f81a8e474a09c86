// merchandiser-once: Merchandiser's goals without its daemon. One plan before the region, for which the program waits:
// budgets by Algorithm 1, then the hottest pages of the forecast while a task that uses them is below its goal. Pages
// appear in slow memory: the inputs of Algorithm 1 are the times and events of each task in slow memory alone (lines 1
// and 2), so the base instance runs there, and fast memory is for what the plan names. Beside merchandiser it shows
// what forecasts of pages alone are worth; it needs nothing that watches pages.
#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/placement/budgets/coarse_forecast.h"
#include "runtime/placement/layouts/tier_by_tier.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

/// Pages that are in a faster tier than their new one leave it first: those that come need their room.
void down_moves_first(const PagePlacement& placement, MigrationPlan& plan) {
  MigrationPlan down;
  for (const PageMove& move : plan.moves) {
    for (TierId tier; tier < move.to; ++tier.value) {
      placement::PageRanges(placement.in(tier)).split({move.address, move.bytes}, [&](const PageRange& part, bool in) {
        if (in) down.moves.push_back({part.address, part.bytes, move.to});
      });
    }
  }
  plan.moves.insert(plan.moves.begin(), down.moves.begin(), down.moves.end());
}

/// Algorithm 1 ends when the longest task cannot grow, and what it leaves stays free. In a tier between, room is not
/// scarce: that task keeps its budget, and the algorithm goes on with the others.
Budget budgets_of_all(std::vector<TaskForecast> tasks, Bytes page, Bytes room) {
  std::vector<std::size_t> left(tasks.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  Budget all{.tasks = std::vector<TaskBudget>(tasks.size())};
  while (!left.empty()) {
    const Budget budget = merchandiser_budget(tasks, page, room);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      all.tasks[left[i]] = budget.tasks[i];
      if (budget.tasks[i].predicted > budget.tasks[longest].predicted) longest = i;
    }
    room -= std::min(room, budget.tasks[longest].fast_bytes);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(longest));
    tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(longest));
  }
  return all;
}

class MerchandiserOnce final : public Policy {
 public:
  explicit MerchandiserOnce(const PolicyOptions& options) : middle_(options.with("middle")) {}
  std::string_view name() const override { return "merchandiser-once"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = middle_ ? slowest_first(machine) : ends_of(slowest_first(machine)), .forecast = true};
  }

  Decision on_phase(const PhaseView& phase) override {
    if (!phase.forecast) return {};
    const PhaseForecast& forecast = *phase.forecast;
    // The paper's call stands before one region; where several follow it, a task is all that a lane does in them.
    PhaseForecast lanes = forecast;
    placement::join_regions(lanes);
    const Budget budget = merchandiser_budget(lanes.tasks, forecast.page, forecast.room);
    Decision decision;
    decision.plan = select_pages(lanes, budget, lanes.fast);
    for (const TaskForecast& task : forecast.tasks) {
      TaskBudget of_task = budget.tasks[task.times.lane.value];
      of_task.predicted = time_at(task.times, of_task.fast_share);
      decision.budget.tasks.push_back(of_task);
    }
    if (middle_ && !lanes.middle.empty()) plan_middle(lanes, decision);
    return decision;
  }

 private:
  /// The paper knows two memories. What the budgets did not give to the fastest tier gets budgets of the next one.
  static void plan_middle(const PhaseForecast& lanes, Decision& decision) {
    const placement::TierByTier tiers(lanes);
    PhaseForecast stage = lanes;
    placement::PageRanges taken;
    for (const PageMove& move : decision.plan.moves) taken.add({move.address, move.bytes});
    for (std::size_t middle = 0; middle < lanes.middle.size(); ++middle) {
      stage = tiers.below(stage, middle, taken, decision.plan);
      const Budget budget = budgets_of_all(stage.tasks, stage.page, stage.room);
      const MigrationPlan plan = select_pages(stage, budget, stage.fast);
      taken = {};
      for (const PageMove& move : plan.moves) {
        taken.add({move.address, move.bytes});
        decision.plan.moves.push_back(move);
      }
    }
    down_moves_first(lanes.placement, decision.plan);
    const std::vector<Nanoseconds> times = placement::TierByTier::times(stage, taken);
    if (times.size() != decision.budget.tasks.size()) return;  // several regions: a lane's time says nothing of each
    for (std::size_t task = 0; task < times.size(); ++task) decision.budget.tasks[task].predicted = times[task];
  }

  bool middle_;
};

}  // namespace

std::unique_ptr<Policy> make_merchandiser_once(const PolicyOptions& options) {
  return std::make_unique<MerchandiserOnce>(options);
}

}  // namespace lbhm::policies
