// Quantum-synchronised virtual time: no running core gets more than one quantum ahead of another.
//
// A running core that passes the end of the quantum waits. When no core runs any more the quantum closes: transfers
// are served (bandwidth.h), new pages are handed out (page_map.h), barriers that everybody reached open, and the
// next quantum begins. All that is decided then depends on virtual time alone.
//
//   running     executes, or is about to; the quantum cannot close without it
//   boundary    passed the end of the quantum
//   ordered     waits for its turn: that no core with a smaller (clock, number) can come before it any more
//   arriving    reached a barrier or join; its clock is final when its transfers are served
//   held        stays there until the barrier opens, or until it is called for explicit tasks
//   asleep      waits for another core to wake it (mutex, task), or for an alarm, or for what no core brings (Sleep)
//   away        does nothing that virtual time could wait for
//   outside     never takes part: a thread that belongs to no OpenMP team
//   daemon      works at the ends of quanta only; its transfers count in the quantum that follows
//
// Only a core that has its turn changes what others wait for. Turns are given by (clock, number), and nobody who is
// woken or called goes on at an earlier clock than the one who does it. A core may keep its turn while it runs on
// (keeps_turn): then others come after it with earlier clocks, the same ones in each run. So all that happens depends
// on virtual time alone. After: K. Chandy, J. Misra, "Asynchronous Distributed Simulation via a Sequence of Parallel
// Computations", CACM 24(4), 1981 (conservative simulation).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/memory/bandwidth.h"
#include "emulator/memory/page_map.h"
#include "emulator/schedule/gate.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

enum class MemberState : std::uint8_t { running, boundary, ordered, arriving, held, asleep, away, outside, daemon };

struct Team;

/// What a core tells the quantum: its clock, and its transfers since it last told.
struct Account {
  Picoseconds clock = 0;
  Demand demand{};
};

/// What ends a core's sleep beside another core.
struct Sleep {
  Picoseconds alarm = never;                ///< it has its turn then
  bool from_outside = false;                ///< others than cores may bring what it waits for
  bool (*has_come)(const void*) = nullptr;  ///< true if they have; null: nobody can tell
  const void* what = nullptr;
};

/// One core as the quantum sees it. The quantum's lock guards it; its owner reads `bandwidth_wait` and `clock` when a
/// call has returned.
struct Member {
  std::uint64_t number = 0;
  std::atomic<MemberState> state{MemberState::away};
  std::atomic<Picoseconds> clock{0};                 ///< never later than the core's own clock while it runs
  Picoseconds start = 0;                             ///< when its transfers of this quantum began
  Demand demand{};                                   ///< its transfers of this quantum
  std::array<Picoseconds, maximum_tiers> backlog{};  ///< what tiers still have to do for it of earlier quanta
  Picoseconds bandwidth_wait = 0;                    ///< added to the clock by settling; the core takes it
  Team* team = nullptr;                              ///< innermost team that it is in
  Gate gate;                                         ///< opens when a core that is ordered, held or asleep may go on
  std::atomic<Picoseconds> keeps_turn_until{0};      ///< 0: no longer than the turn takes
  Picoseconds alarm = never;                         ///< asleep: when it goes on by itself
  bool from_outside = false;                         ///< asleep: others than cores may wake it
  std::atomic<const void*> place{nullptr};           ///< where the plugin's code last called; to name it
  bool looked = false;                               ///< arriving: had its turn, and found no task to begin
  bool called = false;                               ///< for explicit tasks; it has not come to them yet
  bool passed = false;                               ///< the barrier that it came to, with all of its team
  bool dropped = false;                              ///< kept the others waiting, and has not come since
  std::uint32_t drops = 0;                           ///< how often it did
  std::atomic<int> thread{0};                        ///< that executes it, as Linux numbers them; 0: none yet
  bool in_kernel = false;                            ///< away: its thread sleeps in the kernel, where others keep it
  bool awake = false;                                ///< in_kernel no longer; waits to come back
  std::atomic<bool> left_behind{false};              ///< it did, and its owner has not seen yet which clock it is

