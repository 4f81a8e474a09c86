// What a program says to the kernel that comes before anything of ours: where its memory is to be (mbind, set_mempolicy
// and their like), how much of it there may be (setrlimit), that it needs to be of one thread (unshare), and that it
// will make no system calls any more (seccomp). libnuma, hwloc and libseccomp say it by syscall(2), so this one
// function sees them all; for seccomp there is prctl(2), too, and for limits there are libc's functions. Calls of our
// own are made `inside`. Where virtual time is kept, futexes are waited for in it, and limits of other waits pass
// there.
#include <linux/mempolicy.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <optional>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/engine/engine.h"
#include "runtime/host/sampling/watching.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/inside.h"

#ifndef SYS_set_mempolicy_home_node  // Linux 5.17
#define SYS_set_mempolicy_home_node 450
#endif

namespace {

using lbhm::Bytes;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;

constinit RealFunction<long(long, long, long, long, long, long, long)> real_syscall("syscall");
constinit RealFunction<int(int, long, long, long, long)> real_control("prctl");
constinit RealFunction<int(int, const void*)> real_limit("setrlimit");
constinit RealFunction<int(pid_t, int, const void*, void*)> real_limits("prlimit");

[[gnu::constructor]] void find_system_calls() {
  lbhm::real::find_all(real_syscall, real_control, real_limit, real_limits);
}

constexpr int mode_flags = 7 << 13;  // MPOL_MODE_FLAGS
constexpr std::size_t page = 4096;   // or larger: then neighbours are bound, too

// Words of system calls are addresses.  NOLINTBEGIN(performance-no-int-to-ptr)

/// Pages of ours that have contents are where we put them, not where the program's would be: they go where it says.
long bind(long address, long bytes, long mode, long nodes, long bits, long flags) {
  const bool bound = (mode & ~mode_flags) != MPOL_DEFAULT;
  const bool ours =
      engine::bind_pages(reinterpret_cast<void*>(address), Bytes(static_cast<std::uint64_t>(bytes)), bound);
  const long result = real_syscall(SYS_mbind, address, bytes, mode, nodes, bits, flags);
  if (!ours || !bound || result != 0) return result;
  const lbhm::Inside here;
  const int before = errno;
  syscall(SYS_mbind, address, bytes, mode, nodes, bits, static_cast<long>(MPOL_MF_MOVE));
  errno = before;
  return result;
}

/// A thread that prefers the node that it runs on says nothing: that is so without it.
bool chooses(long mode, const unsigned long* nodes) {
  mode &= ~mode_flags;
  if (mode == MPOL_DEFAULT || mode == MPOL_LOCAL) return false;
  return mode != MPOL_PREFERRED || nodes;
}

/// move_pages(2) of this process; those who only ask where pages are name no nodes.
void bind_moved(long process, long count, void* const* pages, const int* nodes) {
  if (lbhm::inside() || !nodes || !pages || (process != 0 && process != getpid())) return;
  for (long i = 0; i < count;) {
    const auto first = reinterpret_cast<std::uintptr_t>(pages[i]);
    long run = 1;
    while (i + run < count && reinterpret_cast<std::uintptr_t>(pages[i + run]) == first + page * std::size_t(run))
      ++run;
    engine::bind_pages(pages[i], Bytes(page * std::size_t(run)), true);
    i += run;
  }
}

/// migrate_pages(2): all that there is.
void bind_all(long process) {
  constexpr Bytes address_space(std::uint64_t{1} << 56);
  if (process == 0 || process == getpid()) engine::bind_pages(nullptr, address_space, true);
}

void fall_silent() {
  if (lbhm::watching::possible()) lbhm::watching::never_again("the program forbids itself system calls (seccomp)");
  engine::fall_silent();
}

/// Libraries ask what the kernel can do by calls without a filter, which do nothing.
void before_seccomp(long operation, long filter) {
  if (operation == SECCOMP_SET_MODE_STRICT || (operation == SECCOMP_SET_MODE_FILTER && filter != 0)) fall_silent();
}

void before_control(long option, long mode, long filter) {
  if (option != PR_SET_SECCOMP) return;
  before_seccomp(mode == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT : SECCOMP_SET_MODE_FILTER, filter);
}

/// The limit of a wait by its number, before the kernel writes what is left into it. Nothing: it is no such wait, or
/// without a limit, or with a deadline.
std::optional<timespec> limit_of(long number, const std::array<long, 5>& words) {
  const auto of = [&](std::size_t word, long unit = 1) -> std::optional<timespec> {
    const auto* const limit = reinterpret_cast<const long*>(words[word]);
    return limit ? std::optional(timespec{limit[0], limit[1] * unit}) : std::nullopt;
  };
  switch (number) {
    case SYS_nanosleep:
      return of(0);
    case SYS_clock_nanosleep:
      return words[1] == 0 ? of(2) : std::nullopt;
    case SYS_ppoll:
    case SYS_rt_sigtimedwait:
      return of(2);
    case SYS_pselect6:
      return of(4);
#ifdef SYS_poll  // not on newer processors
    case SYS_select:
      return of(4, 1000);
    case SYS_poll:
      if (const auto limit = static_cast<int>(words[2]); limit > 0)
        return timespec{limit / 1000, limit % 1000 * 1'000'000L};
      return std::nullopt;
#endif
    default:
      return std::nullopt;
  }
}

/// It really waits; where its limit has passed, it has on the program's clock, too.
void note_wait(long number, long result, const timespec& limit, const void* caller) {
  const bool passed = number == SYS_rt_sigtimedwait ? result == -1 && errno == EAGAIN : result == 0;
  if (passed) lbhm::openmp::limit_passed(&limit, caller);
}

/// What the kernel does for processes of one thread alone (namespaces of users) it does while there is no thread of
/// ours.
long alone(long number, long first, long second) {
  const bool rest = engine::duties_rest();
  const long result = real_syscall(number, first, second, 0, 0, 0, 0);
  if (!rest) return result;
  const int after = errno;
  engine::duties_go_on();
  errno = after;
  return result;
}

/// What we set aside would count against it. A limit has 64 bits under either name.
void before_limit(long resource, const void* fresh) {
  if (!fresh || lbhm::inside() || (resource != RLIMIT_AS && resource != RLIMIT_DATA)) return;
  const rlim_t most = static_cast<const rlimit*>(fresh)->rlim_cur;
  if (most == RLIM_INFINITY) return;
  const int before = errno;
  engine::limit_addresses(Bytes(most));
  errno = before;
}

void before_limits(long process, long resource, const void* fresh) {
  if (process == 0 || process == getpid()) before_limit(resource, fresh);
}

/// Calls that change where pages may lie or what of ours goes on: it is noted before the kernel does it.
void before_call(long number, long a, long b, long c, long d) {
  switch (number) {
    case SYS_set_mempolicy_home_node:
      engine::bind_pages(reinterpret_cast<void*>(a), Bytes(static_cast<std::uint64_t>(b)), true);
      return;
    case SYS_set_mempolicy:
      if (chooses(a, reinterpret_cast<const unsigned long*>(b))) engine::bind_by_threads();
      return;
    case SYS_move_pages:
      return bind_moved(a, b, reinterpret_cast<void* const*>(c), reinterpret_cast<const int*>(d));
    case SYS_migrate_pages:
      return bind_all(a);
    case SYS_seccomp:
      return before_seccomp(a, c);
    case SYS_setrlimit:
      return before_limit(a, reinterpret_cast<const void*>(b));
    case SYS_prlimit64:
      return before_limits(a, b, reinterpret_cast<const void*>(c));
    case SYS_prctl:
      return before_control(a, b, c);
    default:
      return;
  }
}

}  // namespace

