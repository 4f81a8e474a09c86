// A phase begins: forecast, decide, move.
#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/base/guarded.h"
#include "runtime/knowledge/compiled_modules.h"
#include "runtime/loop/decision_cost.h"
#include "runtime/loop/phase_loop.h"
#include "runtime/migration/candidates.h"
#include "runtime/record/planned_bytes.h"

namespace lbhm {

/// What people call a phase: by the program's own word for it, if there is one.
static std::string_view name_of(const Phase& phase) { return phase.kind.empty() ? phase.name : phase.kind; }

void* PhaseLoop::begin(const void* site, std::span<const PhaseObject> objects, std::string_view kind) {
  finds_phases_.store(false, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  return begin_locked(site, objects, kind, false);
}

void PhaseLoop::transition(const void* site, std::string_view name) {
  finds_phases_.store(false, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  list_objects();
  begin_locked(site, all_objects_, name, true);
}

/// Programs with more objects keep them in lists of their own, and to look through all of them takes a millisecond. An
/// assumption.
static constexpr std::size_t most_found = 10'000;

/// All objects that there are, in the order of their births: the n-th of a site is the n-th in every instance.
void PhaseLoop::list_objects() {
  if (listed_ == with_.objects.version()) return;
  listed_ = with_.objects.version();
  std::vector<Object> objects = with_.objects.all();
  std::ranges::sort(objects, {}, &Object::id);
  all_objects_.clear();
  for (Object& object : objects)
    all_objects_.push_back({.address = object.address,
                            .bytes = object.bytes,
                            .name = std::move(object.name),
                            .site = object.site,
                            .id = object.id});
}

void PhaseLoop::region_begins(const void* code) {
  if (!finds_phases_.load(std::memory_order_relaxed) || with_.objects.version() == 0) return;
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  list_objects();
  if (all_objects_.size() > most_found) return finds_phases_.store(false, std::memory_order_relaxed);
  if (settings_.region_phases) {
    if (std::exchange(last_region_, code) != code) begin_locked(code, all_objects_, {}, true);
    return;
  }
  // A plan is to cost less than half of what it is for, and the sequence of regions is not known yet.
  const std::size_t tasks = tasks_.size() * (found_phases_.recurring() + std::size_t{1});
  const Nanoseconds least =
      2 * (per_task * static_cast<double>(tasks) + per_object * static_cast<double>(all_objects_.size()));
  const std::uint32_t region = with_.recorder.regions().number(code);
  if (found_phases_.begins(region, with_.machine.execution().now(), least)) begin_locked(code, all_objects_, {}, true);
}

void* PhaseLoop::begin_locked(const void* site, std::span<const PhaseObject> objects, std::string_view kind,
                              bool found) {
  close_locked();
  Phase& phase = phases_.at(site, objects, kind);
  if (phase.history.instances == 0)
    phase.history.prediction_error = phase.like ? phase.like->history.prediction_error : settings_.needs.assumed_error;
  running_ = std::make_unique<Running>();
  Running& run = *running_;
  PhaseInstance& instance = run.instance;
  run.number = begun_++;
  run.found = found;
  instance.phase = &phase;
  const std::vector<ObjectSlot> slots = found ? phase.slots_of_all(objects) : phase.slots_of(objects);
  instance.objects.resize(phase.objects);
  instance.names.resize(phase.objects);
  for (std::uint32_t slot = 0; slot < instance.objects.size(); ++slot) instance.objects[slot].slot = ObjectSlot(slot);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const ObjectSlot slot = slots[i];
    instance.objects[slot.value] = {slot, objects[i].address, objects[i].bytes};
    instance.names[slot.value] = objects[i].name;
  }
  if (with_.uses) with_.uses->phase_begins(name_of(phase));
  if (settings_.placing && settings_.needs.forecast) {
    with_.machine.want_events();
    note_unmanaged(objects);
  }
  if (run.number == 0) check_bits();
  lanes_->count_blocks(settings_.blocks || settings_.needs.forecast);
  begin_sampling(run);
  plan(run);
  // In the base instance it is noted which loops begin where.
  if (settings_.needs.forecast && !phase.history.profiled) {
    lanes_->note_loops(std::make_shared<const SlotIndex>(instance.objects));
    CompiledModules::of_process().note(true);
  }
  phase.last_objects.clear();
  for (const SlotRange& object : instance.objects) phase.last_objects.push_back(object.address);
  return &phase;
}

namespace {

std::vector<PlacedObject> objects_of(const PhaseInstance& instance) {
  std::vector<PlacedObject> objects;
  for (std::size_t slot = 0; slot < instance.objects.size(); ++slot) {
    const SlotRange& range = instance.objects[slot];
    if (range.bytes.value > 0) objects.push_back({range.address, range.bytes, instance.names[slot]});
  }
  return objects;
}

bool same(std::span<const SlotRange> a, std::span<const SlotRange> b) {
  return std::ranges::equal(a, b, [](const SlotRange& one, const SlotRange& other) {
    return one.address == other.address && one.bytes == other.bytes;
  });
}

Nanoseconds since(std::chrono::steady_clock::time_point begin) {
  return Nanoseconds(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace

/// Says once that what LB-HM did not allocate stays where it is. What is smaller than a page is never placed.
void PhaseLoop::note_unmanaged(std::span<const PhaseObject> objects) {
  if (!unmanaged_.empty()) return;
  const Bytes page = with_.machine.topology().page;
  const auto object =
      std::ranges::find_if(objects, [page](const PhaseObject& each) { return !each.managed && each.bytes >= page; });
  if (object == objects.end()) return;
  const std::string name =
      object->name.empty() ? "object " + std::to_string(object - objects.begin()) : "object '" + object->name + "'";
  unmanaged_ = name +
               " of LB_HM_config was not allocated by LB-HM, so its pages stay where they are: allocate it with " +
               "omp_alloc and an allocator that has lbhm_managed (docs/using.md)";
  say(unmanaged_);
}

/// Says once that bits cannot count after all.
void PhaseLoop::check_bits() {
  if (!settings_.bits) return;
  settings_.bits = settings_.needs.finds_pages && settings_.intervals && with_.machine.observer();
  if (settings_.bits || !settings_.placing || !settings_.needs.forecast) return;
  without_bits_ = "LBHM_BASE_PROFILE=bits: policy " + std::string(with_.policy.name()) +
                  " scans no accessed bits on machine " + with_.machine.topology().name +
                  ", so samples count the accesses of base instances";
  say(without_bits_);
}

/// What a forecast takes at least.
Nanoseconds PhaseLoop::least_decision(const Running& run) {
  std::size_t tasks = 0;
  for (const auto& [number, region] : with_.knowledge.of(*run.instance.phase)) tasks += region.profile.tasks.size();
  return per_task * static_cast<double>(tasks) + per_object * static_cast<double>(run.instance.objects.size());
}

PhaseHistory PhaseLoop::history_of(const Running& run) {
  PhaseHistory history = run.instance.phase->history;
  if (!(history.deciding.value > 0)) history.deciding = least_decision(run);
  return history;
}

PhaseView PhaseLoop::view_of(const Running& run, const std::vector<PlacedObject>& objects,
                             const PhaseForecast* forecast) {
  return {.number = run.number,
          .objects = objects,
          .machine = with_.machine.topology(),
          .history = history_of(run),
          .forecast = forecast,
          .found = run.found,
          .name = name_of(*run.instance.phase)};
}

/// Shows the policy the phase and a forecast, if there is one.
Decision PhaseLoop::ask(const Running& run, const PhaseForecast* forecast) {
  const std::vector<PlacedObject> objects = objects_of(run.instance);
  Decision decision = with_.policy.on_phase(view_of(run, objects, forecast));
  forecast_ = forecast_ || forecast;
  return decision;
}

/// Null: something has changed, or the policy wants to decide anew.
const PhaseLoop::Standing* PhaseLoop::standing_for(const Running& run) {
  const auto found = standing_.find(run.instance.phase->number);
  if (found == standing_.end()) return nullptr;
  const Standing& standing = found->second;
  if (standing.moved != with_.actor.moved() || !same(standing.objects, run.instance.objects)) return nullptr;
  return with_.policy.stands(view_of(run, objects_of(run.instance), nullptr)) ? &standing : nullptr;
}

/// In virtual time what was counted passes for the thread that decides, as what was measured does in real time. Returns
/// the one that counts.
Nanoseconds PhaseLoop::charge(Nanoseconds measured, Nanoseconds counted) {
  Execution& execution = with_.machine.execution();
  if (execution.virtual_time()) execution.pass(counted);
  const Nanoseconds spent = execution.virtual_time() ? counted : measured;
  with_.recorder.decided(spent);
  return spent;
}

void PhaseLoop::go_on(Running& run, const Standing& standing, Nanoseconds measured) {
  const Nanoseconds spent = charge(measured, decision_cost(standing.objects.size(), 0, nullptr, {}));
  record_plan(run, standing.forecast, {.budget = standing.budget}, {}, spent);
  keep_predictions(run, standing.forecast, standing.budget);
}

/// Nothing is predicted: asks the policy, moves.
void PhaseLoop::without_forecast(Running& run) {
  const Decision decision = ask(run, nullptr);
  if (!settings_.placing) return;
  const bool moves_beside = !decision.background.moves.empty();  // else what is under way goes on
  with_.recorder.moved(with_.actor.carry_out_now(decision.plan, {}, decision.background, moves_beside).moved);
}

/// Predicts if it can, asks the policy, moves; or leaves that to decide().
void PhaseLoop::plan(Running& run) {
  came_again_ = came_again_ || run.instance.phase->history.instances > 0;
  const bool predictable = settings_.placing && run.instance.phase->history.profiled && lanes_->recording();
  if (!predictable || !with_.policy.wants_forecast(history_of(run))) return without_forecast(run);
  const auto begin = std::chrono::steady_clock::now();
  if (const Standing* const standing = standing_for(run)) return go_on(run, *standing, since(begin));
  if (settings_.beside)
    run.waits_for_plan = true;
  else
    carry_out(run, make_plan(run));
}

PhaseLoop::Plan PhaseLoop::make_plan(Running& run) {
  const auto begin = std::chrono::steady_clock::now();
  const Correlation& f = model_.choose(settings_.model, settings_.models, with_.machine.topology());
  const std::uint64_t asked = with_.pages.asked();
  PagePlacement placement = with_.pages.placement(with_.objects);
  Plan plan;
  plan.forecast = with_.knowledge.forecast_of(run.instance, std::move(placement), with_.pages.rooms(), f);
  plan.decision = ask(run, &plan.forecast);
  if (!plan.decision.plan.moves.empty()) plan.candidates = eviction_candidates(plan.forecast);
  plan.spent = charge(since(begin), decision_cost(run.instance.objects.size(), with_.pages.asked() - asked,
                                                  &plan.forecast, plan.decision));
  run.instance.phase->history.deciding = plan.spent;
  return plan;
}

void PhaseLoop::carry_out(Running& run, Plan plan) {
  const Decision& decision = plan.decision;
  const MoveReport moves = with_.actor.carry_out_now(decision.plan, std::move(plan.candidates), decision.background,
                                                     settings_.needs.background);
  with_.policy.carried_out();
  with_.recorder.moved(moves.moved);
  record_plan(run, plan.forecast, decision, moves, plan.spent);
  keep_predictions(run, plan.forecast, decision.budget);
  plan.forecast.placement = {};  // large, and of now
  standing_[run.instance.phase->number] = {.objects = run.instance.objects,
                                           .moved = with_.actor.moved(),
                                           .forecast = std::move(plan.forecast),
                                           .budget = decision.budget};
}

/// In virtual time a call ends when it began, and the time that deciding takes passes until the next one.
void PhaseLoop::decide() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !running_) return;
  look();
  Running& run = *running_;
  if (std::exchange(run.waits_for_plan, false)) {
    run.plan = make_plan(run);
    if (with_.machine.execution().virtual_time()) return;
  }
  if (!run.plan) return;
  Plan plan = std::move(*run.plan);
  run.plan.reset();
  for (MigrationPlan* const part : {&plan.decision.plan, &plan.decision.background})  // since freed
    std::erase_if(part->moves, [&](const PageMove& move) { return !with_.objects.find(move.address); });
  carry_out(run, std::move(plan));
}

/// By slot: what the object was expected to be used like, and how much of it moves to fast memory.
std::vector<ObjectRecord> PhaseLoop::planned_objects(const PhaseInstance& instance, const PhaseForecast& forecast,
                                                     const Decision& decision) {
  std::vector<ObjectRecord> objects;
  const auto estimates = with_.knowledge.estimates(instance, forecast);
  for (std::size_t slot = 0; slot < instance.objects.size(); ++slot) {
    const std::optional<Object> managed = with_.objects.find(instance.objects[slot].address);
    objects.push_back({.name = instance.names[slot],
                       .bytes = instance.objects[slot].bytes,
                       .site = managed ? std::optional(managed->site) : std::nullopt,
                       .kind = estimates[slot].kind,
                       .alpha = estimates[slot].alpha,
                       .estimated = estimates[slot].accesses});
  }
  for (const MigrationPlan* plan : {&decision.plan, &decision.background}) {
    const std::vector<Bytes> planned = planned_bytes(*plan, TierId(0), instance.objects);
    for (std::size_t slot = 0; slot < planned.size(); ++slot) objects[slot].planned += planned[slot];
  }
  return objects;
}

void PhaseLoop::record_plan(Running& run, const PhaseForecast& forecast, const Decision& decision,
                            const MoveReport& moves, Nanoseconds spent) {
  if (!with_.recorder.keeps_next_plan()) return with_.recorder.begin_plan({});
  const PhaseInstance& instance = run.instance;
  PlanRecord record{.phase = instance.phase->name,
                    .kind = instance.phase->kind,
                    .instance = instance.phase->history.instances,
                    .begin = with_.machine.execution().now(),
                    .decision = spent,
                    .moves = moves,
                    .budget = decision.budget.tasks,
                    .objects = planned_objects(instance, forecast, decision),
                    .scaling = with_.knowledge.sources().scaling,
                    .tasks = {}};
  const std::vector<HomogeneousTimes> others = with_.knowledge.times_by_other_rule(instance);
  auto region = with_.knowledge.of(*instance.phase).begin();
  std::uint32_t number = 0;
  for (std::size_t task = 0; task < forecast.tasks.size(); ++task) {
    for (; number < forecast.tasks[task].region; ++number) ++region;
    const TaskTimes& planned = forecast.tasks[task].times;
    record.tasks.push_back({.region = region->first,
                            .lane = planned.lane,
                            .planned = {.slow_only = planned.slow_only, .fast_only = planned.fast_only},
                            .other = others[task],
                            .shift = forecast.tasks[task].shift});
  }
  with_.recorder.begin_plan(std::move(record));
}

/// `budget` is empty or in the order of the forecast.
void PhaseLoop::keep_predictions(Running& run, const PhaseForecast& forecast, const Budget& budget) {
  if (budget.tasks.size() != forecast.tasks.size()) return;
  std::size_t task = 0;
  std::uint32_t number = 0;
  for (const auto& [name, region] : with_.knowledge.of(*run.instance.phase)) {
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

/// What was sampled before the phase began is not its own.
void PhaseLoop::begin_sampling(Running& run) {
  if (settings_.bits) with_.found.begin();
  if (!with_.samples.any() || !settings_.needs.forecast) return;
  with_.samples.wake();
  std::vector<AccessSample> before;
  with_.samples.read(SampleFeed::Reader::phases, before);
  with_.policy.phase_begins(view_of(run, objects_of(run.instance), nullptr));
}

}  // namespace lbhm
