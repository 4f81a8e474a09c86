// What the fronts call while the program runs, handed to the services. Nothing without an engine.
#include <array>
#include <string>
#include <vector>

#include "runtime/base/environment.h"
#include "runtime/base/printable.h"
#include "runtime/engine/state.h"
#include "runtime/loop/configured_objects.h"

namespace lbhm::engine {

// --- parallel constructs: the hot path of a fork and join ---

RegionInstance* region_begin(const void* code) {
  Engine* e = engine();
  return e ? e->lanes.region_begin(code) : nullptr;
}
void region_end() {
  if (Engine* e = engine()) e->lanes.region_end();
}
RegionInstance* forked_region() { return Lanes::forked_region(); }
void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size) {
  if (Engine* e = engine()) e->lanes.lane_begin(region, lane, team_size);
}
void lane_end() {
  if (Engine* e = engine()) e->lanes.lane_end();
}
bool wait_begin(Wait kind, const void* what) {
  Engine* e = engine();
  return e && e->lanes.wait_begin(kind, what);
}
void wait_end(Wait kind, const void* what) {
  if (Engine* e = engine()) e->lanes.wait_end(kind, what);
}

void work_on(std::string_view task) {
  if (Engine* e = engine()) e->lanes.work_on(task);
}

bool follows_tasks() {
  const Engine* e = engine();
  return e && e->base.placing && (e->base.needs.forecast || e->reporting());
}

const void* makes_task(const void* code) { return follows_tasks() ? Lanes::makes_task(code) : nullptr; }

WorkAt fresh_task(const void* code) {
  Engine* e = engine();
  return e ? e->lanes.fresh_task(code) : WorkAt{};
}

WorkAt go_on_with(const WorkAt& next) {
  Engine* e = engine();
  return e ? e->lanes.go_on_with(next) : WorkAt{};
}

// --- order of what lanes share, in virtual time ---

namespace {

/// Null if the calling thread is no lane that is followed.
Execution* lane_execution() {
  Engine* e = engine();
  return e ? e->lanes.followed_execution() : nullptr;
}

}  // namespace

void mutex_released(const void* mutex) {
  const Inside here;
  if (Execution* lane = lane_execution()) lane->mutex_released(mutex);
}

bool try_mutex(const void* mutex) {
  const Inside here;
  Execution* lane = lane_execution();
  return !lane || lane->try_mutex(mutex);
}

// The lane that is in order keeps the others waiting: until it leaves, handlers of signals must not wait for them.

void ordered_begin() {
  Execution* lane = lane_execution();
  if (!lane) return;
  ++insides;
  lane->ordered_begin();
}

void ordered_end() {
  Execution* lane = lane_execution();
  if (!lane) return;
  lane->ordered_end();
  --insides;
}

void sleep() {
  Execution* lane = lane_execution();
  if (!lane) return;
  lane->sleep();
  --insides;
}

LaneName lane_name() {
  Execution* lane = lane_execution();
  return lane ? lane->name() : nullptr;
}

void wake(LaneName name) {
  const Inside here;
  if (Execution* lane = lane_execution()) lane->wake(name);
}

void tasks_changed(const RegionInstance* region, int ready, int unfinished) {
  const Inside here;
  if (Engine* e = engine()) e->base.machine->execution().tasks_changed(region->team, ready, unfinished);
}

// --- memory ---

void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  start();
  Engine* e = engine();
  void* object = nullptr;
  if (e) guarded([&] { object = e->memory.allocate_object(bytes, alignment, traits); });
  return object;
}

/// The order in which lanes come here is not the same in every run.
static bool comes_in_any_order(const Engine& e) { return e.base.virtual_time && current_lane; }

void* allocate_heap_object(Bytes bytes, Bytes alignment, const void* caller, bool zeroed) {
  Engine* e = engine();
  if (!e || inside() || is_system_code(caller) || comes_in_any_order(*e)) return nullptr;
  void* object = nullptr;
  guarded([&] { object = e->memory.allocate_heap_object(bytes, alignment, zeroed); });
  return object;
}

