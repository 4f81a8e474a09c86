// Futexes: what std::barrier, latch, counting_semaphore and atomic::wait end in, and std::future in libstdc++.
// Templates and inline functions of the C++ library call syscall(SYS_futex, ...) in the program's own code.
//
// They come here from the front of syscall (libomp-ext/signals/system_calls.cpp).
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>

#include "libomp-ext/virtual/clock/deadlines.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/futex.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/inside.h"

namespace {

using namespace lbhm::clock;
using namespace lbhm::openmp;
namespace engine = lbhm::engine;

using Word = std::uint32_t;
constinit lbhm::real::RealFunction<long(long, long, long, long, long, long, long)> real_syscall("syscall");

[[gnu::constructor]] void find_syscall() { lbhm::real::find_all(real_syscall); }

long real_futex(Word* word, int operation, Word value, const void* fourth, Word* second, Word third) {
  return real_syscall(SYS_futex, reinterpret_cast<long>(word), operation, static_cast<long>(value),
                      reinterpret_cast<long>(fourth), reinterpret_cast<long>(second), static_cast<long>(third));
}

/// A futex that a lane waits for, until its value is another one.
struct Awaited {
  Word* word;
  Word value;
  Sleeper* sleeper;
};

bool has_come(const void* what) {
  const auto* awaited = static_cast<const Awaited*>(what);
  return awaited->sleeper->woken() || std::atomic_ref(*awaited->word).load() != awaited->value;
}

}  // namespace

/// The value is looked at in the lane's turn.
int lbhm::openmp::lane_waits(Word* word, Word value, std::optional<Time> left) {
  Awaited awaited{.word = word, .value = value, .sleeper = nullptr};
  Sleeper me(word, left, has_come, &awaited);
  awaited.sleeper = &me;
  engine::ordered_begin();
  if (std::atomic_ref(*word).load() != value) {
    engine::ordered_end();
    return EAGAIN;
  }
  me.sleep();
  got(edge_of(word));
  return !me.woken() && me.is_over() ? ETIMEDOUT : 0;
}

namespace {

/// As system calls say it.
long outcome(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// `real`: waits until that time.
template <class Real>
long wait(Word* word, Word value, clockid_t clock, const timespec* deadline, std::optional<Time> left, Real real) {
  if (lane_calls()) return outcome(lane_waits(word, value, left));
  const long result =
      wait_for(left, clock, deadline, real, [](long status) { return status != 0 && errno == ETIMEDOUT; });
  if (result == 0 || errno == EAGAIN) got(edge_of(word));
  return result;
}

/// The lanes first, in the order in which they came.
template <class Real>
long wake(Word* word, int most, Real real) {
  brings(edge_of(word));
  const bool lane = lane_calls();
  if (lane) engine::ordered_begin();
  const int woken = any_sleeper() ? wake_sleepers(word, most) : 0;
  const long others = woken < most ? real(most - woken) : 0;
  if (lane) engine::ordered_end();
  return others < 0 && woken == 0 ? others : woken + (others > 0 ? others : 0);
}

long wait_a_while(Word* word, int operation, Word value, const timespec* duration) {
  const std::optional<Time> left = duration ? std::optional(to_time(*duration)) : std::nullopt;
  const long result = wait(word, value, CLOCK_MONOTONIC, nullptr, lane_calls() ? left : std::nullopt,
                           [=](const timespec*) { return real_futex(word, operation, value, duration, nullptr, 0); });
  if (result != 0 && errno == ETIMEDOUT && left && !lane_calls()) elapse(lbhm::Nanoseconds(static_cast<double>(*left)));
  return result;
}

}  // namespace

long lbhm::openmp::futex(const void* caller, Word* word, int operation, Word value, const timespec* fourth, Word* fifth,
                         Word sixth) {
  const auto real = [=](const timespec* until) { return real_futex(word, operation, value, until, fifth, sixth); };
  if (inside() || !engine::keeps_virtual_time() || !speaks_for_program(caller)) return real(fourth);
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return wait_a_while(word, operation, value, fourth);
    case FUTEX_WAIT_BITSET:
      return wait(word, value, clock, fourth, left_until(clock, fourth, applies_to(caller)), real);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return wake(word, static_cast<int>(value),
                  [=](int most) { return real_futex(word, operation, static_cast<Word>(most), fourth, fifth, sixth); });
    default:
      return real(fourth);
  }
}
