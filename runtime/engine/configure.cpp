// LB_HM_config: closes the scope that was running, plans for the one that begins, moves its pages.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
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

/// Predicts, decides, moves.
void place(Engine& e, ScopeInstance& run) {
  const Correlation& f = e.model.choose(e.settings.model, share_folder("models"), e.machine->topology());
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Object> managed = e.registry.all();
  const ScopeForecast scope = scope_forecast(e, run, residence_of(*e.machine, managed), f);
  Decision decision = e.policy->decide(scope);
  const auto candidates = eviction_candidates(managed, scope);
  const Nanoseconds spent(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());

  record_estimates(scope, run);
  record_planned(decision, run);
  let_appear(e, decision.appear);
  MigrationPlan later;
  const MoveReport moves = move_in_time(e, decision.plan, candidates, later);
  // What the plan could not do in time comes before what never was urgent.
  const bool cut = !later.moves.empty();
  std::ranges::move(decision.background.moves, std::back_inserter(later.moves));
  if (cut)
    e.mover.replace(std::move(later), candidates);
  else if (e.policy->moves_in_background())
    e.mover.replace(std::move(later));
  plan_parts(run, scope, decision.budget);
  run.planned.f = &f;
  e.decision_time += spent;
  e.scopes.migrated += moves.moved;
  run.plan = e.scopes.plans.add({.scope = run.scope->name,
                                 .instance = run.scope->instances,
                                 .decision = spent,
                                 .moves = moves,
                                 .budget = std::move(decision.budget.tasks),
                                 .objects = run.object_records,
                                 .scaling = scaling_of(e.settings),
                                 .tasks = forecast_records(e, run, scope)});
}

/// A sample costs about this much: S. Akiyama, T. Hirofuchi, "Quantitative Evaluation of Intel PEBS Overhead for Online
/// System-Noise Analysis", ROSS 2017: 200 to 300 ns.
constexpr double sample_ns = 250;
/// What a policy that samples until predictions are right spends on it behind the base instance at most, of a task's
/// time: a tenth of what predictions are off. An assumption: less than what better placement gains then.
constexpr double sampling_share = 0.1, least_doubt = 0.01;

/// What was sampled before the scope began is not its own.
void begin_sampling(Engine& e, ScopeInstance& run) {
  SampleSource* const source = e.machine->samples();
  if (!source || !e.policy->uses_forecast()) return;
  std::vector<AccessSample> before;
  take_samples(e, before);
  if (!e.policy->samples_until_settled()) return;
  const Scope& scope = *run.scope;
  run.sampled = !scope.settled;
  if (e.own_period.value == 0) e.own_period = source->period();
  const double cheap = std::ceil(scope.access_rate * sample_ns / (sampling_share * std::max(scope.doubt, least_doubt)));
  const bool all = !scope.profiled() || (e.ticking && scope.doubt > trusted_doubt);  // samples are all that there is
  const AccessCount period = all ? e.own_period : std::max(e.own_period, AccessCount(cheap));
  source->set_period(run.sampled ? period : AccessCount(0));
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
  e->counting = e->settings.blocks || e->policy->uses_forecast();
  run.objects = std::move(ranges);
  run.object_records = std::move(records);
  next_epoch(*e);
  if (e->placing) tell_scope_begins(*e, run);
  if (e->placing && scope.profiled() && e->measuring) place(*e, run);
  begin_sampling(*e, run);
  if (e->policy->uses_forecast() && !scope.profiled()) note_patterns(*e, run);
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
