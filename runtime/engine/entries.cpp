// What the fronts call while the program runs, handed to the services. Nothing without an engine.
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "emulator/emulator.h"
#include "runtime/base/environment.h"
#include "runtime/base/printable.h"
#include "runtime/engine/state.h"
#include "runtime/loop/configured_objects.h"

namespace lbhm::engine {

// --- libraries that come and go ---

namespace {

/// How often it is looked whether a library has come: whoever loads one tells before it is there.
constinit std::atomic<int> looks{0};
constinit std::atomic<std::uint64_t> modules_seen{0};

using LanesRest = void (*)();
constinit std::atomic<LanesRest> lanes_rest{nullptr};
std::thread::id who_forks;  ///< set before lanes_rest

/// Outside of regions. Where other threads have regions of their own, lanes never rest for sure.
void tell_that_lanes_rest() {
  const LanesRest call = lanes_rest.load(std::memory_order_relaxed);
  if (!call || current_lane) [[likely]]
    return;
  if (std::this_thread::get_id() == who_forks) return call();
  lanes_rest.store(nullptr, std::memory_order_relaxed);
}

void look_for_modules(Engine& e) {
  if (looks.load(std::memory_order_relaxed) <= 0 || current_lane) [[likely]]
    return;
  looks.fetch_sub(1, std::memory_order_relaxed);
  const std::uint64_t loaded = modules_loaded();
  if (modules_seen.exchange(loaded, std::memory_order_relaxed) == loaded) return;
  guarded([&] { e.memory.follow_modules(); });
}

}  // namespace

void follow_modules() {
  Engine* e = engine();
  if (!e) return;
  modules_seen.store(modules_loaded(), std::memory_order_relaxed);
  guarded([&] { e->memory.follow_modules(); });
}

void when_lanes_rest(void (*call)()) {
  who_forks = std::this_thread::get_id();
  lanes_rest.store(call, std::memory_order_release);
}

std::uint32_t team_size() { return current_lane ? current_lane->team_size : 1; }

void modules_change() { looks.store(64, std::memory_order_relaxed); }

// --- parallel constructs: the hot path of a fork and join ---

RegionInstance* region_begin(const void* code) {
  Engine* e = engine();
  if (e) look_for_modules(*e);
  if (e) e->attend();
  tell_that_lanes_rest();
  return e ? e->lanes.region_begin(code) : nullptr;
}
void region_end() {
  Engine* e = engine();
  if (!e) return;
  e->lanes.region_end();
  tell_that_lanes_rest();
  if (e->base.virtual_time && !current_lane) guarded([&] { e->memory.all_lanes_ended(); });
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

bool passed_barrier() {
  Execution* lane = lane_execution();
  return lane != nullptr && lane->passed();
}
void mutex_released(const void* mutex) {
  const Inside here;
  if (Execution* lane = lane_execution()) lane->mutex_released(mutex);
}

bool try_mutex(const void* mutex) {
  const Inside here;
  Execution* lane = lane_execution();
  return !lane || lane->try_mutex(mutex);
}

bool has_mutex(const void* mutex) {
  if (inside()) return false;
  const Inside here;
  Execution* lane = lane_execution();
  return lane && lane->has_mutex(mutex);
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

void sleep_in_order(const Rousing& rousing) { lbhm::sleep_in_order(rousing); }
void set_between_quanta(std::atomic<std::uint8_t>& byte) { lbhm::set_between_quanta(byte); }
void when_instrumented(void (*call)()) { lbhm::when_instrumented(call); }

LaneName lane_name() {
  Execution* lane = lane_execution();
  return lane ? lane->name() : nullptr;
}

void wake(LaneName name) {
  const Inside here;
  if (Engine* e = engine()) e->base.machine->execution().wake(name);
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
  if (e) with_room([&] { object = e->memory.allocate_object(bytes, alignment, traits); });
  if (object) e->attend();
  return object;
}

/// The lane that the calling thread executes, if the order in which lanes come here is not the same in every run.
static std::optional<LaneId> racing_lane(const Engine& e) {
  if (!e.base.virtual_time || !current_lane) return std::nullopt;
  const LaneState* lane = current_lane;
  while (lane->outer) lane = lane->outer;
  return lane->lane;
}

/// Lanes of nested regions have numbers that others have, too. Null also if nothing of ours is to be asked here.
static Engine* engine_for(const void* caller) {
  Engine* e = engine();
  if (!e || inside() || is_system_code(caller)) return nullptr;
  const bool nested = e->base.virtual_time && current_lane && current_lane->outer;
  return nested ? nullptr : e;
}

void* allocate_heap_object(Bytes bytes, Bytes alignment, const void* caller, bool zeroed) {
  Engine* e = engine_for(caller);
  if (!e) return nullptr;
  void* object = nullptr;
  look_for_modules(*e);
  with_room([&] { object = e->memory.allocate_heap_object(bytes, alignment, zeroed, racing_lane(*e)); });
  return object;
}

/// In virtual time for the thread of the program and for lanes of its regions that are not nested: what others ask for
/// has no order.
static bool has_order(const Engine& e) {
  return !e.base.virtual_time || (current_lane ? !current_lane->outer : std::this_thread::get_id() == who_forks);
}

SiteId site_of_small_blocks(const void* caller, CallsOnStack& calls) {
  Engine* e = engine_for(caller);
  SiteId site;
  calls.of_system = is_system_code(caller);
  if (e && has_order(*e)) with_room([&] { site = e->memory.site_of_small_blocks(calls); });
  return site;
}

void* allocate_arena(Bytes bytes, SiteId site) {
  Engine* e = engine();
  if (!e || inside() || (e->base.virtual_time && current_lane && current_lane->outer)) return nullptr;
  void* object = nullptr;
  with_room([&] { object = e->memory.allocate_arena(bytes, site, racing_lane(*e)); });
  return object;
}

bool release_heap_object(void* address) {
  Engine* e = engine();
  bool known = false;
  if (e) with_room([&] { known = e->memory.release_heap_object(address, racing_lane(*e)); });
  return known;
}

void* map_object(Bytes bytes, const void* caller) {
  Engine* e = bytes >= mapping_minimum() ? engine_for(caller) : nullptr;
  void* object = nullptr;
  if (e) with_room([&] { object = e->memory.map_object(bytes, racing_lane(*e)); });
  return object;
}

bool release_mapping(void* address, Bytes bytes, const void* caller) {
  Engine* e = inside() || is_system_code(caller) ? nullptr : engine();
  bool known = false;
  if (e) with_room([&] { known = e->memory.release_mapping(address, bytes); });
  return known;
}

void end_objects(void* address, Bytes bytes, const void* caller) {
  Engine* e = inside() || is_system_code(caller) ? nullptr : engine();
  if (e) with_room([&] { e->memory.end_objects(address, bytes); });
}

static constexpr Bytes more_than_any(UINT64_MAX);
static constinit std::atomic<std::uint64_t> least_mapping{more_than_any.value};

Bytes mapping_minimum() { return Bytes(least_mapping.load(std::memory_order_relaxed)); }

/// Where mappings are to be objects, they are from here on, too.
static Bytes with_mappings(Bytes minimum) {
  least_mapping.store(minimum.value, std::memory_order_relaxed);
  return minimum;
}

Bytes heap_minimum() {
  start();
  const Engine* e = engine();
  if (!e || !e->base.placing) return more_than_any;
  const Settings& settings = e->base.settings;
  const bool watched = settings.hint_faults || settings.sampler == "hints" || settings.accessed == "faults";
  if (e->base.virtual_time || !watched) return with_mappings(settings.heap_minimum);
  say("blocks of malloc stay with the system: pages are watched by hint faults, with which a system call on them may "
      "fail; leave LBHM_HINT_FAULTS, LBHM_SAMPLER and LBHM_ACCESSED as they are, or say --no-heap");
  return more_than_any;
}

Bytes arena_minimum() {
  // What is published for sites of large machines (SICM, TACO '22, section 4.2: 4 MB) scales to less than a page on
  // emulated ones. There a site counts as one whose blocks are together as large as a block that is an object.
  constexpr Bytes published(4 << 20);
  const Engine* e = engine();
  if (!e || mapping_minimum() == more_than_any) return more_than_any;
  const Settings& settings = e->base.settings;
  const Bytes suits = e->base.virtual_time ? settings.heap_minimum : published;
  const Bytes wanted = settings.arena_minimum.value_or(suits);
  return wanted.value == 0 ? more_than_any : wanted;
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
  if (e) with_room([&] { known = e->memory.release_object(address); });
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
constinit thread_local std::array<char, 432> error_of_this_thread{};

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
  e.attend();
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
  e->attend();
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
