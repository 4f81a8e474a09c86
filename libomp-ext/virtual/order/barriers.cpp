// pthread_barrier_t in virtual time: lanes and threads that come to it are counted here, and go on at the latest clock
// of them. Barriers that other processes share, and those that nobody initialised while time was virtual, are libc's.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <mutex>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/inside.h"

namespace {

using namespace lbhm::openmp;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;

constinit RealFunction<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)> real_init(
    "pthread_barrier_init");
constinit RealFunction<int(pthread_barrier_t*)> real_wait("pthread_barrier_wait"),
    real_destroy("pthread_barrier_destroy");

[[gnu::constructor]] void find_barriers() { lbhm::real::find_all(real_init, real_wait, real_destroy); }

struct Barrier {
  const void* name = nullptr;
  unsigned size = 0;
  unsigned arrived = 0;
  lbhm::Nanoseconds latest{};
  std::atomic<std::uint32_t> round{0};
  lbhm::Nanoseconds opened{};  ///< of the last round
};
constinit std::mutex lock;
constinit std::array<Barrier, 1024> barriers{};  // more are libc's

Barrier* find(const void* name) {
  for (Barrier& barrier : barriers)
    if (barrier.name == name) return &barrier;
  return nullptr;
}

bool is_shared(const pthread_barrierattr_t* attributes) {
  int shared = PTHREAD_PROCESS_PRIVATE;
  return attributes && pthread_barrierattr_getpshared(attributes, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED;
}

struct Round {
  const Barrier* barrier;
  std::uint32_t number;
};

bool is_over(const void* what) {
  const auto* round = static_cast<const Round*>(what);
  return round->barrier->round.load() != round->number;
}

/// True: the caller was the last.
bool come(Barrier& barrier, lbhm::Nanoseconds clock) {
  const std::lock_guard guard(lock);
  barrier.latest = std::max(barrier.latest, clock);
  if (++barrier.arrived < barrier.size) return false;
  barrier.opened = std::exchange(barrier.latest, {});
  barrier.arrived = 0;
  barrier.round.fetch_add(1);
  return true;
}

int wait(Barrier& barrier) {
  const Round round{.barrier = &barrier, .number = barrier.round.load()};
  const bool lane = lane_calls();
  Sleeper me(&barrier, std::nullopt, is_over, &round);
  const lbhm::Nanoseconds clock = clock_here();
  engine::ordered_begin();
  const bool last = come(barrier, clock);
  if (last) {
    wake_sleepers(&barrier, -1);
    engine::ordered_end();
    const lbhm::Inside here;
    syscall(SYS_futex, &barrier.round, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  } else if (lane) {
    for (me.sleep(); !is_over(&round); me.sleep()) engine::ordered_begin();
  } else {
    const lbhm::Inside here;
    while (!is_over(&round)) syscall(SYS_futex, &barrier.round, FUTEX_WAIT_PRIVATE, round.number, nullptr, nullptr, 0);
  }
  not_before(barrier.opened);
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

Barrier* ours(const void* name, const void* caller) {
  if (!lbhm::clock::may_be_program(caller)) return nullptr;
  const std::lock_guard guard(lock);
  return find(name);
}

}  // namespace

LBHM_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                     unsigned count) noexcept {
  const int result = real_init(barrier, attributes, count);
  if (result != 0 || is_shared(attributes) || !lbhm::clock::may_be_program(__builtin_return_address(0))) return result;
  const std::lock_guard guard(lock);
  Barrier* place = find(barrier);
  if (!place) place = find(nullptr);
  if (place) {
    place->name = barrier;
    place->size = count;
    place->arrived = 0;
  }
  return result;
}

LBHM_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Barrier* place = ours(barrier, __builtin_return_address(0));
  return place ? wait(*place) : real_wait(barrier);
}

LBHM_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  {
    const std::lock_guard guard(lock);
    if (Barrier* place = find(barrier)) place->name = nullptr;
  }
  return real_destroy(barrier);
}
