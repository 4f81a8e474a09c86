// A phase begins: forecast, decide, move.
#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/knowledge/compiled_modules.h"
#include "runtime/loop/phase_loop.h"
#include "runtime/migration/candidates.h"
#include "runtime/record/planned_bytes.h"

namespace lbhm {

void* PhaseLoop::begin(const void* site, std::span<const PhaseObject> objects) {
  const std::lock_guard lock(mutex_);
  close_locked();
  Phase& phase = phases_.at(site, objects);
  PhaseKnowledge& known = with_.knowledge.of(phase);
  if (phase.instances == 0) known.prediction_error = settings_.needs.assumed_error;
  running_ = std::make_unique<Running>();
  Running& run = *running_;
  PhaseInstance& instance = run.instance;
  instance.phase = &phase;
  const std::vector<ObjectSlot> slots = phase.slots_of(objects);
  instance.objects.resize(phase.objects);
  instance.names.resize(phase.objects);
  for (std::uint32_t slot = 0; slot < instance.objects.size(); ++slot) instance.objects[slot].slot = ObjectSlot(slot);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const ObjectSlot slot = slots[i];
    instance.objects[slot.value] = {slot, objects[i].address, objects[i].bytes};
    instance.names[slot.value] = objects[i].name;
  }
  lanes_->count_blocks(settings_.blocks || settings_.needs.forecast);
  const Decision decision = plan(run);
  begin_sampling(instance, decision.sample_period);
  if (settings_.needs.forecast && !known.profiled()) {  // in the base instance it is noted which loops begin where
    std::unique_ptr<SlotIndex>& objects_noted = noted_[phase.number];
    objects_noted = std::make_unique<SlotIndex>(instance.objects);
    lanes_->note_loops(objects_noted.get());
    CompiledModules::of_process().note(true);
  }
  phase.last_objects.clear();
  for (const SlotRange& object : instance.objects) phase.last_objects.push_back(object.address);
  return &phase;
}

/// Shows the policy the phase and a forecast, if there is one.
Decision PhaseLoop::ask(const Running& run, const ScopeForecast* forecast) {
  const PhaseInstance& instance = run.instance;
  std::vector<PlacedObject> objects;
  for (std::size_t slot = 0; slot < instance.objects.size(); ++slot) {
    const SlotRange& range = instance.objects[slot];
    if (range.bytes.value > 0) objects.push_back({range.address, range.bytes, instance.names[slot]});
  }
  std::vector<PageRange> unmanaged;
  if (settings_.needs.unmanaged && settings_.placing) unmanaged = with_.machine.unmanaged();
  const Phase& phase = *instance.phase;
  const PhaseKnowledge& known = with_.knowledge.of(phase);
  return with_.policy.on_phase({.number = begun_++,
                                .objects = objects,
                                .machine = with_.machine.topology(),
                                .history = {.instances = phase.instances,
                                            .profiled = known.profiled(),
                                            .last_error = known.last_error,
                                            .prediction_error = known.prediction_error,
                                            .access_rate = phase.access_rate},
                                .sample_period = with_.samples.any() ? own_period_ : AccessCount(0),
                                .intervals = settings_.intervals,
                                .forecast = forecast,
                                .unmanaged = unmanaged});
}

/// Predicts if it can, asks the policy, moves.
Decision PhaseLoop::plan(Running& run) {
  const PhaseKnowledge& known = with_.knowledge.of(*run.instance.phase);
  if (!settings_.placing || !known.profiled() || !lanes_->recording()) {
    const Decision decision = ask(run, nullptr);
    if (!settings_.placing) return decision;
    with_.actor.set_preferred_tier(decision.appear);
    with_.recorder.moved(with_.actor.carry_out_now(decision.plan, {}, decision.background, false).moved);
    return decision;
  }
  run.f = &model_.choose(settings_.model, settings_.models, with_.machine.topology());
  const auto begin = std::chrono::steady_clock::now();
  const PagePlacement& placement = with_.pages.placement(with_.objects);
  const ScopeForecast forecast = with_.knowledge.forecast_of(run.instance, placement, with_.pages.rooms(), *run.f);
  const Decision decision = ask(run, &forecast);
  std::vector<EvictionCandidate> candidates = eviction_candidates(forecast);
  const Nanoseconds spent(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());

  with_.actor.set_preferred_tier(decision.appear);
  const MoveReport moves =
      with_.actor.carry_out_now(decision.plan, std::move(candidates), decision.background, settings_.needs.background);
  with_.recorder.moved(moves.moved);
  with_.recorder.decided(spent);
  record_plan(run, forecast, decision, moves, spent);
  keep_predictions(run, forecast, decision.budget);
  return decision;
}

