// Futexes: what std::barrier, latch, counting_semaphore and atomic::wait end in, and std::future in libstdc++.
// Templates and inline functions of the C++ library call syscall(SYS_futex, ...) in the program's own code.
//
// `syscall` itself is in front of libc's for that number alone: every other call goes on with its registers and its
// stack as they are, so that also those that return twice work as before.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>

#include "emulator/openmp/clock/deadlines.h"
#include "emulator/openmp/order/edges.h"
#include "emulator/openmp/order/futex.h"
#include "emulator/openmp/order/sleepers.h"
#include "libomp-ext/real/real_function.h"

namespace {

using namespace lbhm::clock;
using namespace lbhm::openmp;
namespace engine = lbhm::engine;

using Word = std::uint32_t;
using Syscall = long(long, long, long, long, long, long, long);

long syscall_of_system(long number, long a, long b, long c, long d, long e, long f) {
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  register long sixth asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  if (result >= -4095 && result < 0) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}

}  // namespace

/// libc's, once it was found.
extern "C" {
__attribute__((visibility("hidden"))) constinit Syscall* lbhm_real_syscall = syscall_of_system;
}

namespace {

[[gnu::constructor]] void find_syscall() {
  if (void* const found = dlsym(RTLD_NEXT, "syscall")) lbhm_real_syscall = reinterpret_cast<Syscall*>(found);
}

long real_futex(Word* word, int operation, Word value, const void* fourth, Word* second, Word third) {
  return lbhm_real_syscall(SYS_futex, reinterpret_cast<long>(word), operation, static_cast<long>(value),
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

/// Its arguments are those of syscall; those behind `word` and `operation` depend on the operation.
extern "C" __attribute__((used, visibility("hidden"))) long lbhm_futex(long, Word* word, int operation, Word value,
                                                                       const timespec* fourth, Word* fifth,
                                                                       Word sixth) {
  const void* const caller = __builtin_return_address(0);
  const auto real = [=](const timespec* until) { return real_futex(word, operation, value, until, fifth, sixth); };
  if (!engine::keeps_virtual_time() || !speaks_for_program(caller)) return real(fourth);
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

#if defined(__x86_64__)

extern "C" __attribute__((naked, visibility("default"))) long lbhm_syscall() asm("syscall");
long lbhm_syscall() {
  asm("cmp $202, %rdi\n"
      "jne 1f\n"
      "jmp lbhm_futex\n"
      "1: jmp *lbhm_real_syscall(%rip)\n");
}
static_assert(SYS_futex == 202);

#endif  // other processors: futexes wait in real time
