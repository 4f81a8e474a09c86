// LB_HM_config: closes the scope that was running, plans for the one that begins, moves its pages.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "lbhm/migration.h"
#include "runtime/engine/eviction.h"
#include "runtime/engine/forecast.h"
#include "runtime/engine/scope_run.h"
#include "runtime/engine/state.h"

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

/// Predicts, decides, moves.
void place(Engine& e, const ScopeProfile& profile, ScopeInstance& run) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Object> managed = e.registry.all();
  const ScopeForecast scope = forecast(profile, run.objects, e.machine->topology(),
                                       fast_capacity_for_objects(e, managed), analytic_correlation());
  Decision decision = e.policy->decide(scope);
  const auto candidates = eviction_candidates(managed, scope);
  const Nanoseconds spent(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());

  const MoveReport moves = carry_out(*e.machine, decision.plan, candidates);
  run.budget = std::move(decision.budget);
  e.decision_time += spent;
  e.scopes.migrated += moves.moved;
  e.scopes.plans.push_back({.scope = run.scope->name,
                            .instance = run.scope->instances,
                            .decision = spent,
                            .moves = moves,
                            .budget = run.budget.tasks,
                            .objects = run.object_records});
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
  const std::lock_guard lock(e->mutex);
  scope_close(*e);
  Scope& scope = e->scopes.table.at(site, ranges, records);
  ScopeInstance& run = e->scopes.running.emplace();
  run.scope = &scope;
  e->counting = e->settings.blocks || e->policy->uses_forecast();
  run.objects = std::move(ranges);
  run.object_records = std::move(records);
  if (e->placing && scope.profile && e->measuring) place(*e, *scope.profile, run);
  if (SampleSource* source = e->machine->samples()) {
    source->drain(run.samples);  // what was sampled before the scope began is not its own
    run.samples.clear();
  }
  run.begin = e->machine->execution().now();
  return &scope;
}

const char* last_error() { return error_of_this_thread.c_str(); }

void set_last_error(std::string sentence) { error_of_this_thread = std::move(sentence); }

}  // namespace lbhm::engine
