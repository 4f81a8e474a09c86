#include "runtime/engine/scope_run.h"

#include <algorithm>

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

AccessCount period_of(Engine& e) { return e.machine->samples() ? e.machine->samples()->period() : AccessCount(1); }

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

ScopeKnowledge learn(Engine& e, const ScopeInstance& run) {
  for (const std::string& complaint : CompiledModules::of_process().hand_over(e.patterns))
    say("the access patterns of a module cannot be read: " + complaint + "; they are found from samples instead");
  std::vector<std::vector<NotedBase>> notes;
  for (const LaneTotals& lane : run.lanes) notes.push_back(lane.notes);
  std::vector<std::optional<PatternKind>> hints;
  for (const SlotRange& object : run.objects) {
    const auto known = e.registry.find(object.address);
    hints.push_back(known ? known->pattern : std::nullopt);
  }
  return learn_patterns(e.patterns, notes, run.samples, period_of(e), run.objects, hints, e.machine->topology().line);
}

/// The counts of an instance, into what is known and into the record of its plan.
void learn_counts(Engine& e, ScopeInstance& run, const std::vector<LaneCounts>& counts) {
  ScopeKnowledge& knowledge = run.scope->knowledge;
  std::vector<AccessCount> sums(run.objects.size());
  for (std::size_t lane = 0; lane < counts.size(); ++lane) {
    const std::vector<AccessCount> counted = by_slot(counts[lane], run.objects.size());
    if (lane < knowledge.size()) observe(knowledge[lane], run.objects, counted, period_of(e));
    for (std::size_t slot = 0; slot < sums.size(); ++slot) sums[slot] += counted[slot];
  }
  if (!run.plan) return;
  std::vector<ObjectRecord>& records = e.scopes.plans[*run.plan].objects;
  for (std::size_t slot = 0; slot < records.size(); ++slot) records[slot].counted = sums[slot];
}

void stop_noting(Engine& e) {
  e.noting = nullptr;
  CompiledModules::of_process().note(false);
}

/// Instances of a task that its blocks' growth is learned from: the last ones. More say little that is new.
constexpr std::size_t remembered_instances = 8;

void learn_blocks(Engine& e, ScopeInstance& run) {
  BlockKnowledge& known = run.scope->blocks;
  BlockInstance instance;
  for (const SlotRange& object : run.objects) instance.sizes.push_back(object.bytes);
  known.seen.resize(std::max(known.seen.size(), run.lanes.size()));
  for (std::size_t lane = 0; lane < run.lanes.size(); ++lane) {
    if (run.lanes[lane].blocks.empty()) continue;
    instance.blocks = run.lanes[lane].blocks;
    auto& seen = known.seen[lane];
    if (seen.size() == remembered_instances) seen.erase(seen.begin());
    seen.push_back(instance);
  }
  if (block_counters() != known.facts.size())
    known.facts = block_facts(block_modules(), e.profile ? &*e.profile : nullptr);
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
    if (base) {
      run.scope->knowledge = learn(e, run);
      run.scope->blocks.elements = elements_of(run.scope->knowledge, run.objects.size());
    }
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
