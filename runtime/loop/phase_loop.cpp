#include "runtime/loop/phase_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "runtime/knowledge/compiled_modules.h"
#include "runtime/knowledge/forecast.h"
#include "runtime/migration/candidates.h"
#include "runtime/placement/page_tracker.h"
#include "runtime/record/planned_bytes.h"

namespace lbhm {
namespace {

/// Region instances that wait for their explanation at most: what they measured takes memory.
constexpr std::size_t most_unexplained = 64;

TaskRecord task_record(const LaneState& state, bool blocks) {
  TaskRecord task{.lane = state.lane, .time = state.busy, .accesses = {}, .fast_accesses = {}, .fast_bytes = {}};
  for (const AccessCount count : state.accesses) task.accesses += count;
  if (!state.accesses.empty()) {
    task.fast_accesses = state.accesses[0];
    task.prefetches = state.events.prefetches;
    task.useless_prefetches = state.events.useless_prefetches;
  }
  for (std::uint32_t counter = 0; blocks && counter < state.blocks.size(); ++counter) {
    if (state.blocks[counter] > 0) task.blocks.emplace_back(counter, state.blocks[counter]);
  }
  return task;
}

/// By lane, without tiers.
ScopeProfile measured_in(const RegionInstance& region, Nanoseconds time, bool blocks) {
  ScopeProfile measured;
  measured.time = time;
  for (std::uint32_t lane = 0; lane < region.lanes; ++lane) {
    const LaneState& state = *region.states.find(lane);
    TaskProfile& task = measured.tasks.emplace_back();
    task.lane = LaneId(lane);
    task.time = state.busy;
    task.events = state.events;
    if (blocks) task.blocks.assign(state.blocks.begin(), state.blocks.end());
  }
  return measured;
}

/// How far off the curves of the tasks were at the shares of fast accesses that they came to, wherever that was from.
Nanoseconds largest_miss(std::span<const TaskTimes> planned, double executions, const RegionRecord& record) {
  Nanoseconds missed;
  for (const TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned.size() || !(task.accesses.value > 0)) continue;
    const Nanoseconds expected = time_at(planned[task.lane.value], task.fast_accesses / task.accesses) / executions;
    missed = std::max(missed, Nanoseconds(std::abs((expected - task.time).value)));
  }
  return missed;
}

}  // namespace

PhaseLoop::PhaseLoop(const LoopServices& services, LoopSettings settings)
    : with_(services), settings_(std::move(settings)), own_period_(services.samples.period()) {
  with_.samples.follow(SampleFeed::Reader::phases, settings_.needs.forecast);
  with_.samples.follow(SampleFeed::Reader::intervals, settings_.intervals);
}

void PhaseLoop::attach(Lanes& lanes) {
  lanes_ = &lanes;
  lanes.count_blocks(settings_.blocks);
}

void PhaseLoop::do_without_intervals() {
  settings_.intervals = false;
  with_.samples.follow(SampleFeed::Reader::intervals, false);
}

// --- a phase begins ---

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
  instance.objects.resize(phase.objects.size());
  instance.names.resize(phase.objects.size());
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
    noted_ = std::make_unique<SlotIndex>(instance.objects);
    lanes_->note_loops(noted_.get());
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
                                .forecast = forecast});
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
  const ScopeForecast forecast = with_.knowledge.forecast_of(run.instance, placement, with_.pages.room(), *run.f);
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

// --- a region ends ---

std::uint32_t PhaseLoop::number_of(const void* code) {
  const std::lock_guard lock(mutex_);
  return with_.recorder.regions().number(code);
}

const PhaseLoop::PlannedRegion* PhaseLoop::planned_for(const Running& run, std::uint32_t region) const {
  const auto found = run.planned.find(region);
  return found == run.planned.end() ? nullptr : &found->second;
}

void PhaseLoop::region_ended(RegionInstance& region, Nanoseconds end) {
  RegionRecord& record = region.record;
  record.time = end - region.begin;
  record.tasks.clear();
  record.running_error = std::numeric_limits<double>::quiet_NaN();
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  record.region = with_.recorder.regions().number(region.code);
  record.instance = with_.recorder.regions().next_instance(record.region);
  for (std::uint32_t lane = 0; lane < region.lanes; ++lane)
    record.tasks.push_back(task_record(*region.states.find(lane), settings_.blocks && region.counted));
  if (!running_) {
    with_.recorder.add(record, false);
    return;
  }
  PhaseInstance& run = running_->instance;
  RegionRun& part = run.regions[record.region];
  part.add(region);
  write_predictions(*running_, record);
  const std::size_t first_sample = part.samples.size();
  if (settings_.needs.forecast)  // the samples of other policies are their own
    run.lost_samples += with_.samples.read(SampleFeed::Reader::phases, part.samples);
  part.add_samples(record.time, first_sample);
  for (const TaskRecord& task : record.tasks) {
    if (task.time.value > 0)
      run.phase->access_rate = std::max(run.phase->access_rate, task.accesses.value / task.time.value);
  }
  compare(*running_, region, record, first_sample);
}

/// Writes predictions and budgets of the region that is ending into `record`.
void PhaseLoop::write_predictions(const Running& run, RegionRecord& record) const {
  const PlannedRegion* const planned = planned_for(run, record.region);
  if (!planned) return;
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned->budget.size()) break;
    const TaskBudget& budget = planned->budget[task.lane.value];
    if (budget.predicted.value > 0) task.predicted = budget.predicted / planned->executions;
    task.fast_bytes = budget.fast_bytes;
  }
}

