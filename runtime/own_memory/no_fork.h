// Door of runtime/own_memory for what a child of fork(2) must not find half-way, and cannot make whole: the loader's
// list while a library is opened or the list is read (glibc gives a child that list's lock as it was: dl_iterate_phdr
// would wait there for ever, and dlopen ends the program), locks of libraries that OpenMP runtimes use, too (hwloc),
// and LB-HM's own start.
#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "runtime/own_memory/inside.h"

namespace lbhm {

/// Of the default kind: who waits to fork keeps nobody out. Else a thread that has a NoFork and waits for the loader
/// would wait for one that has the loader's lock and waits for its NoFork.
inline constinit pthread_rwlock_t forks = PTHREAD_RWLOCK_INITIALIZER;
inline constinit std::atomic<int> waiting_to_fork{0};

/// So that it gets its turn among threads that come again and again. Not for longer than that: see above.
inline void make_way_for_forks() noexcept {
  constexpr timespec moment{.tv_sec = 0, .tv_nsec = 100'000};
  const int error = errno;
  for (int i = 0; i < 20 && waiting_to_fork.load(std::memory_order_relaxed) > 0; ++i)
    syscall(SYS_nanosleep, &moment, nullptr);  // in real time
  errno = error;
}

/// While one lives, no other thread forks; it waits. Any number of threads may have one, each any number. Comes before
/// every lock of ours. Not for what may take long, or waits for another thread of the program.
class NoFork {
 public:
  NoFork() noexcept : held_((make_way_for_forks(), pthread_rwlock_rdlock(&forks) == 0)) {}
  ~NoFork() {
    if (held_) pthread_rwlock_unlock(&forks);
  }
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;

 private:
  const Inside here_;
  const bool held_;  // false: handlers of a fork came here, by the thread that forks
};

// Around fork(2).

/// Waits until no thread has a NoFork. A thread that forks while it has one itself waits for nobody.
inline void fork_begins() noexcept {
  if (inside()) return;
  waiting_to_fork.fetch_add(1, std::memory_order_relaxed);
  pthread_rwlock_wrlock(&forks);
  waiting_to_fork.fetch_sub(1, std::memory_order_relaxed);
}
inline void fork_ends_in_parent() noexcept {
  if (!inside()) pthread_rwlock_unlock(&forks);
}
/// The child's thread has another number than the one that holds the lock.
inline void fork_ends_in_child() noexcept {
  forks = PTHREAD_RWLOCK_INITIALIZER;
  waiting_to_fork.store(0, std::memory_order_relaxed);
}

}  // namespace lbhm
