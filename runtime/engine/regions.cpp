// Parallel constructs as the OMPT tool reports them: when each lane worked, what it accessed.
// Everything up to region_end stands on the hot path of a fork and join.
#include <utility>

#include "runtime/engine/interval_counts.h"
#include "runtime/engine/lane_state.h"
#include "runtime/engine/scope_run.h"

namespace lbhm::engine {
namespace {

thread_local RegionInstance* spare = nullptr;
thread_local RegionInstance* forked = nullptr;

TaskRecord task_record(const LaneState& state) {
  TaskRecord task{.lane = state.lane, .time = state.busy, .accesses = {}, .fast_accesses = {}, .fast_bytes = {}};
  for (const AccessCount count : state.accesses) task.accesses += count;
  if (!state.accesses.empty()) {
    task.fast_accesses = state.accesses[0];
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
    record.tasks.push_back(task_record(region.states[lane]));
    scope_add_lane(e, record.region, LaneId(lane), region.states[lane].busy, region.states[lane].events);
    scope_add_notes(e, record.region, LaneId(lane), region.states[lane].notes);
    if (region.counted) add_blocks(e, record.region, region.states[lane], record.tasks.back());
  }
  scope_add_phases(e, record.region, region);
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
  region->enclosing = std::exchange(forked, region);
  region->lanes = 0;
  region->recorded = e->measuring && !current_lane;
  region->counted = region->recorded && e->counting.load(std::memory_order_relaxed) && block_counters() > 0;
  region->phased = region->recorded && e->policy->uses_forecast();
  if (region->states.size() < requested) region->states.resize(requested);
  if (e->counts && region->recorded) {
    end_serial_interval(*e);
    region->number = counted_region(*e, code);
  }
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
  state.outer = current_lane;
  state.lane = lane;
  state.busy = state.counted = Nanoseconds(0);
  state.phased = Nanoseconds(0);
  state.phases.clear();
  state.phase = 0;
  state.working = true;
  state.noting = region->recorded ? e->noting.load(std::memory_order_relaxed) : nullptr;
  current_lane = &state;
  e->machine->execution().lane_begin(region->team, lane, team_size);
  if (region->recorded && e->placing) {
    state.events = e->machine->events();
    state.accesses = e->machine->accesses();
  }
  if (region->counted) begin_block_counts(state.blocks);
  // Lane 0 is the thread that forked: no time has passed for it.
  state.segment_begin = lane.value == 0 ? region->begin : e->machine->execution().now();
}

void lane_end() {
  Engine* e = engine();
  // A team of one has no barrier at its end. A worker's lane was closed at the barrier, and may be in use again.
  if (e && current_lane && current_lane->working && current_lane->region->lanes == 1) close_lane(*e, *current_lane);
}

RegionInstance* forked_region() { return forked; }

void region_end() {
  Engine* e = engine();
  RegionInstance* region = forked;
  if (!e || !region) return;
  forked = region->enclosing;
  e->machine->execution().join(region->team);
  const Nanoseconds end = e->machine->execution().now();
  if (region->recorded) log_instance(*e, *region, end);
  begin_serial_interval(*e);
  if (spare)
    delete region;
  else
    spare = region;
}

}  // namespace lbhm::engine
