#include "runtime/engine/scope_predictions.h"

#include <utility>

#include "runtime/engine/scope_learn.h"

namespace lbhm::engine {
namespace {

/// Region instances that wait for their explanation at most: what they measured takes memory.
constexpr std::size_t most_unexplained = 64;

/// By lane, the part of the scope's predicted times that falls to one instance of a region: as in the base instance.
std::span<const double> shares_of(const Scope& scope, std::uint32_t region) {
  const auto found = scope.base_share.find(region);
  return found == scope.base_share.end() ? std::span<const double>() : found->second;
}

void add_errors(Engine& e, Scope& scope, RegionRecord& record) {
  RunningError& of_region = e.scopes.region_errors[record.region];
  for (const TaskRecord& task : record.tasks) {
    of_region.add(task.predicted, task.time);
    scope.error.add(task.predicted, task.time);
    e.scopes.prediction.error.add(task.predicted, task.time);
  }
  record.running_error = of_region.mean();
}

/// What each tier contributed to the lanes of a region instance.
void add_tiers(Engine& e, const ScopeInstance& run, Unexplained& region) {
  const auto [begin, end] = region.samples;
  const Topology& topology = e.machine->topology();
  const std::span samples = std::span(run.samples).subspan(begin, end - begin);
  std::vector<TaskProfile>& tasks = region.measured.tasks;
  std::vector<LaneCounts> counts = count_accesses(samples, period_of(e), {}, static_cast<std::uint32_t>(tasks.size()),
                                                  topology.tiers.size(), topology.page);
  for (std::size_t lane = 0; lane < tasks.size(); ++lane) tasks[lane].tiers = std::move(counts[lane].tiers);
}

}  // namespace

void measured_lane(ScopeInstance& run, LaneId lane, Nanoseconds time, const EventCounts& events) {
  if (run.planned.f)
    run.planned.region.tasks.push_back({.lane = lane, .time = time, .events = events, .tiers = {}, .pages = {}});
}

void measured_blocks(ScopeInstance& run, const BlockCounts& counts) {
  if (run.planned.f && !run.planned.region.tasks.empty())
    run.planned.region.tasks.back().blocks.assign(counts.begin(), counts.end());
}

void write_predictions(const ScopeInstance& run, RegionRecord& record) {
  if (run.budget.tasks.empty()) return;
  const std::span<const double> shares = shares_of(*run.scope, record.region);
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= run.budget.tasks.size()) break;
    const TaskBudget& budget = run.budget.tasks[task.lane.value];
    if (task.lane.value < shares.size() && shares[task.lane.value] > 0)
      task.predicted = budget.predicted * shares[task.lane.value];
    task.fast_bytes = budget.fast_bytes;
  }
}

void predictions_end_region(Engine& e, ScopeInstance& run, RegionRecord& record, std::size_t first_sample) {
  if (!run.planned.f) return;
  ScopeProfile measured = std::exchange(run.planned.region, {});
  measured.time = record.time;
  if (shares_of(*run.scope, record.region).empty()) return;  // the base instance did not have it: nothing was predicted
  add_errors(e, *run.scope, record);
  if (e.log.added() >= RegionLog::kept_instances) return;  // nobody would read it
  if (run.planned.unexplained.size() == most_unexplained) explain_predictions(e, run);
  run.planned.unexplained.push_back({.record = e.log.added(),
                                     .region = record.region,
                                     .samples = {first_sample, run.samples.size()},
                                     .measured = std::move(measured)});
}

void explain_predictions(Engine& e, ScopeInstance& run) {
  const auto& base = run.scope->profile;
  if (!base) return;  // then nothing was predicted
  for (Unexplained& region : std::exchange(run.planned.unexplained, {})) {
    RegionRecord* record = e.log.kept(region.record);
    if (!record) continue;
    add_tiers(e, run, region);
    const PlanBasis plan{.base = &*base,
                         .planned = run.planned.tasks,
                         .share = shares_of(*run.scope, region.region),
                         .budgets = run.budget.tasks,
                         .f = run.planned.f,
                         .facts = run.scope->blocks.facts};
    const auto errors = explain(plan, region.measured, record->tasks, e.machine->topology());
    for (std::size_t lane = 0; lane < errors.size(); ++lane) {
      record->tasks[lane].error = errors[lane];
      e.scopes.prediction.add(errors[lane]);
    }
  }
}

}  // namespace lbhm::engine
