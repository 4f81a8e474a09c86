// Part of the door of runtime/base: work of ours when a thread of the program's ends, and the end of a thread of ours.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

namespace lbhm {

/// By a key and not by a destructor: glibc takes memory for those, and ends the program if it has none.
class ThreadEnd {
 public:
  explicit ThreadEnd(void (*call)(void*)) : made_(pthread_key_create(&key_, call) == 0) {}
  /// When the calling thread ends it calls the function with `what`, which is not null. False: it will not.
  bool call_with(void* what) const { return made_ && pthread_setspecific(key_, what) == 0; }

 private:
  pthread_key_t key_ = 0;
  bool made_;
};

/// After the join: to the kernel the process may have this thread (gettid(2)) for some microseconds more, and
/// unshare(2) fails for that.
inline void wait_until_gone(pid_t thread) {
  while (tgkill(getpid(), thread, 0) == 0) sched_yield();
}

}  // namespace lbhm
