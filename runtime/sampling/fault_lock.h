// A lock that code outside and inside of signal handlers may take.
#pragma once

#include <signal.h>
#include <time.h>

#include <atomic>

#include "runtime/sampling/direct_calls.h"

namespace lbhm::sampling {

/// Whoever holds it must have all signals blocked and touch nothing that may be armed. Lies in memory that a forked
/// child gets zeroed (process_words.h): there nobody holds it.
class FaultLock {
 public:
  void lock() {
    for (int tries = 0; held_.exchange(1, std::memory_order_acquire) != 0; ++tries) wait(tries);
  }
  void unlock() { held_.store(0, std::memory_order_release); }

 private:
  /// A holder may have less priority than whoever waits, so that yielding alone would not let it run.
  static void wait(int tries) {
    constexpr int patience = 100;
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 50'000};
    if (tries < patience) {
      syscall(SYS_sched_yield);
    } else {
      syscall(SYS_nanosleep, &moment, nullptr);
    }
  }
  std::atomic<int> held_{0};
};

/// Blocks the thread's signals while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    direct::set_mask(SIG_SETMASK, all, &before_);
  }
  ~SignalsBlocked() { direct::set_mask(SIG_SETMASK, before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace lbhm::sampling
