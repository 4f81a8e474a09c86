// Condition variables in lanes of OpenMP, in virtual time: a lane that waits for one sleeps on the machine, so that the
// others need not wait for it, and is woken in the order of waiting. It gives back the mutex before, and takes it again
// in its turn (thread_locks.cpp). Waits with a deadline ask in small steps of virtual time. Threads that are no lanes
// wait for the condition itself, and may wake lanes.
#include "libomp-ext/virtual/order/conditions.h"

#include <sched.h>

#include <cerrno>
#include <ctime>
#include <mutex>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/edges.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::LaneName;
using lbhm::Wait;
using lbhm::real::RealFunction;
using namespace lbhm::clock;
namespace engine = lbhm::engine;

constinit RealFunction<int(pthread_cond_t*, pthread_mutex_t*)> real_wait("pthread_cond_wait");
constinit RealFunction<int(pthread_cond_t*)> real_signal("pthread_cond_signal"),
    real_broadcast("pthread_cond_broadcast");
constinit RealFunction<int(pthread_mutex_t*)> real_lock("pthread_mutex_lock"), real_unlock("pthread_mutex_unlock");

[[gnu::constructor]] void find_conditions() {
  lbhm::real::find_all(real_wait, real_signal, real_broadcast, real_lock, real_unlock);
}

/// A lane that waits, on its own stack.
struct Waiter {
  const void* condition;
  LaneName lane;
  bool woken = false;
  Waiter* next = nullptr;
};

/// Those that wait, in the order of their coming.
class Waiters {
 public:
  void add(Waiter& waiter) {
    const std::lock_guard guard(lock_);
    Waiter** end = &first_;
    while (*end) end = &(*end)->next;
    *end = &waiter;
  }
  void remove(Waiter& waiter) {
    const std::lock_guard guard(lock_);
    Waiter** place = &first_;
    while (*place != &waiter) place = &(*place)->next;
    *place = waiter.next;
  }
  bool is_woken(const Waiter& waiter) {
    const std::lock_guard guard(lock_);
    return waiter.woken;
  }
  bool any(const void* condition) {
    const std::lock_guard guard(lock_);
    for (const Waiter* waiter = first_; waiter; waiter = waiter->next)
      if (waiter->condition == condition) return true;
    return false;
  }
  /// The first of a condition that was not woken, or all. False: there is none.
  bool wake(const void* condition, bool all) {
    const std::lock_guard guard(lock_);
    bool any = false;
    for (Waiter* waiter = first_; waiter && (all || !any); waiter = waiter->next) {
      if (waiter->condition != condition || waiter->woken) continue;
      any = waiter->woken = true;
      engine::wake(waiter->lane);
    }
    return any;
  }
  /// Once more: a lane may not have slept yet when it was woken. True: some have yet to come.
  bool wake_again(const void* condition) {
    const std::lock_guard guard(lock_);
    bool any = false;
    for (const Waiter* waiter = first_; waiter; waiter = waiter->next) {
      if (waiter->condition != condition || !waiter->woken) continue;
      any = true;
      engine::wake(waiter->lane);
    }
    return any;
  }

 private:
  std::mutex lock_;
  Waiter* first_ = nullptr;
};
constinit Waiters waiters;

/// Null: the calling thread waits for the condition itself.
LaneName lane_with(const pthread_mutex_t* mutex) { return engine::has_mutex(mutex) ? engine::lane_name() : nullptr; }

/// Waits by `sleep`, without the mutex, until `me` is none of the waiters any more.
template <class Sleep>
void wait_without(pthread_mutex_t* mutex, Waiter& me, Sleep sleep) {
  engine::ordered_begin();
  waiters.add(me);
  engine::ordered_end();
  real_unlock(mutex);
  engine::mutex_released(mutex);
  sleep();
  engine::wait_begin(Wait::mutex, mutex);
  real_lock(mutex);
  engine::wait_end(Wait::mutex, mutex);
}

/// Returns early where everybody was let go: conditions may wake anyone at any time.
void sleep_until_woken(Waiter& me) {
  engine::ordered_begin();
  if (waiters.is_woken(me))
    engine::ordered_end();
  else
    engine::sleep();
  waiters.remove(me);
}

/// Asks in its turn, until `left` of virtual time has passed. From the last turn on nobody wakes it.
void ask_until_woken(Waiter& me, Time left) {
  const auto begin = elapse(lbhm::Nanoseconds(0));
  for (bool over = false; !over;) {
    const auto now = elapse(system_call);
    over = !begin || !now || *now - *begin >= left;
    engine::ordered_begin();
    over = over || waiters.is_woken(me);
    if (over) waiters.remove(me);
    engine::ordered_end();
  }
}

}  // namespace

int lbhm::openmp::wake_condition(pthread_cond_t* condition, bool all, const void* caller) {
  RealFunction<int(pthread_cond_t*)>& real = all ? real_broadcast : real_signal;
  if (engine::keeps_virtual_time() && speaks_for_program(caller))
    lbhm::openmp::brings(lbhm::openmp::edge_of(condition));
  if (!engine::follows_all_waits() || !waiters.any(condition)) return real(condition);
  engine::ordered_begin();
  const bool any = waiters.wake(condition, all);
  engine::ordered_end();
  const bool in_order = engine::lane_name() != nullptr;
  while (any && !in_order && waiters.wake_again(condition)) sched_yield();
  return any && !all ? 0 : real(condition);
}

std::optional<int> lbhm::openmp::wait_in_order(pthread_cond_t* condition, pthread_mutex_t* mutex, Time left) {
  const LaneName lane = lane_with(mutex);
  if (!lane) return std::nullopt;
  Waiter me{.condition = condition, .lane = lane};
  wait_without(mutex, me, [&] { ask_until_woken(me, left); });
  return me.woken ? 0 : ETIMEDOUT;
}

int lbhm::openmp::await_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const void* caller) {
  const LaneName lane = lane_with(mutex);
  if (!lane) {
    const int result = real_wait(condition, mutex);
    if (engine::keeps_virtual_time() && speaks_for_program(caller)) lbhm::openmp::got(lbhm::openmp::edge_of(condition));
    return result;
  }
  Waiter me{.condition = condition, .lane = lane};
  wait_without(mutex, me, [&] { sleep_until_woken(me); });
  return 0;
}

LBHM_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return lbhm::openmp::await_condition(condition, mutex, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  return lbhm::openmp::wake_condition(condition, false, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  return lbhm::openmp::wake_condition(condition, true, __builtin_return_address(0));
}
