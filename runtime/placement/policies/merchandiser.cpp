// merchandiser: the paper's policy. Budgets by Algorithm 1, pages by heat and goal. Pages appear in slow memory: the
// inputs of Algorithm 1 are the times and events of each task in slow memory alone (lines 1 and 2), so the base
// instance runs there, and fast memory is for what the plan names.
#include "runtime/placement/by_lane.h"
#include "runtime/placement/policies/policies.h"

namespace lbhm::policies {
namespace {

constexpr TierId fast{0};

class Merchandiser final : public Policy {
 public:
  std::string_view name() const override { return "merchandiser"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = slowest_first(machine), .forecast = true};
  }

  Decision on_phase(const PhaseView& phase) override {
    if (!phase.forecast) return {};
    const ScopeForecast& scope = *phase.forecast;
    // The paper's call stands before one region; where several follow it, a task is all that a lane does in them.
    ScopeForecast lanes = scope;
    lanes.tasks = placement::by_lane(scope);
    const Budget budget = merchandiser_budget(lanes.tasks, scope.page, scope.room);
    Decision decision;
    decision.plan = select_pages(lanes, budget, fast);
    for (const TaskForecast& task : scope.tasks) {
      TaskBudget of_task = budget.tasks[task.times.lane.value];
      of_task.predicted = time_at(task.times, of_task.fast_share);
      decision.budget.tasks.push_back(of_task);
    }
    return decision;
  }
};

}  // namespace

std::unique_ptr<Policy> make_merchandiser(const PolicyOptions&) { return std::make_unique<Merchandiser>(); }

}  // namespace lbhm::policies