  bool is(MemberState s) const { return state.load(std::memory_order_relaxed) == s; }
  bool has_alarm() const { return is(MemberState::asleep) && alarm != never; }
  void advance_to(Picoseconds time) {
    if (clock.load(std::memory_order_relaxed) < time) clock.store(time, std::memory_order_relaxed);
  }
};

/// The lanes of one parallel region.
struct Team {
  std::uint64_t number = 0;
  std::uint32_t level = 0;  ///< 1: the outermost
  Member* forker = nullptr;
  Team* parent = nullptr;
  Picoseconds fork_clock = 0;
  PrivateVector<Member*> lanes;  ///< empty until the first lane begins
  std::size_t held = 0;          ///< lanes at the barrier under way
  bool joining = false;          ///< that barrier is the region's end
  bool alone = true;             ///< no other barrier follows it
  std::int64_t ready = 0;        ///< explicit tasks that can begin
  std::int64_t called = 0;       ///< lanes on their way to them
  std::int64_t unfinished = 0;   ///< explicit tasks

  Picoseconds latest_clock() const;
};

/// What is to be done when a quantum closes. Called without the quantum's lock while nobody in step runs.
class CloseDuties {
 public:
  virtual ~CloseDuties() = default;
  virtual bool due(Picoseconds now) const = 0;
  virtual void run(Picoseconds now) = 0;
};

class Quantum {
 public:
  Quantum(const MachineDescription& machine, PageMap& pages, std::chrono::milliseconds patience);

  void add(Member& member);
  /// Of a thread out of step, outside of teams, that has ended.
  void remove(Member& member);
  /// Before anybody runs.
  void set_duties(CloseDuties& duties) { duties_ = &duties; }
  /// Where running cores have to stop. Constant while any core runs.
  Picoseconds end() const { return end_.load(std::memory_order_acquire); }
  Picoseconds start() const { return start_.load(std::memory_order_acquire); }
  Picoseconds length() const { return length_; }

  // Calls of a member's own thread.
  void run(Member& member, Picoseconds clock);            ///< away -> running
  void leave(Member& member, const Account& account);     ///< running -> away
  void boundary(Member& member, const Account& account);  ///< returns when the quantum is closed
  /// Waits until no earlier member can come. `keep`: the turn goes on for so long, whatever the member does meanwhile,
  /// but not beyond the quantum, nor when it waits for others.
  void take_turn(Member& member, const Account& account, Picoseconds keep = 0);
  /// From a turn that it took before.
  bool keeps_turn(const Member& member, Picoseconds clock) const {
    return clock < member.keeps_turn_until.load(std::memory_order_relaxed) && clock < end();
  }
  void end_turn(Member& member);
  /// The member's clock has grown: somebody may be waiting to be the earliest.
  void publish(Member& member, Picoseconds clock);

  /// Lane of `member.team` at a barrier, or at the region's end. Returns when all lanes are there and no explicit task
  /// is unfinished, or, with true, when the lane is called for a task.
  bool arrive(Member& member, const Account& account, Wait kind);

  /// Sets the byte when no member in step runs: at the quantum's end for a lane, else at once.
  void set_at_close(const Member& member, std::atomic<std::uint8_t>& byte);

  // Calls of a member that has its turn, and of members out of step.
  /// Ends the turn; returns when the member was woken.
  void sleep(Member& member, const Sleep& until = {});
  void wake(Member& member, Picoseconds clock);
  /// `clock`: of the caller.
  void tasks_changed(Team& team, int ready, int unfinished, Picoseconds clock);

  /// All lanes run from the fork's clock on. Does nothing for the lanes that come later.
  void open_team(Team& team, const PrivateVector<Member*>& lanes);
  /// Only the forking thread is left, with the latest clock of the team.
  void close_team(Team& team);

  /// Nobody waits for anybody any more, from now on. For an emulator that cannot go on.
  void give_up();

