// Parallel constructs as the OMPT tool reports them: when each lane worked, what it accessed.
// Everything up to region_end stands on the hot path of a fork and join.
#include <new>
#include <utility>

#include "runtime/engine/guarded.h"
#include "runtime/engine/interval_counts.h"
#include "runtime/engine/lane_state.h"
#include "runtime/engine/scope_run.h"
#include "runtime/engine/spare_regions.h"

namespace lbhm::engine {
namespace {

constinit thread_local RegionInstance* forked = nullptr;
/// Regions within the innermost one of `forked` that the engine does not follow.
constinit thread_local unsigned unfollowed_regions = 0;

/// Programs that nest deeper do so without end (recursion whose regions have one lane), and each level takes memory.
constexpr unsigned deepest = 64;

TaskRecord task_record(const LaneState& state) {
  TaskRecord task{.lane = state.lane, .time = state.busy, .accesses = {}, .fast_accesses = {}, .fast_bytes = {}};
  for (const AccessCount count : state.accesses) task.accesses += count;
  if (!state.accesses.empty()) {
    task.fast_accesses = state.accesses[0];
    if (state.accesses.size() > 2) task.middle_accesses.assign(state.accesses.begin() + 1, state.accesses.end() - 1);
    task.prefetches = state.events.prefetches;
    task.useless_prefetches = state.events.useless_prefetches;
  }
  return task;
}

void add_blocks(Engine& e, std::uint32_t region, const LaneState& state, TaskRecord& task) {
  scope_add_blocks(e, region, state.lane, state.blocks);
  if (!e.settings.blocks) return;
  for (std::uint32_t counter = 0; counter < state.blocks.size(); ++counter) {
    if (state.blocks[counter] > 0) task.blocks.emplace_back(counter, state.blocks[counter]);
  }
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
    LaneState& state = *region.states.find(lane);
    record.tasks.push_back(task_record(state));
    scope_add_lane(e, record.region, LaneId(lane), state.busy, state.events);
    scope_add_notes(e, record.region, LaneId(lane), state.notes);
    if (region.counted) add_blocks(e, record.region, state, record.tasks.back());
  }
  scope_add_phases(e, record.region, region);
  scope_end_region(e, record);
  e.log.add(record);
}

/// What a scope has seen of an instance that found no memory is not to be learned from.
void log_or_forget(Engine& e, RegionInstance& region, Nanoseconds end) {
  if (!region.incomplete && attempt([&] { log_instance(e, region, end); })) return;
  const std::lock_guard lock(e.mutex);
  e.scopes.running.reset();
}

/// Null: it is nested too deeply. Throws std::bad_alloc.
RegionInstance* fresh_region(Engine& e) {
  const unsigned depth = forked ? forked->depth + 1 : 0;
  if (depth == deepest) {
    e.too_deep.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  RegionInstance* region = take_region();
  region->depth = depth;
  return region;
}

void begin(Engine& e, RegionInstance& region, const void* code) {
  region.code = code;
  region.lanes = 0;
  region.recorded = e.measuring && !current_lane;
  region.counted = region.recorded && e.counting.load(std::memory_order_relaxed) && block_counters() > 0;
  region.phased = region.recorded && e.needs.forecast;
  region.incomplete.store(false, std::memory_order_relaxed);
  region.states.make_first();
  if (e.counts && region.recorded) {
    end_serial_interval(e);
    region.number = counted_region(e, code);
  }
  region.team = e.execution->fork();
  region.begin = e.execution->now();
}

void begin_lane(Engine& e, RegionInstance& region, LaneState& state, LaneId lane, std::uint32_t team_size) {
  if (lane.value == 0) region.lanes = team_size;
  state.region = &region;
  state.outer = current_lane;
  state.lane = lane;
  state.busy = state.counted = Nanoseconds(0);
  state.phased = Nanoseconds(0);
  state.phases.clear();
  state.phase = 0;
  state.working = true;
  state.noting = region.recorded ? e.noting.load(std::memory_order_relaxed) : nullptr;
  current_lane = &state;
  e.execution->lane_begin(region.team, lane, team_size);
  const bool counting = attempt([&] {
    if (region.recorded && e.placing) {
      state.events = e.machine->events();
      state.accesses = e.machine->accesses();
    }
    if (region.counted) begin_block_counts(state.blocks);
  });
  if (!counting) region.incomplete.store(true, std::memory_order_relaxed);
  // Lane 0 is the thread that forked: no time has passed for it.
  state.segment_begin = lane.value == 0 ? region.begin : e.execution->now();
}

}  // namespace

RegionInstance* region_begin(const void* code) {
  Engine* e = engine();
  if (!e) return nullptr;
  RegionInstance* region = nullptr;
  const bool begun = unfollowed_regions == 0 && guarded([&] {
                       region = fresh_region(*e);
                       if (region) begin(*e, *region, code);
                     });
  if (region && !begun) give_back_region(std::exchange(region, nullptr));
  if (!region) {
    ++unfollowed_regions;
    return nullptr;
  }
  region->enclosing = std::exchange(forked, region);
  return region;
}

void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size) {
  Engine* e = engine();
  if (!e) return;
  const bool followed = region && guarded([&] {
                          LaneState* const state = region->states.make(lane.value);
                          if (!state) throw std::bad_alloc();
                          begin_lane(*e, *region, *state, lane, team_size);
                        });
  if (followed) return;
  ++unfollowed_lanes;
  if (!region) return;
  if (current_lane && current_lane->region == region) current_lane = current_lane->outer;
  region->incomplete.store(true, std::memory_order_relaxed);
}

void lane_end() {
  Engine* e = engine();
  if (!e) return;
  if (unfollowed_lanes > 0) {
    --unfollowed_lanes;
    return;
  }
  // A team of one has no barrier at its end. A worker's lane was closed at the barrier, and may be in use again.
  if (current_lane && current_lane->working && current_lane->region->lanes == 1) close_lane(*e, *current_lane);
}

RegionInstance* forked_region() { return unfollowed_regions > 0 ? nullptr : forked; }

void region_end() {
  Engine* e = engine();
  if (!e) return;
  if (unfollowed_regions > 0) {
    --unfollowed_regions;
    return;
  }
  RegionInstance* region = forked;
  if (!region) return;
  const Inside here;
  forked = region->enclosing;
  e->execution->join(region->team);
  const Nanoseconds end = e->execution->now();
  if (region->recorded) log_or_forget(*e, *region, end);
  begin_serial_interval(*e);
  give_back_region(region);
}

}  // namespace lbhm::engine
