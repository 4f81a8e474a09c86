// A phase goes on and ends: compare, learn, report.
#include "runtime/loop/phase_loop.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "runtime/base/guarded.h"
#include "runtime/knowledge/compiled_modules.h"
#include "runtime/knowledge/forecast.h"

namespace lbhm {
namespace {

/// Region instances that wait for their explanation at most: what they measured takes memory.
constexpr std::size_t most_unexplained = 64;

TaskRecord task_record(const TaskRun& run, bool blocks) {
  TaskRecord task{.lane = run.number,
                  .name = name_of_task(run.task),
                  .time = run.did.work,
                  .accesses = {},
                  .fast_accesses = {},
                  .fast_bytes = {}};
  for (const AccessCount count : run.did.accesses) task.accesses += count;
  if (!run.did.accesses.empty()) {
    task.fast_accesses = run.did.accesses[0];
    if (run.did.accesses.size() > 2)
      task.middle_accesses.assign(run.did.accesses.begin() + 1, run.did.accesses.end() - 1);
    task.prefetches = run.did.events.prefetches;
    task.useless_prefetches = run.did.events.useless_prefetches;
  }
  for (std::uint32_t counter = 0; blocks && run.lane && counter < run.lane->blocks.size(); ++counter) {
    if (run.lane->blocks[counter] > 0) task.blocks.emplace_back(counter, run.lane->blocks[counter]);
  }
  return task;
}

/// By task, without tiers.
PhaseProfile measured_in(std::span<const TaskRun> tasks, Nanoseconds time, bool blocks) {
  PhaseProfile measured;
  measured.time = time;
  for (const TaskRun& run : tasks) {
    TaskProfile& task = measured.tasks.emplace_back();
    task.lane = run.number;
    task.time = run.did.work;
    task.events = run.did.events;
    if (blocks && run.lane) task.blocks.assign(run.lane->blocks.begin(), run.lane->blocks.end());
  }
  return measured;
}

}  // namespace

PhaseLoop::PhaseLoop(const LoopServices& services, LoopSettings settings)
    : with_(services),
      settings_(std::move(settings)),
      finds_phases_(settings_.finds_phases && settings_.placing &&
                    (settings_.needs.forecast || settings_.needs.phases || services.uses)),
      own_period_(services.samples.period()) {
  with_.samples.follow(SampleFeed::Reader::phases, settings_.needs.forecast);
  with_.samples.follow(SampleFeed::Reader::intervals, settings_.intervals);
  if (settings_.placing && settings_.needs.forecast) with_.samples.rest();  // until there is something to place
}

void PhaseLoop::attach(Lanes& lanes) {
  lanes_ = &lanes;
  lanes.count_blocks(settings_.blocks);
}

void PhaseLoop::do_without_intervals() {
  settings_.intervals = false;
  with_.samples.follow(SampleFeed::Reader::intervals, false);
}

// --- a region ends ---

std::uint32_t PhaseLoop::number_of(const void* code) {
  const std::lock_guard lock(mutex_);
  return with_.recorder.regions().number(code);
}

std::vector<std::string> PhaseLoop::region_names() {
  const std::lock_guard lock(mutex_);
  return with_.recorder.regions().names();
}

const PhaseLoop::PlannedRegion* PhaseLoop::planned_for(const Running& run, std::uint32_t region) const {
  const auto found = run.planned.find(region);
  return found == run.planned.end() ? nullptr : &found->second;
}

void PhaseLoop::region_ended(RegionInstance& region, Nanoseconds end) {
  RegionRecord& record = region.record;
  record.begin = region.begin;
  record.time = end - region.begin;
  record.tasks.clear();
  record.running_error = std::numeric_limits<double>::quiet_NaN();
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  look();
  if (with_.uses) with_.uses->drain();
  record.region = with_.recorder.regions().number(region.code);
  record.instance = with_.recorder.regions().next_instance(record.region);
  TaskIndex unplanned;
  TaskIndex& index = running_ ? running_->instance.phase->tasks[record.region] : unplanned;
  tasks_of(region, index, tasks_);
  for (const TaskRun& task : tasks_) record.tasks.push_back(task_record(task, settings_.blocks && region.counted));
  if (!running_) {
    with_.recorder.add(record, false);
    return;
  }
  PhaseInstance& run = running_->instance;
  RegionRun& part = run.regions[record.region];
  part.add(region, tasks_);
  write_predictions(*running_, record);
  running_->time += record.time;
  const std::size_t first_sample = part.samples.size();
  if (settings_.needs.forecast)  // the samples of other policies are their own
    run.lost_samples += with_.samples.read(SampleFeed::Reader::phases, part.samples);
  if (settings_.bits) with_.found.read(part.found);
  assign(std::span(part.samples).subspan(first_sample), region, index);
  part.add_samples(record.time, first_sample);
  double& rate = run.phase->history.access_rate;
  for (const TaskRecord& task : record.tasks) {
    running_->accesses += task.accesses;
    if (task.time.value > 0) rate = std::max(rate, task.accesses.value / task.time.value);
  }
  compare(*running_, tasks_, region.counted, record, first_sample);
}

/// Writes predictions and budgets of the region that is ending into `record`.
void PhaseLoop::write_predictions(const Running& run, RegionRecord& record) const {
  const PlannedRegion* const planned = planned_for(run, record.region);
  if (!planned) return;
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned->budget.size()) continue;
    const TaskBudget& budget = planned->budget[task.lane.value];
    if (budget.predicted.value > 0) task.predicted = budget.predicted / planned->executions;
    task.fast_bytes = budget.fast_bytes;
  }
}

