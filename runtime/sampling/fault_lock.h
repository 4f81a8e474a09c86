// A lock that code outside and inside of signal handlers may take.
#pragma once

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace lbhm::sampling {

/// Whoever holds it must have all signals blocked and touch nothing that may be armed.
class FaultLock {
 public:
  void lock() {
    const pid_t self = getpid();
    pid_t holder = 0;
    while (!holder_.compare_exchange_weak(holder, self, std::memory_order_acquire)) {
      // A holder in another process is a thread of our parent's that the fork left behind: nobody holds it here.
      if (holder != 0 && holder != self) continue;
      if (holder == self) sched_yield();
      holder = 0;
    }
  }
  void unlock() { holder_.store(0, std::memory_order_release); }

 private:
  std::atomic<pid_t> holder_{0};
};

/// Blocks the thread's signals while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace lbhm::sampling
