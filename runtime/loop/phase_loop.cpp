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

/// Writes predictions and budgets into the record of a region.
void write_predictions(const PlannedRegion& planned, RegionRecord& record) {
  for (TaskRecord& task : record.tasks) {
    if (task.lane.value >= planned.budget.size()) continue;
    const TaskBudget& budget = planned.budget[task.lane.value];
    if (budget.predicted.value > 0) task.predicted = budget.predicted / planned.executions;
    task.fast_bytes = budget.fast_bytes;
  }
}

/// How far off the curves of the tasks were at the shares of accesses that came to the tiers, wherever that was from.
Nanoseconds largest_miss(const PlannedRegion& planned, const RegionRecord& record) {
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

}  // namespace

PhaseLoop::PhaseLoop(const LoopServices& services, LoopSettings settings)
    : with_(services),
      settings_(std::move(settings)),
      finds_phases_(settings_.finds_phases && settings_.placing &&
                    (settings_.needs.forecast || settings_.needs.phases || services.uses)) {
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

/// Whoever wants to know of the region hears of it here: in this order, for each reads what those before it wrote.
void PhaseLoop::region_ended(RegionInstance& region, Nanoseconds end) {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  look();
  if (with_.uses) with_.uses->drain();
  RegionRecord& record = region.record;
  record.region = with_.recorder.regions().number(region.code);
  record.instance = with_.recorder.regions().next_instance(record.region);
  record.begin = region.begin;
  record.time = end - region.begin;
  record.tasks.clear();
  TaskIndex unplanned;
  TaskIndex& index = running_ ? running_->instance.phase->tasks[record.region] : unplanned;
  tasks_of(region, index, tasks_);
  for (const TaskRun& task : tasks_) record.tasks.push_back(task_record(task, settings_.blocks && region.counted));
  if (running_) compare(*running_, add_to_phase(*running_, region, index), region);
  with_.recorder.add(record);
}

/// What is learned when the phase ends. Returns the samples of the region, as far as they are kept.
std::span<const AccessSample> PhaseLoop::add_to_phase(Running& running, const RegionInstance& region,
                                                      TaskIndex& index) {
  const RegionRecord& record = region.record;
  PhaseInstance& run = running.instance;
  RegionRun& part = run.regions[record.region];
  part.add(region, tasks_);
  const std::size_t first_sample = part.samples.size();
  if (settings_.needs.forecast)  // the samples of other policies are their own
    with_.recorder.lost(with_.samples.read(SampleFeed::Reader::phases, part.samples));
  if (settings_.bits) with_.found.read(part.found);
  assign(std::span(part.samples).subspan(first_sample), region, index);
  part.add_samples(record.time, first_sample);
  running.time += record.time;
  return std::span(part.samples).subspan(first_sample);
}

/// What was predicted of the region, how far off that was, and of one that the report shows, why.
void PhaseLoop::compare(Running& run, std::span<const AccessSample> samples, RegionInstance& region) {
  RegionRecord& record = region.record;
  const auto planned = run.planned.find(record.region);
  if (planned == run.planned.end()) return;  // no instance had it before
  write_predictions(planned->second, record);
  run.missed += largest_miss(planned->second, record);
  run.predicted += record.time;
  for (const TaskRecord& task : record.tasks) run.instance.phase->history.error.add(task.predicted, task.time);
  if (!with_.recorder.keeps_next_region()) return;
  const RegionKnowledge& known = with_.knowledge.of(*run.instance.phase).at(record.region);
  const auto errors = explain(planned->second, known, measured_in(region, samples, known.executed), record.tasks,
                              with_.machine.topology());
  for (std::size_t task = 0; task < errors.size(); ++task) record.tasks[task].error = errors[task];
}

/// What the tasks of the region that ends did, without pages.
PhaseProfile PhaseLoop::measured_in(const RegionInstance& region, std::span<const AccessSample> samples,
                                    const ExecutedBlocks& executed) const {
  const Topology& topology = with_.machine.topology();
  auto counts = count_accesses(samples, with_.samples.period(), {}, static_cast<std::uint32_t>(tasks_.size()),
                               topology.tiers.size(), topology.page);
  PhaseProfile measured;
  measured.time = region.record.time;
  for (const TaskRun& run : tasks_) {
    TaskProfile& task = measured.tasks.emplace_back();
    task.lane = run.number;
    task.time = run.did.work;
    task.events = run.did.events;
    task.tiers = std::move(counts[run.number.value].tiers);
    if (!with_.knowledge.sources().profile || !region.counted || !run.lane) continue;
    task.blocks = executed.counts(std::vector<double>(run.lane->blocks.begin(), run.lane->blocks.end()));
  }
  return measured;
}

// --- a phase ends ---

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

/// A forecast numbers the regions that are known: one that comes to them changes the numbers, and no decision stands.
void PhaseLoop::note_new_regions(const PhaseInstance& run) {
  for (const auto& [number, region] : run.regions) {
    if (with_.knowledge.of(*run.phase).contains(number)) continue;
    standing_.erase(run.phase->number);
    if (!settings_.bits) continue;
    ++bases_;
    unscanned_ += region.found.empty() ? 1 : 0;
  }
}

void PhaseLoop::close_locked() {
  if (!running_) return;
  PhaseInstance& run = running_->instance;
  PhaseHistory& history = run.phase->history;
  stop_noting();
  PlanRecord* const record = with_.recorder.plan();
  if (settings_.needs.forecast) {
    note_new_regions(run);
    CountedAccesses counted =
        with_.knowledge.learn(run, hints_for(run), with_.samples.period(), settings_.needs.recent_pages);
    history.profiled = !with_.knowledge.of(*run.phase).empty();
    for (std::size_t slot = 0; record && !run.regions.empty() && slot < record->objects.size(); ++slot) {
      record->objects[slot].counted = counted.sums[slot];
      record->objects[slot].counted_by_lane = std::move(counted.by_lane[slot]);
    }
  }
  if (record) record->running_error = history.error.mean();
  with_.recorder.end_plan();
  ++history.instances;
  history.time = running_->time;
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