/// How far off the curves of the tasks were at the shares of accesses that came to the tiers, wherever that was from.
Nanoseconds PhaseLoop::largest_miss(const PlannedRegion& planned, const RegionRecord& record) {
  Nanoseconds missed;
  for (const TaskRecord& task : record.tasks) {
    const std::size_t lane = task.lane.value;
    if (lane >= planned.tasks.size() || !(task.accesses.value > 0)) continue;
    std::vector<double> middle;
    middle.reserve(task.middle_accesses.size());
    for (const AccessCount count : task.middle_accesses) middle.push_back(count / task.accesses);
    const Nanoseconds expected =
        time_at(planned.tasks[lane], task.fast_accesses / task.accesses, planned.middle[lane], middle) /
        planned.executions;
    missed = std::max(missed, Nanoseconds(std::abs((expected - task.time).value)));
  }
  return missed;
}

/// Adds up how far predictions were off, which is cheap, and hands the record on. They are explained later.
void PhaseLoop::compare(Running& run, std::span<const TaskRun> tasks, bool counted, RegionRecord& record,
                        std::size_t first_sample) {
  const PlannedRegion* const planned = run.f ? planned_for(run, record.region) : nullptr;
  if (!planned) {  // no instance had it before: nothing was predicted
    with_.recorder.add(record, false);
    return;
  }
  run.missed += largest_miss(*planned, record);
  run.predicted += record.time;
  for (const TaskRecord& task : record.tasks) {
    record.running_error = with_.recorder.add_error(record.region, task.predicted, task.time);
    run.instance.phase->history.error.add(task.predicted, task.time);
  }
  const bool kept = with_.recorder.keeps_next_region();  // else nobody would read the explanation
  if (kept && run.unexplained.size() == most_unexplained) explain_predictions(run);
  const std::uint64_t number = with_.recorder.add(record, kept);
  if (!kept) return;
  run.unexplained.push_back(
      {.record = number,
       .region = record.region,
       .samples = {first_sample, run.instance.regions.at(record.region).samples.size()},
       .measured = measured_in(tasks, record.time, with_.knowledge.sources().profile && counted)});
}

// --- a phase ends ---

