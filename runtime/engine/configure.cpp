// LB_HM_config: closes the scope that was running, plans for the one that begins, moves its pages.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "lbhm/migration.h"
#include "runtime/engine/eviction.h"
#include "runtime/engine/forecast.h"
#include "runtime/engine/interval_counts.h"
#include "runtime/engine/scope_run.h"
#include "runtime/engine/share_folder.h"
#include "runtime/engine/state.h"
#include "runtime/engine/surroundings.h"

namespace lbhm::engine {
namespace {

thread_local std::string error_of_this_thread;

std::string describe(std::size_t slot, const void* address) {
  char text[64];
  std::snprintf(text, sizeof text, "object %zu of LB_HM_config (%p)", slot, address);
  return text;
}

/// The range of one configured object. Errors: its size is unknown, or larger than the allocation.
Result<SlotRange> resolve(const Engine& e, std::size_t slot, const ConfiguredObject& object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object.address);
  const auto known = e.registry.find(address);
  const Bytes limit = known ? Bytes(known->address + known->bytes.value - address) : object.bytes;
  if (object.bytes.value == 0 && !known)
    return failure(StatusCode::invalid_argument,
                   describe(slot, object.address) +
                       " is not managed, so its size is unknown: give the size, or allocate it with lbhm_managed");
  if (object.bytes > limit)
    return failure(StatusCode::invalid_argument, describe(slot, object.address) + " is said to have " +
                                                     std::to_string(object.bytes.value) + " bytes, but only " +
                                                     std::to_string(limit.value) + " are allocated: correct the size");
  return SlotRange{.slot = ObjectSlot(static_cast<std::uint32_t>(slot)),
                   .address = address,
                   .bytes = object.bytes.value ? object.bytes : limit};
}

/// What the report calls an object: the name given here, or the one it was allocated with.
ObjectRecord record_of(const Engine& e, const ConfiguredObject& object, const SlotRange& range) {
  if (object.name) return {.name = object.name, .bytes = range.bytes};
  const auto known = e.registry.find(range.address);
  return {.name = known ? known->name : "", .bytes = range.bytes};
}

/// Room for managed objects in tier 0: what is free, and what they hold already.
Bytes fast_capacity_for_objects(Engine& e, std::span<const Object> managed) {
  const std::uint64_t page = e.machine->topology().page.value;
  Bytes fast = e.machine->room(TierId(0));
  std::vector<std::uintptr_t> pages;
  std::vector<TierId> tiers;
  for (const Object& object : managed) {
    if (!object.migratable) continue;
    pages.resize((object.bytes.value + page - 1) / page);
    tiers.resize(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = object.address + i * page;
    e.machine->where(pages, tiers);
    fast += Bytes(static_cast<std::uint64_t>(std::count(tiers.begin(), tiers.end(), TierId(0))) * page);
  }
  return fast;
}

/// The scope's knowledge as the model wants it, for the sizes of this instance.
InputModel input_model(const Engine& e, const Scope& scope) {
  return {.objects = scope.knowledge,
          .blocks = &scope.blocks,
          .stencils = &e.stencils,
          .scaling = e.settings.scaling == "cosine" ? InputScaling::cosine : InputScaling::sizes,
          .times = scope.times};
}

/// What was expected of each object, all tasks together, for the report.
void record_estimates(const ScopeProfile& profile, const ScopeForecast& forecast, ScopeInstance& run) {
  std::vector<AccessCount> base(run.objects.size());
  for (const TaskProfile& task : profile.tasks) {
    for (const PageCount& page : task.pages)
      if (page.slot.value < base.size()) base[page.slot.value] += page.count;
  }
  for (const TaskForecast& task : forecast.tasks) {
    for (const ExtentEstimate& extent : task.accesses.extents)
      run.object_records[extent.slot.value].estimated += extent.count;
  }
  for (std::size_t slot = 0; slot < base.size() && slot < profile.object_bytes.size(); ++slot) {
    ObjectRecord& record = run.object_records[slot];
    record.kind = kind_of(run.scope->knowledge, slot);
    const AccessCount plain = estimated_accesses(base[slot], profile.object_bytes[slot], record.bytes, 1);
    if (record.estimated.value > 0) record.alpha = plain / record.estimated;
  }
}

std::vector<TaskForecastRecord> task_records(const ScopeProfile& profile, const ScopeForecast& forecast,
                                             const ScopeInstance& run, const Topology& topology,
                                             const InputModel& input) {
  const auto rule = input.scaling == InputScaling::sizes ? InputScaling::cosine : InputScaling::sizes;
  const auto others = homogeneous_forecast(profile, sizes_of(run.objects), topology, input, rule);
  std::vector<TaskForecastRecord> records;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const TaskTimes& planned = forecast.tasks[i].times;
    records.push_back({.lane = planned.lane,
                       .planned = {.slow_only = planned.slow_only, .fast_only = planned.fast_only},
                       .other = others[i]});
  }
  return records;
}

/// Predicts, decides, moves.
void place(Engine& e, const ScopeProfile& profile, ScopeInstance& run) {
  const Correlation& f = e.model.choose(e.settings.model, share_folder("models"), e.machine->topology());
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Object> managed = e.registry.all();
  const InputModel input = input_model(e, *run.scope);
  const ScopeForecast scope =
      forecast(profile, run.objects, e.machine->topology(), fast_capacity_for_objects(e, managed), f, input);
  Decision decision = e.policy->decide(scope);
  const auto candidates = eviction_candidates(managed, scope);
  const Nanoseconds spent(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());

  record_estimates(profile, scope, run);
  const MoveReport moves = carry_out(*e.machine, decision.plan, candidates);
  run.budget = std::move(decision.budget);
  run.planned.f = &f;
  for (const TaskForecast& task : scope.tasks) run.planned.tasks.push_back(task.times);
  e.decision_time += spent;
  e.scopes.migrated += moves.moved;
  run.plan = e.scopes.plans.size();
  e.scopes.plans.push_back({.scope = run.scope->name,
                            .instance = run.scope->instances,
                            .decision = spent,
                            .moves = moves,
                            .budget = run.budget.tasks,
                            .objects = run.object_records,
                            .scaling = input.scaling,
                            .tasks = task_records(profile, scope, run, e.machine->topology(), input)});
}

/// In the base instance it is noted which loops begin at which objects.
void note_patterns(Engine& e, const ScopeInstance& run) {
  run.scope->index = std::make_unique<SlotIndex>(run.objects);
  e.noting = run.scope->index.get();
  CompiledModules::of_process().note(true);
}

}  // namespace

