// The door of this room in lib/host/liblbhm.so, which stands in front of nothing for the sake of virtual time. Of all
// the other files here it has none.
#include <sys/syscall.h>
#include <unistd.h>

#include "emulator/emulator.h"
#include "emulator/openmp/tasks/scheduler.h"
#include "emulator/openmp/virtual_openmp.h"
#include "libomp-ext/real/real_function.h"
#include "runtime/engine/engine.h"

namespace {

constinit lbhm::real::RealFunction<decltype(syscall)> real_syscall("syscall");

[[gnu::constructor]] void find_syscall() { lbhm::real::find_all(real_syscall); }

}  // namespace

bool lbhm::can_emulate() { return false; }

namespace lbhm::openmp {

void remove_old_registration() {}
void hide_environment() {}
void show_environment() {}
void settle_heap() {}
void settle_heap_of_libomp() {}

long futex(const void* /*caller*/, std::uint32_t* word, int operation, std::uint32_t value, const timespec* fourth,
           std::uint32_t* fifth, std::uint32_t sixth) {
  return real_syscall(SYS_futex, word, operation, value, fourth, fifth, sixth);
}

std::optional<int> poll_by_clock(pollfd*, nfds_t, const timespec*, const void*) { return {}; }
std::optional<int> select_by_clock(int, fd_set*, fd_set*, fd_set*, const timespec*, const void*) { return {}; }
std::optional<int> epoll_by_clock(int, epoll_event*, int, const timespec*, const void*) { return {}; }

}  // namespace lbhm::openmp

namespace lbhm::tasks {

void team_begins(const RegionInstance*) {}
void team_ends(const RegionInstance*) {}
void lane_begins(const RegionInstance*, std::uint32_t, std::uint32_t) {}
void lane_ends() {}
void wait_for_team(Wait kind) { engine::wait_begin(kind, nullptr); }
bool pass_barrier() { return false; }
bool wait_has_begun() { return false; }
void leave_barriers_to_libomp() {}

}  // namespace lbhm::tasks

// What compiled code calls for explicit tasks (tasks/entry_points.cpp, tasks/taskloop.cpp). libomp tells of a task by
// an address in the code that makes it, of a taskloop's by one of its own; the task's code is one and the same.

using namespace lbhm::tasks;

LBHM_EXPORT std::int32_t __kmpc_omp_task(void* location, Thread thread, Task* task) {
  static constinit OpenMPFunction<std::int32_t(void*, Thread, void*)> real(__func__);
  const Making of(task);
  return real(location, thread, task);
}

LBHM_EXPORT std::int32_t __kmpc_omp_task_with_deps(void* location, Thread thread, Task* task, std::int32_t count,
                                                   const Depend* depends, std::int32_t count_unaliased,
                                                   const Depend* unaliased) {
  using Real = std::int32_t(void*, Thread, void*, std::int32_t, const Depend*, std::int32_t, const Depend*);
  static constinit OpenMPFunction<Real> real(__func__);
  const Making of(task);
  return real(location, thread, task, count, depends, count_unaliased, unaliased);
}

LBHM_EXPORT void __kmpc_omp_task_begin_if0(void* location, Thread thread, Task* task) {
  static constinit OpenMPFunction<void(void*, Thread, void*)> real(__func__);
  const Making of(task);
  real(location, thread, task);
}

LBHM_EXPORT void __kmpc_taskloop(void* location, Thread thread, Task* pattern, std::int32_t if_clause,
                                 std::uint64_t* lower, std::uint64_t* upper, std::int64_t stride, std::int32_t no_group,
                                 std::int32_t kind, std::uint64_t argument, void* duplicate) {
  using Real = void(void*, Thread, void*, std::int32_t, std::uint64_t*, std::uint64_t*, std::int64_t, std::int32_t,
                    std::int32_t, std::uint64_t, void*);
  static constinit OpenMPFunction<Real> real(__func__);
  const Making of(pattern);
  real(location, thread, pattern, if_clause, lower, upper, stride, no_group, kind, argument, duplicate);
}

LBHM_EXPORT void __kmpc_taskloop_5(void* location, Thread thread, Task* pattern, std::int32_t if_clause,
                                   std::uint64_t* lower, std::uint64_t* upper, std::int64_t stride,
                                   std::int32_t no_group, std::int32_t kind, std::uint64_t argument,
                                   std::int32_t modifier, void* duplicate) {
  using Real = void(void*, Thread, void*, std::int32_t, std::uint64_t*, std::uint64_t*, std::int64_t, std::int32_t,
                    std::int32_t, std::uint64_t, std::int32_t, void*);
  static constinit OpenMPFunction<Real> real(__func__);
  const Making of(pattern);
  real(location, thread, pattern, if_clause, lower, upper, stride, no_group, kind, argument, modifier, duplicate);
}
