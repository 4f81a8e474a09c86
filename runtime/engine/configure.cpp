// LB_HM_config: closes the scope that was running, plans for the one that begins, moves its pages.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>

#include "runtime/base/environment.h"
#include "runtime/base/printable.h"
#include "runtime/engine/eviction.h"
#include "runtime/engine/guarded.h"
#include "runtime/engine/interval_counts.h"
#include "runtime/engine/planned_bytes.h"
#include "runtime/engine/residence.h"
#include "runtime/engine/scope_forecast.h"
#include "runtime/engine/scope_run.h"
#include "runtime/engine/share_folder.h"
#include "runtime/engine/state.h"
#include "runtime/engine/surroundings.h"
#include "runtime/migration/migration.h"

namespace lbhm::engine {
namespace {

/// Without a destructor: registering one takes memory, and glibc ends programs that have none.
constinit thread_local std::array<char, 512> error_of_this_thread{};

std::string describe(std::size_t slot, const void* address) {
  char text[64];
  std::snprintf(text, sizeof text, "object %zu of LB_HM_config (%p)", slot, address);
  return text;
}

/// The range of one configured object. Errors: there is none, its size is unknown, or larger than the allocation.
Result<SlotRange> resolve(const Engine& e, std::size_t slot, const ConfiguredObject& object) {
  const auto address = reinterpret_cast<std::uintptr_t>(object.address);
  if (address == 0)
    return failure(StatusCode::invalid_argument,
                   describe(slot, object.address) + " is null: give the address of its first byte, or leave it out");
  if (object.bytes.value > UINTPTR_MAX - address)
    return failure(StatusCode::invalid_argument, describe(slot, object.address) + " is said to have " +
                                                     std::to_string(object.bytes.value) +
                                                     " bytes, more than there are addresses behind it: correct the "
                                                     "size");
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

/// What was predicted for the tasks of each region. `budget` is empty or in the order of the forecast.
void plan_parts(ScopeInstance& run, const ScopeForecast& scope, const Budget& budget) {
  if (budget.tasks.size() != scope.tasks.size()) return;
  std::size_t task = 0;
  std::uint32_t number = 0;
  for (const auto& [region, part] : run.scope->parts) {
    if (!part.profile) continue;
    PlannedPart& planned = run.planned.parts[region];
    planned.executions = part.executions;
    for (; task < scope.tasks.size() && scope.tasks[task].region == number; ++task) {
      planned.tasks.push_back(scope.tasks[task].times);
      planned.middle.emplace_back();
      for (const MiddleTier& tier : scope.middle) planned.middle.back().push_back(tier.times[task]);
      planned.budget.push_back(budget.tasks[task]);
    }
    ++number;
  }
}

/// For the report: how much of each object is to move to fast memory, at once or later.
void record_planned(const Decision& decision, ScopeInstance& run) {
  for (const MigrationPlan* plan : {&decision.plan, &decision.background}) {
    const std::vector<Bytes> planned = planned_bytes(*plan, TierId(0), run.objects);
    for (std::size_t slot = 0; slot < planned.size(); ++slot) run.object_records[slot].planned += planned[slot];
  }
}

/// Shows the policy the scope and a forecast, if there is one.
Decision ask(Engine& e, const ScopeInstance& run, const ScopeForecast* forecast) {
  std::vector<PlacedObject> objects;
  for (std::size_t slot = 0; slot < run.objects.size(); ++slot) {
    const SlotRange& range = run.objects[slot];
    objects.push_back({range.address, range.bytes, run.object_records[slot].name});
  }
  SampleSource* const source = e.machine->samples();
  if (source && e.own_period.value == 0) e.own_period = source->period();
  const Scope& scope = *run.scope;
  return e.policy->on_phase({.number = e.scopes.begun++,
                             .objects = objects,
                             .machine = e.machine->topology(),
                             .history = {.instances = scope.instances,
                                         .profiled = scope.profiled(),
                                         .last_error = scope.last_error,
                                         .prediction_error = scope.prediction_error,
                                         .access_rate = scope.access_rate},
                             .sample_period = e.own_period,
                             .intervals = e.ticking,
                             .forecast = forecast});
}

/// Carries a decision out. `candidates` may make room; `replacing`: background moves of an earlier plan are over.
MoveReport act(Engine& e, Decision& decision, std::vector<EvictionCandidate> candidates, bool replacing) {
  set_preferred_tier(e, decision.appear);
  MigrationPlan later;
  MoveReport moves = move_in_time(e, decision.plan, candidates, later);
  // What the plan could not do in time comes before what never was urgent.
  const bool cut = !later.moves.empty();
  std::ranges::move(decision.background.moves, std::back_inserter(later.moves));
  if (cut)
    e.mover.replace(std::move(later), std::move(candidates));
  else if (replacing && e.needs.background)
    e.mover.replace(std::move(later));
  e.scopes.migrated += moves.moved;
  return moves;
}

/// Predicts, decides, moves.
Decision place(Engine& e, ScopeInstance& run) {
  const Correlation& f = e.model.choose(e.settings.model, share_folder("models"), e.machine->topology());
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Object> managed = e.registry.all();
  const ScopeForecast scope = scope_forecast(e, run, page_placement_of(*e.machine, managed), f);
  Decision decision = ask(e, run, &scope);
  auto candidates = eviction_candidates(managed, scope);
  const Nanoseconds spent(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());

  record_estimates(scope, run);
  record_planned(decision, run);
  const MoveReport moves = act(e, decision, std::move(candidates), true);
  plan_parts(run, scope, decision.budget);
  run.planned.f = &f;
  e.decision_time += spent;
  run.plan = e.scopes.plans.add({.scope = run.scope->name,
                                 .instance = run.scope->instances,
                                 .decision = spent,
                                 .moves = moves,
                                 .budget = std::move(decision.budget.tasks),
                                 .objects = run.object_records,
                                 .scaling = scaling_of(e.settings),
                                 .tasks = forecast_records(e, run, scope)});
  return decision;
}

/// Nothing can be predicted yet, or is to be.
Decision place_without_forecast(Engine& e, const ScopeInstance& run) {
  Decision decision = ask(e, run, nullptr);
  if (e.placing) act(e, decision, {}, false);
  return decision;
}

/// What was sampled before the scope began is not its own. `period`: Decision::sample_period.
void begin_sampling(Engine& e, ScopeInstance& run, std::optional<AccessCount> period) {
  SampleSource* const source = e.machine->samples();
  if (!source || !e.needs.forecast) return;
  std::vector<AccessSample> before;
  take_samples(e, before);
  if (!period) return;
  run.sampled = period->value > 0;
  source->set_period(*period);
}

/// In the base instance it is noted which loops begin at which objects.
void note_patterns(Engine& e, const ScopeInstance& run) {
  run.scope->index = std::make_unique<SlotIndex>(run.objects);
  e.noting = run.scope->index.get();
  CompiledModules::of_process().note(true);
}

/// Null: one of the objects is none; last_error() says which.
Scope* begin_scope(Engine* e, const void* site, std::span<const ConfiguredObject> objects) {
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
  if (scope.instances == 0) scope.prediction_error = e->needs.assumed_error;
  e->counting = e->settings.blocks || e->needs.forecast;
  run.objects = std::move(ranges);
  run.object_records = std::move(records);
  next_epoch(*e);
  const bool predicted = e->placing && scope.profiled() && e->measuring;
  const Decision decision = predicted ? place(*e, run) : place_without_forecast(*e, run);
  begin_sampling(*e, run, decision.sample_period);
  if (e->needs.forecast && !scope.profiled()) note_patterns(*e, run);
  scope.last_objects = addresses_of(run.objects);
  return &scope;
}

}  // namespace

void* configure(const void* site, std::span<const ConfiguredObject> objects) {
  start();
  Engine* e = engine();
  if (!e) {
    set_last_error(privileged() ? "LB-HM keeps out of privileged programs: nothing is placed"
                                : "LB-HM did not start: the line on the standard error says why");
    return nullptr;
  }
  void* scope = nullptr;
  if (guarded([&] { scope = begin_scope(e, site, objects); })) return scope;
  const std::lock_guard lock(e->mutex);
  e->scopes.running.reset();
  set_last_error("there is no memory for a plan: what follows runs unplanned");
  return nullptr;
}

const char* last_error() { return error_of_this_thread.data(); }

void set_last_error(std::string_view sentence) {
  error_of_this_thread[printable(sentence, std::span(error_of_this_thread).first(error_of_this_thread.size() - 1))] =
      '\0';
}

}  // namespace lbhm::engine
