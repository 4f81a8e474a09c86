// Door of libomp-ext/virtual: what the OMPT tool tells OpenMP in virtual time. In real time none of it is needed.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include <cstdint>
#include <ctime>
#include <optional>

namespace lbhm {
struct RegionInstance;
enum class Wait : std::uint8_t;
}  // namespace lbhm

namespace lbhm::openmp {

/// Before libomp registers itself: removes the registration of an earlier process with the same number. libomp would
/// read it, and look through /proc/self/maps, with memory from the program's heap: blocks of the program would then lie
/// elsewhere, and virtual time would be another one, whenever a process number comes again. A registration that this
/// process made stays.
void remove_old_registration();

/// From now on the environment has the variables alone that OpenMP runtimes read, and those that ask for reductions in
/// the same order every time and for locks that take no memory.
void hide_environment();
/// It is whole again.
void show_environment();

/// syscall(SYS_futex, word, ...) of the code at `caller`; what stands behind `operation` depends on that.
long futex(const void* caller, std::uint32_t* word, int operation, std::uint32_t value, const timespec* fourth,
           std::uint32_t* fifth, std::uint32_t sixth);

/// Fills the holes in the program's heap, which hang on the computer, and lets what comes next begin at a page. Before
/// the program begins, when libomp has started, and at the first region: libomp gives some of it back in between.
void settle_heap();
/// The same when libomp has just started, with what glibc keeps of its last failed dlsym, on the heap and until the
/// next one. A pending dlerror of the program's own is lost then anyhow.
void settle_heap_of_libomp();

// poll, select and epoll_wait for the program at `caller`, in virtual time; nothing: time is real.
std::optional<int> poll_by_clock(pollfd* files, nfds_t count, const timespec* limit, const void* caller);
std::optional<int> select_by_clock(int count, fd_set* read, fd_set* write, fd_set* other, const timespec* limit,
                                   const void* caller);
std::optional<int> epoll_by_clock(int file, epoll_event* events, int most, const timespec* limit, const void* caller);

/// The program at `caller` has waited for this long, in real time, and nothing came; null: without a limit. errno
/// stays.
void limit_passed(const timespec* limit, const void* caller);

}  // namespace lbhm::openmp

namespace lbhm::tasks {

// Teams and lanes as they come and go; in virtual time only.
void team_begins(const RegionInstance* region);
void team_ends(const RegionInstance* region);
void lane_begins(const RegionInstance* region, std::uint32_t index, std::uint32_t size);
void lane_ends();
/// A lane comes to a barrier of its team. When this returns all are there, and no task of theirs is left.
void wait_for_team(Wait kind);
/// The same. True: it has passed the barrier. Else libomp's has to follow, and wait_has_begun() is true once.
bool pass_barrier();
bool wait_has_begun();
/// No barrier is passed any more: another tool has to hear of all of them from libomp.
void leave_barriers_to_libomp();

}  // namespace lbhm::tasks
