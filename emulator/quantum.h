// Quantum-synchronised virtual time: no running core gets more than one quantum ahead of another.
//
// A running core that passes the end of the quantum waits. When no core runs any more the quantum closes: transfers
// are served (bandwidth.h), new pages are handed out (page_map.h), barriers that everybody reached open, and the
// next quantum begins. All that is decided then depends on virtual time alone.
//
//   running     executes, or is about to; the quantum cannot close without it
//   boundary    passed the end of the quantum
//   ordered     waits for its turn: that no core with a smaller (clock, number) can come before it any more
//   arriving    reached a barrier or join; its clock is final when the quantum closes
//   away        waits for something else than virtual time (barrier, mutex, task, no work)
//   outside     never takes part: a thread that belongs to no OpenMP team
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "emulator/bandwidth.h"
#include "emulator/gate.h"
#include "emulator/page_map.h"
#include "emulator/private_memory.h"
#include "emulator/time.h"

namespace lbhm::emulator {

enum class MemberState : std::uint8_t { running, boundary, ordered, arriving, away, outside };

struct Team;

/// What a core tells the quantum: its clock, and its transfers since it last told.
struct Account {
  Picoseconds clock = 0;
  Demand demand{};
};

/// One core as the quantum sees it. The quantum's lock guards it; its owner reads `bandwidth_wait` and `clock` when a
/// call has returned.
struct Member {
  std::uint64_t number = 0;
  std::atomic<MemberState> state{MemberState::away};
  std::atomic<Picoseconds> clock{0};  ///< never later than the core's own clock while it runs
  Picoseconds start = 0;              ///< when its transfers of this quantum began
  Demand demand{};                    ///< its transfers of this quantum
  Picoseconds bandwidth_wait = 0;     ///< added to the clock by settling; the core takes it
  Team* team = nullptr;               ///< innermost team that it is in
  Gate turn;                          ///< opens when an ordered core may go

  bool is(MemberState s) const { return state.load(std::memory_order_relaxed) == s; }
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
  PrivateVector<Member*> lanes;   ///< empty until the first lane begins
  std::size_t arrived = 0;        ///< at the barrier under way
  bool joining = false;           ///< that barrier is the region's end
  bool tasks_in_barrier = false;  ///< lanes execute explicit tasks while they wait

  Picoseconds latest_clock() const;
};

class Quantum {
 public:
  Quantum(const MachineDescription& machine, PageMap& pages, std::chrono::milliseconds patience);

  void add(Member& member);
  /// Where running cores have to stop. Constant while any core runs.
  Picoseconds end() const { return end_.load(std::memory_order_acquire); }
  Picoseconds start() const { return start_.load(std::memory_order_acquire); }

  // Calls of a member's own thread.
  void run(Member& member, Picoseconds clock);             ///< away -> running
  void leave(Member& member, const Account& account);      ///< running -> away
  void boundary(Member& member, const Account& account);   ///< returns when the quantum is closed
  void take_turn(Member& member, const Account& account);  ///< waits until no earlier member can come
  void end_turn(Member& member);
  /// The member's clock has grown: somebody may be waiting to be the earliest.
  void publish(Member& member, Picoseconds clock);

  /// Lane of `member.team` at a barrier, or at the region's end. Returns when the quantum is closed.
  void arrive(Member& member, const Account& account, bool joining);
  /// A lane that waits at a barrier executes a task: nobody knows any more when the lanes go on.
  void tasks_in_barrier(Member& member);
  /// The first lane that comes out of a barrier in which tasks were executed lets all of them run.
  void barrier_over(Member& member);

  /// All lanes run from the fork's clock on. Does nothing for the lanes that come later.
  void open_team(Team& team, const PrivateVector<Member*>& lanes);
  /// Only the forking thread is left, with the latest clock of the team.
  void close_team(Team& team, bool forker_runs);

  /// Nobody waits for anybody any more, from now on. For an emulator that cannot go on.
  void give_up();

  /// A core took entries: it is slow, perhaps, but not stuck.
  void note_progress() { progress_.fetch_add(1, std::memory_order_relaxed); }
  /// True once a member did not come for too long.
  bool lost_patience() const { return lost_patience_.load(std::memory_order_relaxed); }

 private:
  using Lock = std::unique_lock<std::mutex>;

  void set_state(Member& member, MemberState state);
  static void take(Member& member, const Account& account);
  // Both give the lock back before they sleep and return without it.
  void wait_for_close(Lock& lock);
  void wait(Lock& lock, const Gate& gate, std::uint32_t seen);
  /// Called when a state changed: gives the next turn, or closes the quantum.
  void go_on();
  void give_turn();
  Member* next_in_order() const;
  void close();
  void settle_all();
  static void settle_alone(Member& member);
  static void settle(Member& member, const Demand& served);
  void arrived(Member& member);
  void release(Team& team);
  void begin_next();
  void drop_stragglers();

  const std::size_t tier_count_;
  const Picoseconds length_;
  const std::chrono::milliseconds patience_;
  PageMap& pages_;
  std::mutex lock_;
  PrivateVector<Member*> members_;
  std::size_t running_ = 0;
  std::atomic<std::uint32_t> ordered_{0};
  Member* inside_ = nullptr;  // has its turn
  Gate closed_;
  std::atomic<Picoseconds> start_{0};
  std::atomic<Picoseconds> end_;
  std::atomic<std::uint64_t> progress_{0};
  std::atomic<bool> lost_patience_{false};
};

}  // namespace lbhm::emulator