void* configure(const void* site, std::span<const ConfiguredObject> objects) {
  start();
  Engine* e = engine();
  if (!e) {
    set_last_error("LB-HM did not start: the line on the standard error says why");
    return nullptr;
  }
  std::vector<SlotRange> ranges;
  std::vector<ObjectRecord> records;
  for (std::size_t slot = 0; slot < objects.size(); ++slot) {
    auto range = resolve(*e, slot, objects[slot]);
    if (!range) {
      set_last_error(range.error().message());
      return nullptr;
    }
    ranges.push_back(*range);
    records.push_back(record_of(*e, objects[slot], *range));
  }
  end_serial_interval(*e);
  const std::lock_guard lock(e->mutex);
  scope_close(*e);
  Scope& scope = e->scopes.table.at(site, ranges, records);
  ScopeInstance& run = e->scopes.running.emplace();
  run.scope = &scope;
  e->counting = e->settings.blocks || e->policy->uses_forecast();
  run.objects = std::move(ranges);
  run.object_records = std::move(records);
  next_epoch(*e);
  if (e->placing) tell_scope_begins(*e, run);
  if (e->placing && scope.profile && e->measuring) place(*e, *scope.profile, run);
  if (SampleSource* source = e->machine->samples(); source && e->policy->uses_forecast()) {
    source->drain(run.samples);  // what was sampled before the scope began is not its own
    run.samples.clear();
  }
  if (e->policy->uses_forecast() && !scope.profile) note_patterns(*e, run);
  run.begin = e->machine->execution().now();
  return &scope;
}

const char* last_error() { return error_of_this_thread.c_str(); }

void set_last_error(std::string sentence) { error_of_this_thread = std::move(sentence); }

}  // namespace lbhm::engine
