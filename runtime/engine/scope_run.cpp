#include "runtime/engine/scope_run.h"

#include "runtime/engine/event_fields.h"
#include "runtime/engine/page_memory.h"
#include "runtime/engine/scope_learn.h"
#include "runtime/engine/scope_predictions.h"

namespace lbhm::engine {
namespace {

/// A region may have had several instances: one of them is what is predicted.
void remember_shares(ScopeInstance& run) {
  for (auto& [region, times] : run.region_time) {
    auto& shares = run.scope->base_share[region];
    shares.resize(times.lanes.size());
    for (std::size_t lane = 0; lane < shares.size(); ++lane) {
      const double all = run.lanes[lane].time.value * times.instances;
      shares[lane] = all > 0 ? times.lanes[lane] / all : 0;
    }
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
  RegionTimes& times = run.region_time[region];
  if (lane.value == 0) ++times.instances;
  if (times.lanes.size() <= lane.value) times.lanes.resize(lane.value + 1);
  times.lanes[lane.value] += time.value;
  measured_lane(run, lane, time, events);
}

void scope_add_blocks(Engine& e, LaneId lane, const BlockCounts& counts) {
  if (!e.scopes.running) return;
  std::vector<double>& sums = e.scopes.running->lanes[lane.value].blocks;
  if (sums.size() < counts.size()) sums.resize(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
  if (e.profile) measured_blocks(*e.scopes.running, counts);
}

void scope_add_notes(Engine& e, LaneId lane, LaneNotes& notes) {
  if (e.scopes.running) notes.move_to(e.scopes.running->lanes[lane.value].notes);
}

void scope_end_region(Engine& e, RegionRecord& record) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  write_predictions(run, record);
  const std::size_t first_sample = run.samples.size();
  // The samples of other policies are their own: tick() takes them.
  if (SampleSource* source = e.machine->samples(); source && e.policy->uses_forecast())
    run.lost_samples += source->drain(run.samples);
  predictions_end_region(e, run, record, first_sample);
}

void scope_close(Engine& e) {
  if (!e.scopes.running) return;
  ScopeInstance& run = *e.scopes.running;
  explain_predictions(e, run);
  if (run.plan) e.scopes.plans[*run.plan].running_error = run.scope->error.mean();
  if (e.policy->uses_forecast()) learn_blocks(e, run);
  e.scopes.lost_samples += run.lost_samples;
  stop_noting(e);
  if (!run.lanes.empty() && e.policy->uses_forecast()) {
    std::vector<LaneCounts> counts = count(e, run);
    const bool base = !run.scope->profile;
    if (base) learn_patterns(e, run);
    learn_counts(e, run, counts);
    ScopeProfile profile = make_profile(e, run, std::move(counts));
    if (base) {
      run.scope->profile = std::move(profile);
      remember_shares(run);
    } else {
      if (e.policy->follows_pages()) follow_pages(*run.scope->profile, profile, e.machine->topology().page);
      learn_times(e, *run.scope, profile);
    }
  }
  ++run.scope->instances;
  e.scopes.running.reset();
  e.counting = e.settings.blocks;
}

}  // namespace lbhm::engine
