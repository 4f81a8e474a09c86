#include "runtime/engine/scope_predictions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/engine/scope_learn.h"

namespace lbhm::engine {
namespace {

/// Region instances that wait for their explanation at most: what they measured takes memory.
constexpr std::size_t most_unexplained = 64;

/// What the tasks of a region were expected to take in one execution; null if nothing was predicted for it.
const PlannedPart* planned_part(const ScopeInstance& run, std::uint32_t region) {
  const auto found = run.planned.parts.find(region);
  return found == run.planned.parts.end() ? nullptr : &found->second;
}

void add_errors(Engine& e, ScopeInstance& run, RegionRecord& record) {
  Scope& scope = *run.scope;
  RunningError& of_region = e.scopes.region_errors[record.region];
  for (const TaskRecord& task : record.tasks) {
    of_region.add(task.predicted, task.time);
    scope.error.add(task.predicted, task.time);
    e.scopes.prediction.error.add(task.predicted, task.time);
  }
  record.running_error = of_region.mean();
}

/// How far off the curves of the tasks were at the shares of fast accesses that they came to, wherever that was from.
void add_misses(ScopeInstance& run, const PlannedPart& planned, const RegionRecord& record) {
  Nanoseconds missed;
  for (const TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned.tasks.size() || !(task.accesses.value > 0)) continue;
    std::vector<double> middle;
    for (const AccessCount count : task.middle_accesses) middle.push_back(count / task.accesses);
    const std::size_t lane = task.lane.value;
    const Nanoseconds expected =
        time_at(planned.tasks[lane], task.fast_accesses / task.accesses, planned.middle[lane], middle) /
        planned.executions;
    missed = std::max(missed, Nanoseconds(std::abs((expected - task.time).value)));
  }
  run.missed += missed;
  run.predicted += record.time;
}

/// What each tier contributed to the lanes of a region instance.
void add_tiers(Engine& e, const ScopeInstance& run, Unexplained& region) {
  const auto [begin, end] = region.samples;
  const Topology& topology = e.machine->topology();
  const std::span samples = std::span(run.parts.at(region.region).samples).subspan(begin, end - begin);
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
  const PlannedPart* const planned = planned_part(run, record.region);
  if (!planned) return;
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned->budget.size()) break;
    const TaskBudget& budget = planned->budget[task.lane.value];
    if (budget.predicted.value > 0) task.predicted = budget.predicted / planned->executions;
    task.fast_bytes = budget.fast_bytes;
  }
}

void predictions_end_region(Engine& e, ScopeInstance& run, RegionRecord& record, std::size_t first_sample) {
  if (!run.planned.f) return;
  ScopeProfile measured = std::exchange(run.planned.region, {});
  measured.time = record.time;
  const PlannedPart* const planned = planned_part(run, record.region);
  if (!planned) return;  // no instance had it before: nothing was predicted
  add_misses(run, *planned, record);
  add_errors(e, run, record);
  if (e.log.added() >= RegionLog::kept_instances) return;  // nobody would read it
  if (run.planned.unexplained.size() == most_unexplained) explain_predictions(e, run);
  run.planned.unexplained.push_back({.record = e.log.added(),
                                     .region = record.region,
                                     .samples = {first_sample, run.parts.at(record.region).samples.size()},
                                     .measured = std::move(measured)});
}

void explain_predictions(Engine& e, ScopeInstance& run) {
  for (Unexplained& region : std::exchange(run.planned.unexplained, {})) {
    RegionRecord* record = e.log.kept(region.record);
    const Part* const part = run.scope->part_of(region.region);
    if (!record || !part) continue;
    add_tiers(e, run, region);
    const PlannedPart& planned = *planned_part(run, region.region);
    const PlanBasis plan{.base = &*part->profile,
                         .planned = planned.tasks,
                         .executions = planned.executions,
                         .budgets = planned.budget,
                         .f = run.planned.f,
                         .facts = part->blocks.facts};
    const auto errors = explain(plan, region.measured, record->tasks, e.machine->topology());
    for (std::size_t lane = 0; lane < errors.size(); ++lane) {
      record->tasks[lane].error = errors[lane];
      e.scopes.prediction.add(errors[lane]);
    }
  }
}

}  // namespace lbhm::engine
