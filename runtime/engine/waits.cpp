// Waits of lanes, and the order in which lanes come to what they share.
#include "runtime/engine/event_fields.h"
#include "runtime/engine/guarded.h"
#include "runtime/engine/interval_counts.h"
#include "runtime/engine/lane_state.h"

namespace lbhm::engine {

constinit thread_local LaneState* current_lane = nullptr;

namespace {

/// A region with more barriers is told apart no further.
constexpr std::size_t most_phases = 1024;

/// The lane has come to a barrier of the region, or to its end. Where there is no memory, its phases end here.
void close_phase(LaneState& state) {
  if (!state.region->phased || state.phases.size() == most_phases) return;
  if (!attempt([&] { state.phases.push_back(state.busy - state.phased); })) return;
  state.phased = state.busy;
}

/// What the lane counted since it began. Throws std::bad_alloc.
void end_counts(Engine& e, LaneState& state) {
  if (state.region->recorded && e.placing) {
    state.events = difference(e.machine->events(), state.events);
    const auto accesses = e.machine->accesses();
    for (std::size_t tier = 0; tier < accesses.size(); ++tier)
      state.accesses[tier] = accesses[tier] - state.accesses[tier];
  }
  if (state.region->counted) end_block_counts(state.blocks);
}

/// Null if the calling thread is no lane.
Execution* lane_execution() {
  Engine* e = engine();
  return e && current_lane && unfollowed_lanes == 0 ? e->execution : nullptr;
}

}  // namespace

/// The lane has reached the barrier that ends the region. True if it is called back for explicit tasks; else its work
/// is done.
bool close_lane(Engine& e, LaneState& state) {
  const bool called = e.execution->wait_begin(Wait::join, nullptr);
  state.busy += e.execution->now() - state.segment_begin;
  if (called) return true;
  state.working = false;
  close_phase(state);
  end_phase(e, state);
  if (!attempt([&] { end_counts(e, state); })) state.region->incomplete.store(true, std::memory_order_relaxed);
  current_lane = state.outer;
  return false;
}

bool wait_begin(Wait kind, const void* what) {
  Engine* e = engine();
  if (!e || !current_lane || unfollowed_lanes > 0) return false;
  const Inside here;
  if (kind == Wait::join) return close_lane(*e, *current_lane);
  Execution& execution = *e->execution;
  const bool mutex = kind == Wait::mutex;  // its wait is over when wait_begin returns
  if (mutex) current_lane->busy += execution.now() - current_lane->segment_begin;
  const bool called = execution.wait_begin(kind, what);
  if (!mutex) current_lane->busy += execution.now() - current_lane->segment_begin;
  current_lane->waiting = true;
  if (kind == Wait::barrier && !called) {
    close_phase(*current_lane);
    end_phase(*e, *current_lane);
  }
  return called;
}

void wait_end(Wait kind, const void* what) {
  Engine* e = engine();
  if (!e || !current_lane || unfollowed_lanes > 0) return;
  const Inside here;
  e->execution->wait_end(kind, what);
  current_lane->segment_begin = e->execution->now();
  current_lane->waiting = false;
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
  if (Engine* e = engine()) e->execution->tasks_changed(region->team, ready, unfinished);
}

}  // namespace lbhm::engine