  /// A core took entries: it is slow, perhaps, but not stuck.
  void note_progress() { progress_.fetch_add(1, std::memory_order_relaxed); }
  /// True once a member did not come for too long.
  bool lost_patience() const { return lost_patience_.load(std::memory_order_relaxed); }
  /// Where the first of those was seen last; null: nobody knows.
  const void* place_of_straggler() const { return place_of_straggler_.load(std::memory_order_relaxed); }
  /// How often members slept in the kernel while the others waited for them.
  std::uint64_t kernel_waits() const { return kernel_waits_.load(std::memory_order_relaxed); }
  /// True once all members waited for each other.
  bool deadlocked() const { return deadlocked_.load(std::memory_order_relaxed); }

 private:
  using Lock = std::unique_lock<GateLock>;

  void set_state(Member& member, MemberState state);
  void rouse(Member& member, Picoseconds clock);
  void wait_for_others(Member& member, const Sleep& until, std::uint32_t seen);
  bool is_idle() const;
  void lose_turn(Member& member);
  static void take(Member& member, const Account& account);
  // Both give the lock back before they sleep and return without it.
  void wait_for_close(Lock& lock);
  void wait(Lock& lock, const Gate& gate, std::uint32_t seen);
  /// Called when a state changed: gives the next turn, or closes the quantum.
  void go_on();
  void give_turn();
  Member* next_in_order() const;
  bool in_step(const Member& member) const { return member.is(MemberState::running); }
  void close();
  /// How far all who wait have come.
  Picoseconds reached() const;
  /// Gives the lock back meanwhile. False if there were none.
  bool run_duties();
  void settle_all();
  /// Latencies of the next quantum follow from the transfers of this one.
  Demand note_load(const PrivateVector<Member*>& users);
  void settle_alone(Member& member);
  /// `served`: when the memory has served it, if it had asked for everything at the quantum's start. `alone`: how long
  /// that takes if nobody else asks.
  static void settle(Member& member, Picoseconds served, Picoseconds alone);
  void hold(Member& member);
  void open_if_complete(Team& team);
  void release(Team& team);
  void look_for_task(Member& member);
  void call_lanes(Team& team, Picoseconds clock);
  void call(Member& member, Picoseconds clock);
  static void forget_call(Member& member);
  void hold_arrived();
  Picoseconds earliest_clock() const;
  void begin_next();
  void serve(Picoseconds duration);
  void say_whom_others_wait_for();
  bool let_go_if_all_sleep();
  bool all_sleep();
  bool take_back_woken();
  Picoseconds reached_awake() const;
  void await_close_in_kernel(Lock& lock, Member& member);
  const Member* straggler() const;
  void drop_stragglers();
  bool is_stuck() const;
  void let_all_go();
  void set_bytes();
  std::chrono::milliseconds patience() const;

  const std::size_t tier_count_;
  const Picoseconds length_;
  const std::chrono::milliseconds patience_;
  PageMap& pages_;
  GateLock lock_;
  PrivateVector<Member*> members_;
  std::size_t running_ = 0;
  std::atomic<std::uint32_t> ordered_{0};  // wait for a turn: ordered, or arriving and not looked yet
  Member* inside_ = nullptr;               // has its turn
  CloseDuties* duties_ = nullptr;
  PrivateVector<std::atomic<std::uint8_t>*> bytes_to_set_;
  bool closing_ = false;  // duties are under way
  Gate closed_;
  std::atomic<Picoseconds> start_{0};
  std::atomic<Picoseconds> end_;
  std::atomic<std::uint64_t> progress_{0};
  std::size_t in_kernel_ = 0;
  std::atomic<std::uint64_t> kernel_waits_{0};
  std::uint64_t time_used_ = 0;  // by all who are awaited, at the last look at their threads
  std::chrono::steady_clock::time_point next_look_{};
  unsigned looks_at_sleep_ = 0;  // in a row that found all asleep
  std::atomic<bool> lost_patience_{false};
  std::atomic<const void*> place_of_straggler_{nullptr};
  std::atomic<bool> said_{false};  // that somebody keeps the others waiting
  std::atomic<bool> deadlocked_{false};
};

}  // namespace lbhm::emulator
