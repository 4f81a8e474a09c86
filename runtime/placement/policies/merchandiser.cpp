// merchandiser: section 6 of the paper. MemoryOptimizer's scans and exchanges (optimizer_scans.h), but a slow page does
// not go up once all tasks that access it have reached the goal of Algorithm 1 (task_goals.h); its place goes to a page
// of a task below its goal. docs/policies.md holds this against the section sentence by sentence.
//
// The base instance of a phase has no goals: it runs as under MemoryOptimizer. Algorithm 1 gives all of fast memory
// away ("until the DRAM space is exhausted"): what is in nobody's goal would be held back for nothing. It takes
// accesses as spread evenly over a task's pages, which makes goals low; that is the paper's. Fast memory is watched as
// Thermostat does (accessed_watch.h). Where no page can be watched, pages with samples are those that were accessed.
#include <mutex>

#include "runtime/placement/budgets/coarse_forecast.h"
#include "runtime/placement/budgets/task_goals.h"
#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/scans/optimizer_scans.h"

namespace lbhm::policies {
namespace {

using namespace placement;

class Merchandiser final : public Policy {
 public:
  explicit Merchandiser(const PolicyOptions& options)
      : middle_(options.with("middle")),
        checks_goals_(options.with("goals")),
        thermostat_(options.with("thermostat")),
        scans_(options.pace) {}
  std::string_view name() const override { return "merchandiser"; }
  Needs needs(const Topology& machine) const override {
    const std::vector<TierId> order = fastest_first(machine);
    return {.first_touch = middle_ ? order : ends_of(order),
            .forecast = true,
            .decides_beside = true,
            .interval = daemon_interval,
            .observer = true,
            .finds_pages = true,
            .samples_will_do = true};
  }

  Decision on_phase(const PhaseView& phase) override {
    Decision decision;
    TaskGoals goals;
    if (phase.forecast && phase.forecast->page.value > 0) {
      const PhaseForecast& forecast = *phase.forecast;
      // The paper's call stands before one region; where several follow it, a task is all that a lane does in them.
      PhaseForecast lanes = forecast;
      join_regions(lanes);
      const Budget budget = merchandiser_budget(lanes.tasks, forecast.page, forecast.room, GrownOut::is_passed_over);
      if (checks_goals_) goals = TaskGoals(lanes, budget, phase.objects);
      for (const TaskForecast& task : forecast.tasks) {
        TaskBudget of_task = budget.tasks[task.times.lane.value];
        of_task.predicted = time_at(task.times, of_task.fast_share);
        decision.budget.tasks.push_back(of_task);
      }
    }
    const std::lock_guard lock(mutex_);
    goals_ = std::move(goals);
    fresh_ = true;
    return decision;
  }

  void on_interval(PolicyContext& context) override {
    listen(context);
    if (!scans_.scan(context, watch(context.machine()))) return;
    MigrationPlan plan;
    {
      const std::lock_guard lock(mutex_);
      plan = scans_.exchange(context.machine(), [&](std::uintptr_t page) { return goals_.holds_back(page); }, middle_);
    }
    context.migrate(plan);
  }

 private:
  AccessedWatch& watch(Machine& machine) {
    if (!machine.observer()) return samples_;
    if (thermostat_) return sampled_bits_;
    return all_bits_;
  }

  /// What was sampled while the phase began is left out: part of it is the last instance's.
  void listen(PolicyContext& context) {
    std::vector<AccessSample> fresh;
    context.samples(fresh);
    SampleSource* const source = context.machine().samples();
    if (!source) return;
    if (!context.machine().observer()) samples_.add(fresh);
    const std::lock_guard lock(mutex_);
    if (!fresh_) goals_.count(fresh, source->period());
    fresh_ = false;
  }

  const bool middle_, checks_goals_, thermostat_;
  OptimizerScans scans_;  // of the interval's thread, as what follows
  AllBits all_bits_;
  SampledFastBits sampled_bits_;
  SampledPages samples_;

  std::mutex mutex_;  // guards what follows: on_phase comes from a thread of the program
  TaskGoals goals_;
  bool fresh_ = false;  // no interval has ended since the phase began
};

}  // namespace

std::unique_ptr<Policy> make_merchandiser(const PolicyOptions& options) {
  return std::make_unique<Merchandiser>(options);
}

}  // namespace lbhm::policies