/// What the errors of the regions that have ended are made of: a curve a task.
void PhaseLoop::explain_predictions(Running& run) {
  const Topology& topology = with_.machine.topology();
  for (Unexplained& each : std::exchange(run.unexplained, {})) {
    RegionRecord* record = with_.recorder.record(each.record);
    const RegionKnowledge* const known = with_.knowledge.of(*run.instance.phase).of(each.region);
    if (!record || !known || !known->profile) continue;
    const auto [begin, end] = each.samples;
    const std::span samples = std::span(run.instance.regions.at(each.region).samples).subspan(begin, end - begin);
    std::vector<TaskProfile>& tasks = each.measured.tasks;
    std::vector<LaneCounts> counts =
        count_accesses(samples, with_.samples.period(), {}, static_cast<std::uint32_t>(tasks.size()),
                       topology.tiers.size(), topology.page);
    for (std::size_t lane = 0; lane < tasks.size(); ++lane) {
      tasks[lane].tiers = std::move(counts[lane].tiers);
      tasks[lane].blocks = known->executed.counts(tasks[lane].blocks);
    }
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

void PhaseLoop::stop_noting() {
  lanes_->note_loops(nullptr);
  CompiledModules::of_process().note(false);
}

/// A forecast numbers the regions that are known: one that comes to them changes the numbers.
void PhaseLoop::drop_decision_of_other_regions(const PhaseInstance& run) {
  const PhaseKnowledge& known = with_.knowledge.of(*run.phase);
  if (std::ranges::any_of(run.regions, [&](const auto& region) { return !known.of(region.first); }))
    standing_.erase(run.phase->number);
}

void PhaseLoop::note_scanned(const PhaseInstance& run) {
  for (const auto& [number, region] : run.regions) {
    if (!settings_.bits || with_.knowledge.of(*run.phase).of(number)) continue;
    ++bases_;
    unscanned_ += region.found.empty() ? 1 : 0;
  }
}

void PhaseLoop::close_locked() {
  if (!running_) return;
  PhaseInstance& run = running_->instance;
  PhaseHistory& history = run.phase->history;
  explain_predictions(*running_);
  with_.recorder.lost(run.lost_samples);
  stop_noting();
  PlanRecord* const record = with_.recorder.plan();
  if (settings_.needs.forecast && run.sampled) {
    note_scanned(run);
    drop_decision_of_other_regions(run);
    CountedAccesses counted =
        with_.knowledge.learn(run, hints_for(run), with_.samples.period(), settings_.needs.recent_pages);
    history.profiled = with_.knowledge.of(*run.phase).profiled();
    for (std::size_t slot = 0; record && !run.regions.empty() && slot < record->objects.size(); ++slot) {
      record->objects[slot].counted = counted.sums[slot];
      record->objects[slot].counted_by_lane = std::move(counted.by_lane[slot]);
    }
  }
  if (record) record->running_error = history.error.mean();
  with_.recorder.end_plan();
  ++history.instances;
  history.time = running_->time;
  history.accesses = running_->accesses;
  history.last_error =
      running_->predicted.value > 0 ? std::optional(running_->missed / running_->predicted) : std::nullopt;
  if (history.last_error)
    history.prediction_error = (history.prediction_error + std::min(1.0, *history.last_error)) / 2;
  running_.reset();
  lanes_->count_blocks(settings_.blocks);
}

void PhaseLoop::close() {
  const std::lock_guard lock(mutex_);
  close_locked();
}

void PhaseLoop::forget() {
  const std::lock_guard lock(mutex_);
  stop_noting();
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
    lines.push_back(
        "no phase began: the program never called LB_HM_config, and no iteration of regions was found "
        "(LBHM_FIND_PHASES=on looks for one); policy " +
        std::string(with_.policy.name()) + " made no plan (docs/using.md)");
  if (settings_.placing && settings_.needs.forecast && !phases_.empty() && !forecast_)
    lines.push_back((came_again_
                         ? "phases came again, but none was planned for: they were too short for a forecast, or "
                           "the policy saw no use of one; policy "
                         : "every phase came once: the first time is measured, and there was no second one to "
                           "plan for; policy ") +
                    std::string(with_.policy.name()) + " had what it saw while the regions ran");
  if (!unmanaged_.empty()) lines.push_back(unmanaged_);
  if (!without_bits_.empty()) lines.push_back(without_bits_);
  if (unscanned_ > 0)
    lines.push_back("LBHM_BASE_PROFILE=bits: scans found no page in " + std::to_string(unscanned_) + " of " +
                    std::to_string(bases_) + " base instances of regions, so samples count the accesses of these");
  std::ranges::move(with_.knowledge.patterns().stale(), std::back_inserter(lines));
  if (lanes_->too_deep() > 0)
    lines.push_back("parallel regions nested deeper than 64 levels are part of the region around them");
  if (!model_.refusal().empty()) lines.push_back(model_.refusal());
  return lines;
}

std::string PhaseLoop::report(const RunSummary& run) {
  const std::lock_guard lock(mutex_);
  close_locked();
  return with_.recorder.report(run);
}

}  // namespace lbhm