bool release_heap_object(void* address) {
  Engine* e = engine();
  bool known = false;
  if (e) guarded([&] { known = e->memory.release_heap_object(address, !comes_in_any_order(*e)); });
  return known;
}

Bytes heap_minimum() {
  constexpr Bytes more_than_any(UINT64_MAX);
  start();
  const Engine* e = engine();
  if (!e || !e->base.placing) return more_than_any;
  const Settings& settings = e->base.settings;
  const bool watched = settings.hint_faults || settings.sampler == "hints" || settings.accessed == "faults";
  if (e->base.virtual_time || !watched) return settings.heap_minimum;
  say("blocks of malloc stay with the system: pages are watched by hint faults, with which a system call on them may "
      "fail; leave LBHM_HINT_FAULTS, LBHM_SAMPLER and LBHM_ACCESSED as they are, or say --no-heap");
  return more_than_any;
}

void* allocate_block(Bytes bytes, int hint) {
  start();
  Engine* e = engine();
  void* block = nullptr;
  if (e) guarded([&] { block = e->memory.allocate_block(bytes, hint); });
  return block;
}

void release_block(void* block, Bytes bytes) {
  if (Engine* e = engine()) guarded([&] { e->memory.release_block(block, bytes); });
}

bool release_object(void* address) {
  Engine* e = engine();
  bool known = false;
  if (e) guarded([&] { known = e->memory.release_object(address); });
  return known;
}

Bytes object_bytes(const void* address) {
  Engine* e = engine();
  if (!e) return Bytes(0);
  const Inside here;
  return e->memory.object_bytes(address);
}

// --- LB_HM_config ---

namespace {

/// Without a destructor: registering one takes memory, and glibc ends programs that have none. 512 bytes with what
/// lbhm_phase keeps: where threads' stacks begin, and so virtual time, follows from the sum.
constinit thread_local std::array<char, 448> error_of_this_thread{};

/// Null: one of the objects is none; last_error() says which.
void* begin_phase(Engine& e, const void* site, std::span<const ConfiguredObject> objects, std::string_view kind) {
  std::vector<PhaseObject> list;
  for (std::size_t position = 0; position < objects.size(); ++position) {
    auto object = find_object(e.objects, position, objects[position]);
    if (!object) {
      set_last_error(object.error().message());
      return nullptr;
    }
    list.push_back(std::move(*object));
  }
  e.intervals.end_serial();
  e.intervals.next_epoch();
  return e.loop.begin(site, list, kind);
}

}  // namespace

void* configure(const void* site, std::span<const ConfiguredObject> objects, std::string_view kind) {
  start();
  Engine* e = engine();
  if (!e) {
    set_last_error(privileged() ? "LB-HM keeps out of privileged programs: nothing is placed"
                                : "LB-HM did not start: the line on the standard error says why");
    return nullptr;
  }
  void* phase = nullptr;
  if (guarded([&] { phase = begin_phase(*e, site, objects, kind); })) return phase;
  e->loop.forget();
  set_last_error("there is no memory for a plan: what follows runs unplanned");
  return nullptr;
}

void transition(const void* site, std::string_view name) {
  start();
  Engine* e = engine();
  if (!e || inside() || current_lane) return;
  const auto begin = [&] {
    e->intervals.end_serial();
    e->intervals.next_epoch();
    e->loop.transition(site, name);
  };
  if (!guarded(begin)) e->loop.forget();
}

const char* last_error() { return error_of_this_thread.data(); }

void set_last_error(std::string_view sentence) {
  error_of_this_thread[printable(sentence, std::span(error_of_this_thread).first(error_of_this_thread.size() - 1))] =
      '\0';
}

}  // namespace lbhm::engine
