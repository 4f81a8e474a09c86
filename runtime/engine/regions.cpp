// Parallel constructs as the OMPT tool reports them: when each lane worked, what it accessed.
// Everything up to region_end stands on the hot path of a fork and join.
#include "runtime/engine/scope_run.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

struct alignas(64) LaneState {
  RegionInstance* region = nullptr;
  LaneState* outer = nullptr;  ///< of the enclosing region, if this one is nested
  LaneId lane;
  Nanoseconds segment_begin;  ///< when the lane last went to work
  Nanoseconds busy;
  bool working = false;
  EventCounts events;  ///< at the begin, then the difference
  std::vector<AccessCount> accesses;
};

struct RegionInstance {
  const void* code = nullptr;
  std::uint64_t team = 0;
  std::uint32_t lanes = 0;
  bool recorded = false;  ///< outermost and measured
  Nanoseconds begin;
  std::vector<LaneState> states;
  RegionRecord record;  ///< reused
};

namespace {

thread_local LaneState* current = nullptr;
thread_local RegionInstance* spare = nullptr;

/// Null if the calling thread is no lane.
Execution* lane_execution() {
  Engine* e = engine();
  return e && current ? &e->machine->execution() : nullptr;
}

EventCounts difference(const EventCounts& end, const EventCounts& begin) {
  return {.instructions = end.instructions - begin.instructions,
          .cycles = end.cycles - begin.cycles,
          .memory_wait_cycles = end.memory_wait_cycles - begin.memory_wait_cycles,
          .l2_load_misses = end.l2_load_misses - begin.l2_load_misses,
          .l3_load_misses = end.l3_load_misses - begin.l3_load_misses,
          .llc_misses = end.llc_misses - begin.llc_misses,
          .prefetches = end.prefetches - begin.prefetches,
          .prefetch_misses = end.prefetch_misses - begin.prefetch_misses,
          .branches = end.branches - begin.branches,
          .branch_mispredictions = end.branch_mispredictions - begin.branch_mispredictions,
          .vector_instructions = end.vector_instructions - begin.vector_instructions};
}

/// The lane has reached the barrier that ends the region. True if it is called back for explicit tasks; else its work
/// is done.
bool close_lane(Engine& e, LaneState& state) {
  const bool called = e.machine->execution().wait_begin(Wait::join, nullptr);
  state.busy += e.machine->execution().now() - state.segment_begin;
  if (called) return true;
  state.working = false;
  if (state.region->recorded && e.placing) {
    state.events = difference(e.machine->events(), state.events);
    const auto accesses = e.machine->accesses();
    for (std::size_t tier = 0; tier < accesses.size(); ++tier)
      state.accesses[tier] = accesses[tier] - state.accesses[tier];
  }
  current = state.outer;
  return false;
}

TaskRecord task_record(const LaneState& state) {
  TaskRecord task{.lane = state.lane, .time = state.busy, .accesses = {}, .fast_accesses = {}, .fast_bytes = {}};
  for (const AccessCount count : state.accesses) task.accesses += count;
  if (!state.accesses.empty()) task.fast_accesses = state.accesses[0];
  return task;
}

void log_instance(Engine& e, RegionInstance& region, Nanoseconds end) {
  RegionRecord& record = region.record;
  record.time = end - region.begin;
  record.tasks.clear();
  const std::lock_guard lock(e.mutex);
  if (e.finished) return;
  record.region = e.log.region(region.code);
  record.instance = e.log.next_instance(record.region);
  for (std::uint32_t lane = 0; lane < region.lanes; ++lane) {
    record.tasks.push_back(task_record(region.states[lane]));
    scope_add_lane(e, record.region, LaneId(lane), region.states[lane].busy, region.states[lane].events);
  }
  scope_end_region(e, record);
  e.log.add(record);
}

}  // namespace

RegionInstance* region_begin(const void* code, std::uint32_t requested) {
  Engine* e = engine();
  if (!e) return nullptr;
  RegionInstance* region = spare ? spare : new RegionInstance;
  spare = nullptr;
  region->code = code;
  region->lanes = 0;
  region->recorded = e->measuring && !current;
  if (region->states.size() < requested) region->states.resize(requested);
  region->team = e->machine->execution().fork();
  region->begin = e->machine->execution().now();
  return region;
}

void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size) {
  Engine* e = engine();
  if (!e || !region || lane.value >= region->states.size()) return;
  LaneState& state = region->states[lane.value];
  if (lane.value == 0) region->lanes = team_size;
  state.region = region;
  state.outer = current;
  state.lane = lane;
  state.busy = Nanoseconds(0);
  state.working = true;
  current = &state;
  e->machine->execution().lane_begin(region->team, lane, team_size);
  if (region->recorded && e->placing) {
    state.events = e->machine->events();
    state.accesses = e->machine->accesses();
  }
  // Lane 0 is the thread that forked: no time has passed for it.
  state.segment_begin = lane.value == 0 ? region->begin : e->machine->execution().now();
}

void lane_end() {
  Engine* e = engine();
  // A team of one has no barrier at its end. A worker's lane was closed at the barrier, and may be in use again.
  if (e && current && current->working && current->region->lanes == 1) close_lane(*e, *current);
}

bool wait_begin(Wait kind, const void* what) {
  Engine* e = engine();
  if (!e || !current) return false;
  if (kind == Wait::join) return close_lane(*e, *current);
  Execution& execution = e->machine->execution();
  const bool mutex = kind == Wait::mutex;  // its wait is over when wait_begin returns
  if (mutex) current->busy += execution.now() - current->segment_begin;
  const bool called = execution.wait_begin(kind, what);
  if (!mutex) current->busy += execution.now() - current->segment_begin;
  return called;
}

void wait_end(Wait kind, const void* what) {
  Engine* e = engine();
  if (!e || !current) return;
  e->machine->execution().wait_end(kind, what);
  current->segment_begin = e->machine->execution().now();
}

void mutex_released(const void* mutex) {
  if (Execution* lane = lane_execution()) lane->mutex_released(mutex);
}

bool try_mutex(const void* mutex) {
  Execution* lane = lane_execution();
  return !lane || lane->try_mutex(mutex);
}

void ordered_begin() {
  if (Execution* lane = lane_execution()) lane->ordered_begin();
}

void ordered_end() {
  if (Execution* lane = lane_execution()) lane->ordered_end();
}

void sleep() {
  if (Execution* lane = lane_execution()) lane->sleep();
}

LaneName lane_name() {
  Execution* lane = lane_execution();
  return lane ? lane->name() : nullptr;
}

void wake(LaneName name) {
  if (Execution* lane = lane_execution()) lane->wake(name);
}

void tasks_changed(LaneName lane, int ready, int unfinished) {
  if (Engine* e = engine()) e->machine->execution().tasks_changed(lane, ready, unfinished);
}

void region_end(RegionInstance* region) {
  Engine* e = engine();
  if (!e || !region) return;
  e->machine->execution().join(region->team);
  const Nanoseconds end = e->machine->execution().now();
  if (region->recorded) log_instance(*e, *region, end);
  if (spare)
    delete region;
  else
    spare = region;
}

}  // namespace lbhm::engine
