#include "emulator/machine/emulated_execution.h"

#include <new>

#include "emulator/base/process.h"
#include "emulator/core/unseen_code.h"
#include "emulator/machine/emulated_machine.h"
#include "emulator/machine/thread_state.h"

namespace lbhm::emulator {
namespace {

bool is_team_wait(Wait kind) { return is_barrier(kind) || kind == Wait::join; }

}  // namespace

// All of these are called from inside the OpenMP runtime, through which no exception can pass.

Core* EmulatedExecution::flushed_core() {
  Core* core = nullptr;
  if (in_child()) return core;
  machine_.guard([&] {
    ThreadState* thread = ThreadState::current();
    if (thread == nullptr) return;
    core = &thread->core(machine_);
    core->catch_up();
    thread->flush(machine_);
  });
  return core;
}

EmulatedExecution::Region* EmulatedExecution::find(std::uint64_t team) {
  if (in_child()) return nullptr;
  const std::lock_guard guard(lock_);
  const auto found = regions_.find(team);
  return found == regions_.end() ? nullptr : found->second.get();
}

std::uint64_t EmulatedExecution::fork() try {
  Core* core = flushed_core();
  if (core == nullptr) return 0;
  core->model().drain();
  Member& member = core->member();
  quantum_.publish(member, core->model().clock());
  if (member.team == nullptr) pages_.sweep();
  auto region = std::make_unique<Region>();
  region->forker = core;
  region->lane = core->lane();
  region->serial_depth = ThreadState::current()->serial_depth;
  region->team.level = member.team == nullptr ? 1 : member.team->level + 1;
  region->team.forker = &member;
  region->team.parent = member.team;
  region->team.fork_clock = core->model().clock();
  const std::lock_guard guard(lock_);
  region->team.number = ++last_team_;
  regions_[last_team_] = std::move(region);
  return last_team_;
} catch (const std::bad_alloc&) {
  machine_.give_up();
  return 0;
}

PrivateVector<Member*> EmulatedExecution::members_of(const Region& region, std::uint32_t size) {
  PrivateVector<Member*> members{region.team.forker};
  for (std::uint32_t lane = 1; lane < size; ++lane) {
    members.push_back(&cores_.lane(*region.forker, region.team.level, LaneId(lane)).member());
  }
  return members;
}

void EmulatedExecution::lane_begin(std::uint64_t team, LaneId lane, std::uint32_t size) try {
  EmulatorsOwnTime::thread_waits(false);
  Region* region = find(team);
  ThreadState* thread = ThreadState::current();
  if (region == nullptr || thread == nullptr) return;
  if (size <= 1) {
    ++thread->serial_depth;
    return;
  }
  quantum_.open_team(region->team, members_of(*region, size));
  Core& core = lane.value == 0 ? *region->forker : cores_.lane(*region->forker, region->team.level, lane);
  thread->bind(machine_, core);
  thread->serial_depth = 0;
  core.begin_lane(region->team.level == 1 ? lane : region->lane);
} catch (const std::bad_alloc&) { machine_.give_up(); }

bool EmulatedExecution::wait_begin(Wait kind, const void* what) try {
  EmulatorsOwnTime::thread_waits(true);
  Core* core = flushed_core();
  if (core == nullptr || core->waiting()) return false;
  if (is_team_wait(kind) && ThreadState::current()->serial_depth > 0) return false;  // a team of one waits for nobody
  if (kind != Wait::mutex) return core->wait_begin(kind);
  mutexes_.acquire(*core, what);
  return false;
} catch (const std::bad_alloc&) {
  machine_.give_up();
  return false;
}

bool EmulatedExecution::passed() {
  ThreadState* thread = in_child() ? nullptr : ThreadState::current();
  return thread != nullptr && thread->core(machine_).passed_barrier();
}

void EmulatedExecution::wait_end(Wait kind, const void* what) try {
  EmulatorsOwnTime::thread_waits(false);
  ThreadState* thread = in_child() ? nullptr : ThreadState::current();
  if (thread == nullptr) return;
  Core& core = thread->core(machine_);
  const bool alone = is_team_wait(kind) && thread->serial_depth > 0;
  // What a lane did inside a barrier that has opened (libomp combines reductions there) counts behind the barrier: only
  // there the lanes are in step again, so that it does not matter which of them comes out first in real time.
  if (is_team_wait(kind) && !alone) core.wait_end();
  thread->flush(machine_);
  if (kind == Wait::mutex) mutexes_.acquired(core, what);
  if (kind == Wait::tasks) core.wait_end();
} catch (const std::bad_alloc&) { machine_.give_up(); }

void EmulatedExecution::mutex_released(const void* mutex) try {
  if (Core* core = flushed_core()) mutexes_.release(*core, mutex);
} catch (const std::bad_alloc&) { machine_.give_up(); }

bool EmulatedExecution::try_mutex(const void* mutex) try {
  Core* core = flushed_core();
  return core == nullptr || mutexes_.try_acquire(*core, mutex);
} catch (const std::bad_alloc&) {
  machine_.give_up();
  return true;
}

/// Without a flush: libomp asks, too, whenever a thread of its own goes to sleep, which real time decides.
bool EmulatedExecution::has_mutex(const void* mutex) try {
  ThreadState* thread = in_child() ? nullptr : ThreadState::current();
  const Core* core = thread == nullptr ? nullptr : thread->known_core(machine_);
  return core != nullptr && mutexes_.has(*core, mutex);
} catch (const std::bad_alloc&) {
  machine_.give_up();
  return false;
}

void EmulatedExecution::join(std::uint64_t team) try {
  EmulatorsOwnTime::thread_waits(false);
  Core* core = flushed_core();
  Region* region = find(team);
  if (core == nullptr || region == nullptr) return;
  if (!region->team.lanes.empty()) {
    quantum_.publish(core->member(), core->model().clock());
    quantum_.close_team(region->team);
    core->join();
  }
  ThreadState::current()->serial_depth = region->serial_depth;
  if (region->team.parent == nullptr) machine_.all_lanes_ended();
  const std::lock_guard guard(lock_);
  regions_.erase(team);
} catch (const std::bad_alloc&) { machine_.give_up(); }

void EmulatedExecution::ordered_begin() try {
  if (Core* core = flushed_core()) core->ordered_begin();
} catch (const std::bad_alloc&) { machine_.give_up(); }

void EmulatedExecution::atomic_begin(bool keeps) try {
  Core* core = flushed_core();
  if (core == nullptr) return;
  if (keeps)
    core->atomic_begin();
  else
    core->ordered_begin();
} catch (const std::bad_alloc&) { machine_.give_up(); }

void EmulatedExecution::ordered_end() try {
  if (Core* core = flushed_core()) core->ordered_end();
} catch (const std::bad_alloc&) { machine_.give_up(); }

void EmulatedExecution::sleep(const Sleep& until) try {
  if (Core* core = flushed_core()) core->sleep(until);
} catch (const std::bad_alloc&) { machine_.give_up(); }

LaneName EmulatedExecution::name() try {
  ThreadState* thread = in_child() ? nullptr : ThreadState::current();
  if (thread == nullptr) return nullptr;
  Core& core = thread->core(machine_);
  return core.outside() ? nullptr : &core;
} catch (const std::bad_alloc&) {
  machine_.give_up();
  return nullptr;
}

void EmulatedExecution::wake(LaneName lane) {
  Core* core = flushed_core();
  if (core != nullptr && lane != nullptr) core->wake(*static_cast<Core*>(lane));
}

void EmulatedExecution::tasks_changed(std::uint64_t team, int ready, int unfinished) {
  const Core* core = flushed_core();
  Region* region = find(team);
  if (region == nullptr) return;
  const bool stranger = core == nullptr || core->outside();  // its clock is another one
  quantum_.tasks_changed(region->team, ready, unfinished, stranger ? 0 : core->model().clock());
}

void EmulatedExecution::measure(bool on) {
  flushed_core();
  measuring_.store(on, std::memory_order_relaxed);
  sample_time(on);
}

void EmulatedExecution::pass(Nanoseconds duration) try {
  if (Core* core = flushed_core())
    core->pass(to_picoseconds(duration));
  else
    ThreadState::pass_at_end(to_picoseconds(duration));
} catch (const std::bad_alloc&) { machine_.give_up(); }

Nanoseconds EmulatedExecution::now() {
  const Core* core = flushed_core();
  return to_nanoseconds(core == nullptr ? ThreadState::clock_at_end() : core->model().clock());
}

}  // namespace lbhm::emulator
