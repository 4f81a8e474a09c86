// Lanes that wait for what other lanes, threads without OpenMP or other processes bring by way of the kernel: bytes in
// a pipe, a futex, a lock of a file. In virtual time such a lane sleeps on the machine and keeps nobody waiting: it
// asks in its turn, without blocking, and asks again when a lane has changed something. So each is a pair: ask() where
// a call may block, and end_waits() or changed() by whoever may end such a wait. What comes from elsewhere is found in
// real time.
//
// A thread that is no lane waits in fact. Its clock then goes on at that of the one who ended its wait (edges.h).
#pragma once

#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"

namespace lbhm::openmp {

/// What the calling lane waits for, on its own stack.
class Sleeper {
 public:
  /// `what`: address or number that says which waits changed() ends. `has_come`: as Rousing::has_come.
  Sleeper(const void* what, std::optional<clock::Time> left, bool (*has_come)(const void*), const void* asked);
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper();

  /// Inside the lane's turn: ends it, and returns when it is worth asking again.
  void sleep();
  bool woken() const { return woken_; }
  /// No virtual time is left.
  bool is_over() const;

 private:
  friend int wake_sleepers(const void* what, int most);
  friend bool any_sleeper();

  const void* what_;
  std::optional<Nanoseconds> deadline_;
  bool (*has_come_)(const void*);
  const void* asked_;
  LaneName lane_;
  bool listed_ = false;
  bool woken_ = false;
  Sleeper* next_ = nullptr;
};

/// Lanes that sleep for `what` go on, in the order of their coming; returns how many. In the caller's turn, if it is a
/// lane.
int wake_sleepers(const void* what, int most);
bool any_sleeper();

/// For waits that any change may end.
inline constexpr const void* the_kernel = nullptr;
inline void changed() {
  if (any_sleeper()) wake_sleepers(the_kernel, -1);
}

/// True if a lane in virtual time calls.
inline bool lane_calls() { return engine::lane_name() != nullptr; }

/// `real` may end such waits: it is called in the lane's turn.
template <class Real>
auto end_waits(Real real) {
  engine::ordered_begin();
  const auto result = real();
  changed();
  engine::ordered_end();
  return result;
}

/// Repeats `attempt` in the lane's turn until it has an answer (an optional); nothing after `left` of virtual time.
template <class Attempt>
auto ask(Attempt attempt, std::optional<clock::Time> left, bool (*has_come)(const void*), const void* asked) {
  Sleeper me(the_kernel, left, has_come, asked);
  for (;;) {
    engine::ordered_begin();
    auto answer = attempt();
    if (answer || me.is_over()) {
      if (answer) changed();
      engine::ordered_end();
      return answer;
    }
    me.sleep();
  }
}

}  // namespace lbhm::openmp
