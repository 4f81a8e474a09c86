#include "runtime/engine/scope_run.h"

#include "runtime/engine/event_fields.h"
#include "runtime/engine/page_memory.h"
#include "runtime/engine/scope_learn.h"
#include "runtime/engine/scope_predictions.h"
#include "runtime/engine/surroundings.h"

namespace lbhm::engine {
namespace {

std::vector<LaneCounts> count(Engine& e, const ScopeInstance& run, const PartRun& part) {
  const Topology& topology = e.machine->topology();
  return count_accesses(part.samples, part.accesses_a_sample(period_of(e)), run.objects,
                        static_cast<std::uint32_t>(part.lanes.size()), topology.tiers.size(), topology.page);
}

ScopeProfile make_profile(const ScopeInstance& run, const PartRun& part, std::vector<LaneCounts> counts) {
  ScopeProfile profile;
  profile.time = part.time;
  for (const SlotRange& object : run.objects) profile.object_bytes.push_back(object.bytes);
  for (LaneCounts& lane : counts) {
    const LaneTotals& totals = part.lanes[lane.lane.value];
    profile.tasks.push_back({.lane = lane.lane,
                             .time = totals.time,
                             .events = totals.events,
                             .tiers = std::move(lane.tiers),
                             .pages = std::move(lane.pages),
                             .blocks = totals.blocks});
  }
  return profile;
}

/// What an instance of the scope says about one of its regions.
void learn(Engine& e, const ScopeInstance& run, PartRun& now, Part& part) {
  part.critical.assign(now.lanes.size(), 0);
  for (std::size_t lane = 0; lane < std::min(now.lanes.size(), now.waited_for.size()); ++lane) {
    if (now.lanes[lane].time.value > 0) part.critical[lane] = now.waited_for[lane] / now.lanes[lane].time;
  }
  learn_blocks(e, run, now, part);
  std::vector<LaneCounts> counts = count(e, run, now);
  const bool base = !part.profile;
  if (base) learn_patterns(e, run, now, part);
  learn_counts(e, run, counts, part);
  ScopeProfile profile = make_profile(run, now, std::move(counts));
  if (base) {
    part.profile = std::move(profile);
    part.executions = now.executions;
    return;
  }
  learn_times(e, part, profile);
  if (e.needs.recent_pages) follow_pages(*part.profile, profile, e.machine->topology().page);
}

void stop_noting(Engine& e) {
  e.noting = nullptr;
  CompiledModules::of_process().note(false);
}

}  // namespace

void scope_add_lane(Engine& e, std::uint32_t region, LaneId lane, Nanoseconds time, const EventCounts& events) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  PartRun& part = run.parts[region];
  if (lane.value == 0) ++part.executions;
  if (part.lanes.size() <= lane.value) part.lanes.resize(lane.value + 1);
  part.lanes[lane.value].time += time;
  part.lanes[lane.value].events += events;
  measured_lane(run, lane, time, events);
}

void scope_add_blocks(Engine& e, std::uint32_t region, LaneId lane, const BlockCounts& counts) {
  if (!e.scopes.running) return;
  std::vector<double>& sums = e.scopes.running->parts[region].lanes[lane.value].blocks;
  if (sums.size() < counts.size()) sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
  if (e.profile) measured_blocks(*e.scopes.running, counts);
}

void scope_add_notes(Engine& e, std::uint32_t region, LaneId lane, LaneNotes& notes) {
  if (e.scopes.running) notes.move_to(e.scopes.running->parts[region].lanes[lane.value].notes);
}

void scope_add_phases(Engine& e, std::uint32_t region, const RegionInstance& instance) {
  if (!e.scopes.running) return;
  std::vector<Nanoseconds>& waited_for = e.scopes.running->parts[region].waited_for;
  waited_for.resize(std::max<std::size_t>(waited_for.size(), instance.lanes));
  for (std::size_t phase = 0;; ++phase) {
    const LaneState* longest = nullptr;
    for (std::uint32_t number = 0; number < instance.lanes; ++number) {
      const LaneState& lane = *instance.states.find(number);
      if (phase < lane.phases.size() && (!longest || lane.phases[phase] > longest->phases[phase])) longest = &lane;
    }
    if (!longest) return;
    waited_for[longest->lane.value] += longest->phases[phase];
  }
}

void scope_end_region(Engine& e, RegionRecord& record) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  write_predictions(run, record);
  PartRun& part = run.parts[record.region];
  const std::size_t first_sample = part.samples.size();
  run.lost_samples += take_samples(e, part.samples);
  part.add_sampled(record.time, first_sample);
  for (const TaskRecord& task : record.tasks) {
    if (task.time.value > 0)
      run.scope->access_rate = std::max(run.scope->access_rate, task.accesses.value / task.time.value);
  }
  predictions_end_region(e, run, record, first_sample);
}

void scope_close(Engine& e) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  explain_predictions(e, run);
  if (PlanRecord* const plan = e.scopes.plans.kept(run.plan)) plan->running_error = run.scope->error.mean();
  e.scopes.lost_samples += run.lost_samples;
  stop_noting(e);
  if (e.needs.forecast && run.sampled) {
    for (auto& [region, part] : run.parts) learn(e, run, part, run.scope->parts[region]);
  }
  ++run.scope->instances;
  run.scope->last_error = run.predicted.value > 0 ? std::optional(run.missed / run.predicted) : std::nullopt;
  if (run.scope->last_error)
    run.scope->prediction_error = (run.scope->prediction_error + std::min(1.0, *run.scope->last_error)) / 2;
  e.scopes.running.reset();
  e.counting = e.settings.blocks;
}

}  // namespace lbhm::engine
