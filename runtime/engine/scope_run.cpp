#include "runtime/engine/scope_run.h"

#include "runtime/engine/event_fields.h"
#include "runtime/engine/scope_learn.h"

namespace lbhm::engine {
namespace {

/// The share of a lane's predicted time that falls to this region: as in the base instance.
double base_share(const Scope& scope, std::uint32_t region, std::uint32_t lane) {
  const auto found = scope.base_share.find(region);
  if (found == scope.base_share.end() || lane >= found->second.size()) return 0;
  return found->second[lane];
}

void remember_shares(ScopeInstance& run) {
  for (auto& [region, times] : run.region_time) {
    auto& shares = run.scope->base_share[region];
    shares.resize(times.size());
    for (std::size_t lane = 0; lane < times.size(); ++lane)
      shares[lane] = run.lanes[lane].time.value > 0 ? times[lane] / run.lanes[lane].time.value : 0;
  }
}

std::vector<LaneCounts> count(Engine& e, const ScopeInstance& run) {
  const Topology& topology = e.machine->topology();
  return count_accesses(run.samples, period_of(e), run.objects, static_cast<std::uint32_t>(run.lanes.size()),
                        topology.tiers.size(), topology.page);
}

ScopeProfile make_profile(Engine& e, const ScopeInstance& run, std::vector<LaneCounts> counts) {
  ScopeProfile profile;
  profile.time = e.machine->execution().now() - run.begin;
  for (const SlotRange& object : run.objects) profile.object_bytes.push_back(object.bytes);
  for (LaneCounts& lane : counts) {
    const LaneTotals& totals = run.lanes[lane.lane.value];
    profile.tasks.push_back({.lane = lane.lane,
                             .time = totals.time,
                             .events = totals.events,
                             .tiers = std::move(lane.tiers),
                             .pages = std::move(lane.pages),
                             .blocks = totals.blocks});
  }
  return profile;
}

void stop_noting(Engine& e) {
  e.noting = nullptr;
  CompiledModules::of_process().note(false);
}

}  // namespace

void scope_add_lane(Engine& e, std::uint32_t region, LaneId lane, Nanoseconds time, const EventCounts& events) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  if (run.lanes.size() <= lane.value) run.lanes.resize(lane.value + 1);
  run.lanes[lane.value].time += time;
  run.lanes[lane.value].events += events;
  auto& times = run.region_time[region];
  if (times.size() <= lane.value) times.resize(lane.value + 1);
  times[lane.value] += time.value;
}

void scope_add_blocks(Engine& e, LaneId lane, const BlockCounts& counts) {
  if (!e.scopes.running) return;
  std::vector<double>& sums = e.scopes.running->lanes[lane.value].blocks;
  if (sums.size() < counts.size()) sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
}

void scope_add_notes(Engine& e, LaneId lane, LaneNotes& notes) {
  if (e.scopes.running) notes.move_to(e.scopes.running->lanes[lane.value].notes);
}

void scope_end_region(Engine& e, RegionRecord& record) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= run.budget.tasks.size()) break;
    const TaskBudget& budget = run.budget.tasks[task.lane.value];
    const double share = base_share(*run.scope, record.region, task.lane.value);
    if (share > 0) task.predicted = budget.predicted * share;
    task.fast_bytes = budget.fast_bytes;
  }
  if (SampleSource* source = e.machine->samples()) run.lost_samples += source->drain(run.samples);
}

void scope_close(Engine& e) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  if (e.policy->uses_forecast()) learn_blocks(e, run);
  e.scopes.lost_samples += run.lost_samples;
  stop_noting(e);
  if (!run.lanes.empty() && e.policy->uses_forecast()) {
    std::vector<LaneCounts> counts = count(e, run);
    const bool base = !run.scope->profile;
    if (base) learn_patterns(e, run);
    learn_counts(e, run, counts);
    if (base) {
      run.scope->profile = make_profile(e, run, std::move(counts));
      remember_shares(run);
    }
  }
  ++run.scope->instances;
  e.scopes.running.reset();
  e.counting = e.settings.blocks;
}

}  // namespace lbhm::engine