void PhaseLoop::record_plan(Running& run, const ScopeForecast& forecast, const Decision& decision,
                            const MoveReport& moves, Nanoseconds spent) {
  if (!with_.recorder.keeps_next_plan()) return with_.recorder.begin_plan({});
  const PhaseInstance& instance = run.instance;
  PlanRecord record{.phase = instance.phase->name,
                    .instance = instance.phase->instances,
                    .decision = spent,
                    .moves = moves,
                    .budget = decision.budget.tasks,
                    .objects = {},
                    .scaling = with_.knowledge.sources().scaling,
                    .tasks = {}};
  const auto estimates = with_.knowledge.estimates(instance, forecast);
  for (std::size_t slot = 0; slot < instance.objects.size(); ++slot)
    record.objects.push_back({.name = instance.names[slot],
                              .bytes = instance.objects[slot].bytes,
                              .kind = estimates[slot].kind,
                              .alpha = estimates[slot].alpha,
                              .estimated = estimates[slot].accesses});
  for (const MigrationPlan* plan : {&decision.plan, &decision.background}) {
    const std::vector<Bytes> planned = planned_bytes(*plan, TierId(0), instance.objects);
    for (std::size_t slot = 0; slot < planned.size(); ++slot) record.objects[slot].planned += planned[slot];
  }
  const std::vector<HomogeneousTimes> others = with_.knowledge.times_by_other_rule(instance);
  auto region = with_.knowledge.of(*instance.phase).regions.begin();
  std::uint32_t number = 0;
  for (std::size_t task = 0; task < forecast.tasks.size(); ++task) {
    while (!region->second.profile || number < forecast.tasks[task].region) number += region++->second.profile ? 1 : 0;
    const TaskTimes& planned = forecast.tasks[task].times;
    record.tasks.push_back({.region = region->first,
                            .lane = planned.lane,
                            .planned = {.slow_only = planned.slow_only, .fast_only = planned.fast_only},
                            .other = others[task]});
  }
  with_.recorder.begin_plan(std::move(record));
}

/// `budget` is empty or in the order of the forecast.
void PhaseLoop::keep_predictions(Running& run, const ScopeForecast& forecast, const Budget& budget) {
  if (budget.tasks.size() != forecast.tasks.size()) return;
  std::size_t task = 0;
  std::uint32_t number = 0;
  for (const auto& [name, region] : with_.knowledge.of(*run.instance.phase).regions) {
    if (!region.profile) continue;
    PlannedRegion& planned = run.planned[name];
    planned.executions = region.executions;
    for (; task < forecast.tasks.size() && forecast.tasks[task].region == number; ++task) {
      planned.tasks.push_back(forecast.tasks[task].times);
      planned.budget.push_back(budget.tasks[task]);
      planned.middle.emplace_back();
      for (const MiddleTier& tier : forecast.middle) planned.middle.back().push_back(tier.times[task]);
    }
    ++number;
  }
}

/// What was sampled before the phase began is not its own. `period`: Decision::sample_period.
void PhaseLoop::begin_sampling(PhaseInstance& run, std::optional<AccessCount> period) {
  if (!with_.samples.any() || !settings_.needs.forecast) return;
  std::vector<AccessSample> before;
  with_.samples.read(SampleFeed::Reader::phases, before);
  if (!period) return;
  run.sampled = period->value > 0;
  with_.samples.set_period(*period);
}

}  // namespace lbhm
