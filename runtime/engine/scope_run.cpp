#include "runtime/engine/scope_run.h"

namespace lbhm::engine {
namespace {

void accumulate(EventCounts& sum, const EventCounts& more) {
  sum.instructions += more.instructions;
  sum.cycles += more.cycles;
  sum.memory_wait_cycles += more.memory_wait_cycles;
  sum.l2_load_misses += more.l2_load_misses;
  sum.l3_load_misses += more.l3_load_misses;
  sum.llc_misses += more.llc_misses;
  sum.prefetches += more.prefetches;
  sum.prefetch_misses += more.prefetch_misses;
  sum.branches += more.branches;
  sum.branch_mispredictions += more.branch_mispredictions;
  sum.vector_instructions += more.vector_instructions;
  sum.useless_prefetches += more.useless_prefetches;
}

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

ScopeProfile make_profile(Engine& e, ScopeInstance& run) {
  const Topology& topology = e.machine->topology();
  ScopeProfile profile;
  profile.time = e.machine->execution().now() - run.begin;
  for (const SlotRange& object : run.objects) profile.object_bytes.push_back(object.bytes);
  const AccessCount period = e.machine->samples() ? e.machine->samples()->period() : AccessCount(1);
  auto counts = count_accesses(run.samples, period, run.objects, static_cast<std::uint32_t>(run.lanes.size()),
                               topology.tiers.size(), topology.page);
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

}  // namespace

void scope_add_lane(Engine& e, std::uint32_t region, LaneId lane, Nanoseconds time, const EventCounts& events) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  if (run.lanes.size() <= lane.value) run.lanes.resize(lane.value + 1);
  run.lanes[lane.value].time += time;
  accumulate(run.lanes[lane.value].events, events);
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
  e.scopes.lost_samples += run.lost_samples;
  if (!run.scope->profile && !run.lanes.empty() && e.policy->uses_forecast()) {
    run.scope->profile = make_profile(e, run);
    remember_shares(run);
  }
  ++run.scope->instances;
  e.scopes.running.reset();
  e.counting = e.settings.blocks;
}

}  // namespace lbhm::engine
