// The threads of the program in the machine contract (machine.h).
//
// Contract:
//   - Calls come from the thread that they speak of, in the order fork, lane_begin, (wait_begin, wait_end)*,
//     wait_begin(join), join; join on the forking thread only.
//   - Nothing throws.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// Why a thread waits. In each case it stops using the processor until wait_end.
/// team_barrier: OpenMP's own follows only where passed() says so.
enum class Wait : std::uint8_t { barrier, team_barrier, join, mutex, tasks };

constexpr bool is_barrier(Wait kind) { return kind == Wait::barrier || kind == Wait::team_barrier; }

/// Names a lane in sleep and wake; null where nobody sleeps.
using LaneName = void*;

/// What ends a lane's sleep beside Execution::wake.
struct Rousing {
  std::optional<Nanoseconds> deadline;  ///< of the lane's clock
  /// True if what the lane waits for has come from where no lane is: another process, a thread without OpenMP. Asked in
  /// real time, now and then, by the sleeping thread. Null: nobody can tell; the lane goes on to look for itself when
  /// no other lane can any more.
  bool (*has_come)(const void* what) = nullptr;
  const void* what = nullptr;
};

/// What the machine is told of the program's threads, and the clock that it keeps for them.
/// On a real machine most calls do nothing; on the emulated one they move virtual time.
class Execution {
 public:
  virtual ~Execution() = default;
  /// The calling thread is about to start a team. Returns the team's number.
  virtual std::uint64_t fork() = 0;
  /// The calling thread is lane `lane` of `size` in `team` from now on.
  virtual void lane_begin(std::uint64_t team, LaneId lane, std::uint32_t size) = 0;
  /// The calling thread stops to wait; when this returns its clock shows when it stopped. True: the wait is not over,
  /// the lane is called out of the barrier to execute explicit tasks; say wait_end, do so, and say wait_begin again.
  /// In virtual time a wait for a mutex ends here, with the mutex.
  virtual bool wait_begin(Wait kind, const void* what) = 0;
  /// After wait_begin: all lanes of the team came to this barrier as a team_barrier, and no other one has to hold them.
  /// The same answer for each of them.
  virtual bool passed() { return false; }
  /// The wait is over. `what` names the mutex, if it is one.
  virtual void wait_end(Wait kind, const void* what) = 0;
  /// The calling thread lets go of the mutex.
  virtual void mutex_released(const void* mutex) = 0;
  /// Takes the mutex if nobody has it. In real time always true: then the mutex itself decides.
  virtual bool try_mutex(const void* mutex) = 0;
  /// The calling thread has the mutex, as far as this machine was told. In real time never.
  virtual bool has_mutex(const void*) { return false; }
  /// The forking thread goes on alone.
  virtual void join(std::uint64_t team) = 0;

  // The order of what lanes do to data that they share. In real time these calls do nothing.

  /// Between these two calls no other lane is inside the same pair; lanes enter in the order of (clock, lane).
  virtual void ordered_begin() = 0;
  virtual void ordered_end() = 0;
  /// Inside the pair: leaves it and sleeps until another lane wakes this one. It may return early: look again.
  virtual void sleep() = 0;
  /// What others call the calling lane; null if no order holds it.
  virtual LaneName name() = 0;
  /// Inside the pair, or from a thread that is no lane: the lane goes on, if it sleeps; not before the caller's clock,
  /// if that is a lane's.
  virtual void wake(LaneName lane) = 0;
  /// Inside the pair: so many explicit tasks more of the team can begin, and so many more are unfinished.
  /// A barrier of the team ends when none is unfinished, and lanes that wait there are called for those that can begin.
  virtual void tasks_changed(std::uint64_t team, int ready, int unfinished) = 0;
  /// Stops and continues the clock, the samples and the events of all threads (omp_control_tool pause and start).
  virtual void measure(bool on) = 0;
  /// True if this machine keeps its own time: then it must be told of every wait, mutexes and tasks included.
  virtual bool virtual_time() const = 0;
  /// Time passes for the calling thread without work: it sleeps, or reads a clock. Real machines do that themselves.
  virtual void pass(Nanoseconds) {}
  /// The calling thread's clock. Never runs backwards.
  virtual Nanoseconds now() = 0;
};

}  // namespace lbhm