/// Adds up how far predictions were off, which is cheap, and hands the record on. They are explained later.
void PhaseLoop::compare(Running& run, const RegionInstance& region, RegionRecord& record, std::size_t first_sample) {
  const PlannedRegion* const planned = run.f ? planned_for(run, record.region) : nullptr;
  if (!planned) {  // no instance had it before: nothing was predicted
    with_.recorder.add(record, false);
    return;
  }
  run.missed += largest_miss(planned->tasks, planned->executions, record);
  run.predicted += record.time;
  PhaseKnowledge& known = with_.knowledge.of(*run.instance.phase);
  for (const TaskRecord& task : record.tasks) {
    record.running_error = with_.recorder.add_error(record.region, task.predicted, task.time);
    known.error.add(task.predicted, task.time);
  }
  const bool kept = with_.recorder.keeps_next_region();  // else nobody would read the explanation
  if (kept && run.unexplained.size() == most_unexplained) explain_predictions(run);
  const std::uint64_t number = with_.recorder.add(record, kept);
  if (!kept) return;
  run.unexplained.push_back(
      {.record = number,
       .region = record.region,
       .samples = {first_sample, run.instance.regions.at(record.region).samples.size()},
       .measured = measured_in(region, record.time, with_.knowledge.sources().profile && region.counted)});
}

// --- a phase ends ---

/// What the errors of the regions that have ended are made of: a curve a task.
void PhaseLoop::explain_predictions(Running& run) {
  const Topology& topology = with_.machine.topology();
  for (Unexplained& each : std::exchange(run.unexplained, {})) {
    RegionRecord* record = with_.recorder.record(each.record);
    const RegionKnowledge* const known = with_.knowledge.of(*run.instance.phase).of(each.region);
    if (!record || !known) continue;
    const auto [begin, end] = each.samples;
    const std::span samples = std::span(run.instance.regions.at(each.region).samples).subspan(begin, end - begin);
    std::vector<TaskProfile>& tasks = each.measured.tasks;
    std::vector<LaneCounts> counts =
        count_accesses(samples, with_.samples.period(), {}, static_cast<std::uint32_t>(tasks.size()),
                       topology.tiers.size(), topology.page);
    for (std::size_t lane = 0; lane < tasks.size(); ++lane) tasks[lane].tiers = std::move(counts[lane].tiers);
    const PlannedRegion& planned = *planned_for(run, each.region);
    const auto errors = explain({.base = &*known->profile,
                                 .planned = planned.tasks,
                                 .executions = planned.executions,
                                 .budgets = planned.budget,
                                 .f = run.f,
                                 .facts = known->blocks.facts},
                                each.measured, record->tasks, topology);
    for (std::size_t lane = 0; lane < errors.size(); ++lane) {
      record->tasks[lane].error = errors[lane];
      with_.recorder.explained(errors[lane]);
    }
  }
  with_.recorder.close_regions();
}

/// By slot.
std::vector<std::optional<PatternKind>> PhaseLoop::hints_for(const PhaseInstance& run) const {
  std::vector<std::optional<PatternKind>> hints;
  for (const SlotRange& object : run.objects) {
    const auto known = with_.objects.find(object.address);
    hints.push_back(known ? known->pattern : std::nullopt);
  }
  return hints;
}

void PhaseLoop::close_locked() {
  if (!running_) return;
  PhaseInstance& run = running_->instance;
  PhaseKnowledge& known = with_.knowledge.of(*run.phase);
  explain_predictions(*running_);
  with_.recorder.lost(run.lost_samples);
  lanes_->note_loops(nullptr);
  CompiledModules::of_process().note(false);
  PlanRecord* const record = with_.recorder.plan();
  if (settings_.needs.forecast && run.sampled) {
    CountedAccesses counted =
        with_.knowledge.learn(run, hints_for(run), with_.samples.period(), settings_.needs.recent_pages);
    for (std::size_t slot = 0; record && !run.regions.empty() && slot < record->objects.size(); ++slot) {
      record->objects[slot].counted = counted.sums[slot];
      record->objects[slot].counted_by_lane = std::move(counted.by_lane[slot]);
    }
  }
  if (record) record->running_error = known.error.mean();
  with_.recorder.end_plan();
  ++run.phase->instances;
  known.last_error =
      running_->predicted.value > 0 ? std::optional(running_->missed / running_->predicted) : std::nullopt;
  if (known.last_error) known.prediction_error = (known.prediction_error + std::min(1.0, *known.last_error)) / 2;
  running_.reset();
  noted_.reset();
  lanes_->count_blocks(settings_.blocks);
}

void PhaseLoop::close() {
  const std::lock_guard lock(mutex_);
  close_locked();
}

void PhaseLoop::forget() {
  const std::lock_guard lock(mutex_);
  running_.reset();
}

// --- the run ends ---

void PhaseLoop::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
}

std::vector<std::string> PhaseLoop::remarks() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  if (settings_.placing && settings_.needs.forecast && phases_.empty())
    lines.push_back("the program never called LB_HM_config: policy " + std::string(with_.policy.name()) +
                    " had nothing to plan for; call it before the parallel region (docs/using.md)");
  std::ranges::move(with_.knowledge.patterns().stale(), std::back_inserter(lines));
  if (lanes_->too_deep() > 0)
    lines.push_back("parallel regions nested deeper than 64 levels are part of the region around them");
  if (!model_.refusal().empty()) lines.push_back(model_.refusal());
  return lines;
}

Result<std::string> PhaseLoop::report(const RunSummary& run) {
  const std::lock_guard lock(mutex_);
  close_locked();
  return with_.recorder.report(run);
}

}  // namespace lbhm