/// With as many words as any system call has; what the caller did not pass is not looked at. Calls that nobody listens
/// to touch nothing on their way: threads without thread-locals and handlers of signals make them, too.
extern "C" __attribute__((visibility("default"))) long lbhm_syscall(long number, long a, long b, long c, long d, long e,
                                                                    long f) __asm__("syscall");

long lbhm_syscall(long number, long a, long b, long c, long d, long e, long f) {
  const void* const caller = __builtin_return_address(0);
  const std::optional<timespec> limit = limit_of(number, {a, b, c, d, e});
  switch (number) {
    case SYS_mbind:
      return bind(a, b, c, d, e, f);
    case SYS_futex:
      return lbhm::openmp::futex(caller, reinterpret_cast<std::uint32_t*>(a), static_cast<int>(b),
                                 static_cast<std::uint32_t>(c), reinterpret_cast<const timespec*>(d),
                                 reinterpret_cast<std::uint32_t*>(e), static_cast<std::uint32_t>(f));
    case SYS_unshare:
    case SYS_setns:
      return alone(number, a, b);
    default:
      break;
  }
  before_call(number, a, b, c, d);
  const long result = real_syscall(number, a, b, c, d, e, f);
  if (limit) note_wait(number, result, *limit, caller);
  return result;
}

extern "C" __attribute__((visibility("default"))) int lbhm_prctl(int option, long a, long b, long c,
                                                                 long d) __asm__("prctl");

int lbhm_prctl(int option, long a, long b, long c, long d) {
  before_control(option, a, b);
  return real_control(option, a, b, c, d);
}

// NOLINTEND(performance-no-int-to-ptr)

LBHM_EXPORT int unshare(int flags) noexcept { return static_cast<int>(alone(SYS_unshare, flags, 0)); }

LBHM_EXPORT int setns(int file, int kind) noexcept { return static_cast<int>(alone(SYS_setns, file, kind)); }

LBHM_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* fresh) noexcept {
  before_limit(resource, fresh);
  return real_limit(resource, fresh);
}

LBHM_EXPORT int setrlimit64(__rlimit_resource_t resource, const rlimit64* fresh) noexcept {
  before_limit(resource, fresh);
  return real_limit(resource, fresh);
}

LBHM_EXPORT int prlimit(pid_t process, __rlimit_resource resource, const rlimit* fresh, rlimit* old) noexcept {
  before_limits(process, resource, fresh);
  return real_limits(process, resource, fresh, old);
}

LBHM_EXPORT int prlimit64(pid_t process, __rlimit_resource resource, const rlimit64* fresh, rlimit64* old) noexcept {
  before_limits(process, resource, fresh);
  return real_limits(process, resource, fresh, old);
}
