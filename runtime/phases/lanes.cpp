#include "runtime/phases/lanes.h"

#include <new>
#include <utility>

#include "runtime/base/event_fields.h"
#include "runtime/base/guarded.h"

namespace lbhm {

constinit thread_local LaneState* current_lane = nullptr;

namespace {

constinit thread_local RegionInstance* forked = nullptr;
/// In outermost regions that the thread began: what it did not work of their time, as lane 0.
constinit thread_local Nanoseconds waited_in_regions{};
/// Regions within the innermost one of `forked` that nobody follows.
constinit thread_local unsigned unfollowed_regions = 0;

/// Programs that nest deeper do so without end (recursion whose regions have one lane), and each level takes memory.
constexpr unsigned deepest = 64;

/// The region ends on the thread that began it. Of regions whose lane 0 could not be followed nobody knows.
void note_waits(const RegionInstance& region, Nanoseconds end) {
  if (region.enclosing || current_lane || region.lanes == 0 || region.incomplete) return;
  const LaneState* const first = region.states.find(0);
  if (first) waited_in_regions += end - region.begin - first->busy;
}

}  // namespace

Reading read_lane(Machine& machine, const LaneState* lane, Nanoseconds now) {
  // Code regions also begin while a lane waits: libomp combines the lanes' parts of a reduction inside of a barrier.
  const Nanoseconds segment = lane && !lane->work.waiting ? now - lane->segment_begin : Nanoseconds(0);
  return {now, lane ? lane->busy + segment : now - waited_in_regions, machine.events(), machine.accesses()};
}

/// Null: it is nested too deeply. Throws std::bad_alloc.
RegionInstance* Lanes::fresh_region() {
  const unsigned depth = forked ? forked->depth + 1 : 0;
  if (depth == deepest) {
    too_deep_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  RegionInstance* region = take_region();
  region->depth = depth;
  return region;
}

void Lanes::note_loops(std::shared_ptr<const SlotIndex> objects) {
  const std::lock_guard lock(noted_lock_);
  noted_ = std::move(objects);
  notes_loops_.store(noted_ != nullptr, std::memory_order_relaxed);
}

std::shared_ptr<const SlotIndex> Lanes::noted_objects() {
  if (!notes_loops_.load(std::memory_order_relaxed)) return nullptr;
  const std::lock_guard lock(noted_lock_);
  return noted_;
}

void Lanes::begin(RegionInstance& region, const void* code) {
  region.code = code;
  region.lanes = 0;
  region.recorded = recording_ && !current_lane;
  region.counted = region.recorded && counting_.load(std::memory_order_relaxed) && block_counters() > 0;
  region.noted = region.recorded ? noted_objects() : nullptr;
  region.incomplete.store(false, std::memory_order_relaxed);
  region.states.make_first();
  if (intervals_.on() && region.recorded) intervals_.end_serial();
  if ((intervals_.on() || wishes_.progress) && region.recorded) region.number = sink_.number_of(code);
  if (region.recorded) report_progress({.number = region.number});
  region.team = execution_.fork();
  region.begin = execution_.now();
}

RegionInstance* Lanes::region_begin(const void* code) {
  RegionInstance* region = nullptr;
  if (recording_ && !forked && !current_lane) guarded([&] { sink_.region_begins(code); });
  const bool begun = unfollowed_regions == 0 && guarded([&] {
                       region = fresh_region();
                       if (region) begin(*region, code);
                     });
  if (region && !begun) give_back_region(std::exchange(region, nullptr));
  if (!region) {
    ++unfollowed_regions;
    return nullptr;
  }
  region->enclosing = std::exchange(forked, region);
  return region;
}

RegionInstance* Lanes::forked_region() { return unfollowed_regions > 0 ? nullptr : forked; }

void Lanes::region_end() {
  if (unfollowed_regions > 0) {
    --unfollowed_regions;
    return;
  }
  RegionInstance* region = forked;
  if (!region) return;
  const Inside here;
  forked = region->enclosing;
  execution_.join(region->team);
  const Nanoseconds end = execution_.now();
  note_waits(*region, end);
  if (region->recorded) running_.store(nothing_runs, std::memory_order_relaxed);
  if (region->recorded && (region->incomplete || !attempt([&] { sink_.region_ended(*region, end); })))
    sink_.region_forgotten();
  intervals_.begin_serial();
  give_back_region(region);
}

void Lanes::begin(RegionInstance& region, LaneState& state, LaneId lane, std::uint32_t team_size) {
  if (lane.value == 0) region.lanes = team_size;
  state.region = &region;
  state.outer = current_lane;
  state.lane = lane;
  state.team_size = team_size;
  state.busy = state.counted = Nanoseconds(0);
  state.tasks.clear();
  state.barriers = 0;
  state.working = true;
  state.work = {};
  state.called = 0;
  state.making = nullptr;
  state.noting = region.noted.get();
  current_lane = &state;
  execution_.lane_begin(region.team, lane, team_size);
  const bool counting = attempt([&] {
    if (region.recorded && wishes_.machine_counts) {
      state.events = machine_.events();
      state.accesses = machine_.accesses();
    }
    if (region.counted) begin_block_counts(state.blocks);
  });
  if (!counting) region.incomplete.store(true, std::memory_order_relaxed);
  // Lane 0 is the thread that forked: no time has passed for it.
  state.segment_begin = lane.value == 0 ? region.begin : execution_.now();
}

void Lanes::lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size) {
  const bool followed = region && guarded([&] {
                          LaneState* const state = region->states.make(lane.value);
                          if (!state) throw std::bad_alloc();
                          begin(*region, *state, lane, team_size);
                        });
  if (followed) return;
  ++unfollowed_lanes;
  if (!region) return;
  if (current_lane && current_lane->region == region) current_lane = current_lane->outer;
  region->incomplete.store(true, std::memory_order_relaxed);
}

void Lanes::lane_end() {
  if (unfollowed_lanes > 0) {
    --unfollowed_lanes;
    return;
  }
  // A team of one has no barrier at its end. A worker's lane was closed at the barrier, and may be in use again.
  if (current_lane && current_lane->working && current_lane->region->lanes == 1) close(*current_lane);
}

/// What the lane counted since it began. Throws std::bad_alloc.
void Lanes::end_counts(LaneState& state) {
  if (state.tasks.any()) state.tasks.end({execution_.now(), state.busy, machine_.events(), machine_.accesses()});
  if (state.region->recorded && wishes_.machine_counts) {
    state.events = difference(machine_.events(), state.events);
    const auto accesses = machine_.accesses();
    // There are none of its begin where memory ran out then: the region is incomplete.
    for (std::size_t tier = 0; tier < std::min(accesses.size(), state.accesses.size()); ++tier)
      state.accesses[tier] = accesses[tier] - state.accesses[tier];
  }
  if (state.region->counted) end_block_counts(state.blocks);
}

/// The lane has reached the barrier that ends the region. True if it is called back for explicit tasks; else its work
/// is done.
bool Lanes::close(LaneState& state) {
  const bool called = execution_.wait_begin(Wait::join, nullptr);
  state.busy += execution_.now() - state.segment_begin;
  if (called) return true;
  state.working = false;
  intervals_.lane_at_barrier(state);
  if (!attempt([&] { end_counts(state); })) state.region->incomplete.store(true, std::memory_order_relaxed);
  current_lane = state.outer;
  return false;
}

bool Lanes::wait_begin(Wait kind, const void* what) {
  if (!current_lane || unfollowed_lanes > 0) return false;
  const Inside here;
  if (kind == Wait::join) return close(*current_lane);
  const bool mutex = kind == Wait::mutex;  // its wait is over when wait_begin returns
  if (mutex) current_lane->busy += execution_.now() - current_lane->segment_begin;
  const bool called = execution_.wait_begin(kind, what);
  if (!mutex) current_lane->busy += execution_.now() - current_lane->segment_begin;
  current_lane->work.waiting = true;
  current_lane->called += current_lane->called > 0;
  if (is_barrier(kind) && !called) intervals_.lane_at_barrier(*current_lane);
  return called;
}

void Lanes::wait_end(Wait kind, const void* what) {
  if (!current_lane || unfollowed_lanes > 0) return;
  const Inside here;
  execution_.wait_end(kind, what);
  current_lane->segment_begin = execution_.now();
  current_lane->work.waiting = false;
  current_lane->called -= current_lane->called > 0;
  const RegionInstance& region = *current_lane->region;
  if (is_barrier(kind) && region.recorded && current_lane->lane == LaneId(0))
    report_progress({.number = region.number, .barriers = current_lane->barriers});
}

/// Beside another OMPT tool nobody tells of the explicit tasks that libomp executes while a lane waits: one that has a
/// name is work.
void Lanes::work_while_waiting(LaneState& state, bool works) {
  if (works && state.work.waiting) {
    state.called = 1;
    state.work.waiting = false;
    state.segment_begin = execution_.now();
  } else if (!works && state.called > 0) {
    state.called = 0;
    state.busy += execution_.now() - state.segment_begin;
    state.work.waiting = true;
  }
}

LaneState* Lanes::lane_with_tasks() const {
  LaneState* const state = current_lane;
  if (!state || unfollowed_lanes > 0 || !wishes_.machine_counts) return nullptr;
  return state->working && state->region->recorded ? state : nullptr;
}

/// From `now` on. Throws std::bad_alloc.
void Lanes::note_task(LaneState& state, TaskNumber task, Nanoseconds now) {
  const Reading begin{state.region->begin, Nanoseconds(0), state.events, state.accesses};
  state.tasks.work_on(task, read_lane(machine_, &state, now), begin);
}

void Lanes::work_on(std::string_view task) {
  LaneState* const state = lane_with_tasks();
  if (!state) return;
  const bool noted = guarded([&] {
    const TaskNumber number = number_of_task(task);
    const WorkAt before = std::exchange(state->work, {.task = number, .waiting = state->work.waiting});
    if (number != 0 && before.construct) return state->tasks.rename(number);  // an explicit task says what it is
    if (number != 0) work_while_waiting(*state, true);
    note_task(*state, number, execution_.now());
    if (number == 0) work_while_waiting(*state, false);
  });
  if (!noted) state->region->incomplete.store(true, std::memory_order_relaxed);
}

const void* Lanes::makes_task(const void* code) {
  return current_lane ? std::exchange(current_lane->making, code) : nullptr;
}

WorkAt Lanes::fresh_task(const void* code) {
  LaneState* const state = lane_with_tasks();
  if (!state) return {};
  if (state->making) code = state->making;
  if (code != state->last_made && guarded([&] { state->last_construct = number_of_construct(code); }))
    state->last_made = code;
  const TaskNumber construct = code == state->last_made ? state->last_construct : 0;
  return {.task = construct, .construct = construct != 0};
}

WorkAt Lanes::go_on_with(const WorkAt& next) {
  LaneState* const state = lane_with_tasks();
  if (!state) return {};
  const WorkAt before = state->work;
  const bool noted = guarded([&] {
    const Nanoseconds now = execution_.now();
    if (!before.waiting) state->busy += now - state->segment_begin;
    state->segment_begin = now;
    state->work = next;
    if (next.task != before.task) note_task(*state, next.task, now);
  });
  if (!noted) state->region->incomplete.store(true, std::memory_order_relaxed);
  return before;
}

void Lanes::report_progress(RunningRegion region) {
  if (!wishes_.progress) return;
  running_.store(std::uint64_t{region.number} << 32 | region.barriers, std::memory_order_relaxed);
}

std::optional<RunningRegion> Lanes::running() const {
  const std::uint64_t packed = running_.load(std::memory_order_relaxed);
  if (packed == nothing_runs) return std::nullopt;
  return RunningRegion{.number = static_cast<std::uint32_t>(packed >> 32),
                       .barriers = static_cast<std::uint32_t>(packed)};
}

}  // namespace lbhm
