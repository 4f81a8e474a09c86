// The door of this room in lib/host/liblbhm.so, which stands in front of nothing for the sake of virtual time. Of the
// other files here it has tasks/making.cpp alone.
#include <sys/syscall.h>
#include <unistd.h>

#include "libomp-ext/virtual/tasks/making.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

constinit lbhm::real::RealFunction<decltype(syscall)> real_syscall("syscall");

[[gnu::constructor]] void find_syscall() { lbhm::real::find_all(real_syscall); }

}  // namespace

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

void limit_passed(const timespec*, const void*) {}

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

bool take(KmpTask*, std::span<const Depend>) { return false; }
void* of_runtime(KmpTask* task) { return task; }
void begins_at_once(KmpTask*) {}
bool take_loop(const Taskloop&) { return false; }

}  // namespace lbhm::tasks
