// One emulated core: the model of its time, and its place in the quantum.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "emulator/base/private_memory.h"
#include "emulator/core/core_model.h"
#include "emulator/schedule/quantum.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

/// Everything but events(), accesses() and the sampler is for the thread that the core executes.
class Core : public PrivatelyAllocated, public std::enable_shared_from_this<Core> {
 public:
  Core(const MachineDescription& machine, PageMap& pages, Quantum& quantum, std::uint64_t number, MemberState state,
       PageNumberRange ignored_pages);

  std::uint64_t number() const { return member_.number; }
  LaneId lane() const { return lane_; }
  Member& member() { return member_; }
  CoreModel& model() { return model_; }
  const CoreModel& model() const { return model_; }

  /// Takes what an instrumented program did. Waits at the ends of quanta.
  void execute(const Work& work, std::span<const std::uint64_t> entries, bool measuring);

  /// The thread sleeps. Clocks stop at 100 days, long before they would overflow.
  void pass(Picoseconds duration);

  /// The thread has slept in the kernel while the others went on without it: it comes back at a later clock.
  void catch_up() {
    if (member_.left_behind.load(std::memory_order_relaxed)) [[unlikely]]
      come_back();
  }

  /// The thread begins a lane: the clock is the fork's.
  void begin_lane(LaneId lane);
  /// Not for mutexes. True if the core is called for an explicit task.
  bool wait_begin(Wait kind);
  void wait_end();
  bool waiting() const { return waiting_; }
  bool passed_barrier() const { return waiting_ && in_barrier_ && member_.passed; }
  /// The core had nothing to do until then.
  void idle_until(Picoseconds time) { model_.idle_until(time); }
  /// The region that this core forked is over; it has the latest clock of the team.
  void join();
  /// Takes a turn; `keep`: as Quantum::take_turn.
  void ordered_begin(Picoseconds keep = 0);
  /// The same for an atomic operation whose result is used.
  void atomic_begin();
  void ordered_end() { quantum_.end_turn(member_); }
  /// Inside the turn.
  void sleep(const Sleep& until = {});
  /// A core out of step has a clock that says nothing here.
  void wake(Core& other) { quantum_.wake(other.member_, outside() ? 0 : model_.clock()); }
  bool in_step() const { return member_.is(MemberState::running); }
  bool has_team() const { return member_.team != nullptr; }
  bool outside() const { return member_.is(MemberState::outside) || member_.is(MemberState::daemon); }
  /// The core of a daemon works from now on, or not before it has finished what it did before.
  void begin_duty(Picoseconds now, bool measuring);
  void end_duty();
  /// The thread ends.
  void retire();
  /// The core of the program's own thread in whose teams this one executes lanes: itself, outside of teams.
  std::uint64_t root() const { return root_; }
  void set_root(std::uint64_t number) { root_ = number; }

 private:
  Account account() { return {.clock = model_.clock(), .demand = model_.take_demand()}; }
  /// Takes over the wait for bandwidth that the quantum found.
  void take_settlement();
  void prepare();
  void come_back();
  void pass_boundaries();
  /// Says how far the core has come, at the end of all that it executes.
  void report_clock();

  Quantum& quantum_;
  CoreModel model_;
  Member member_;
  LaneId lane_;
  std::uint64_t root_ = 0;
  Picoseconds last_atomic_ = never;  // when it began
  bool waiting_ = false;             // between wait_begin and wait_end
  bool in_barrier_ = false;          // that wait is one of the whole team
  bool dismissed_ = false;           // that wait ends the lane
};

}  // namespace lbhm::emulator
