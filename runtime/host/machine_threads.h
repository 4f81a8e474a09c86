// Threads of our own: without the program's signals, at intervals, and one that no later thread can be taken for. Which
// process a thread is in.
#pragma once

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/host/sampling/watching.h"

namespace lbhm::host {

/// A child of a fork has copies of its parent's thread-locals, and destroys them. What they belong to is the parent's:
/// locks that a thread which the child does not have may hold for ever, and descriptors that both share.
class OwnProcess {
 public:
  void note() { process_ = getpid(); }
  /// False: never noted, or noted by the parent, or nothing is to be asked any more.
  bool still() const { return !silent.load(std::memory_order_relaxed) && process_ == getpid(); }
  /// The process makes no system call for us from now on (Machine::fall_silent).
  static void fall_silent() { silent.store(true); }

 private:
  static inline std::atomic<bool> silent{false};
  pid_t process_ = 0;
};

}  // namespace lbhm::host

namespace lbhm {

/// A thread that none of the program's signals is delivered to, and that touches no managed memory. Throws
/// std::system_error if there can be none.
template <class Work>
std::jthread quiet_thread(Work&& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // inherited by the thread
  try {
    std::jthread thread([run = std::forward<Work>(work)](const std::stop_token& stop) mutable {
      const watching::OwnThread own(gettid());
      if constexpr (std::is_invocable_v<decltype(run)&, std::stop_token>) {
        run(stop);
      } else {
        run();
      }
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

/// A function that finds no memory (std::bad_alloc) is called again after its next interval.
class IntervalThread {
 public:
  void add(Nanoseconds interval, std::function<void()> duty);
  /// Before, there is no thread. Throws std::system_error if there can be none.
  void begin();
  /// As Machine::rest_while and Machine::wake.
  void rest_while(std::function<bool()> idle) { idle_ = std::move(idle); }
  void wake();
  /// There is no thread any more, for good. Not from a duty.
  void end();
  /// There is none until begin(). False: there was none.
  bool stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Duty {
    Clock::duration interval;
    Clock::time_point next;
    std::function<void()> run;
  };

  void serve(const std::stop_token& stop);
  void rest(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
  void sleep(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
  Clock::duration pause();
  void run_due(std::unique_lock<std::mutex>& lock);

  std::mutex lock_;
  std::condition_variable_any changed_;
  std::vector<Duty> duties_;
  std::function<bool()> idle_;
  std::atomic<bool> resting_{false};
  Clock::duration pause_{}, used_{};  ///< how long it sleeps; the program's processor time when it was looked at
  Clock::time_point looked_;
  std::atomic<pid_t> number_{0};  ///< of the thread, gettid(2)
  bool ended_ = false;
  std::jthread thread_;  // the last member: it ends before the others do
};

/// Machine::every and Machine::begin_duties by such a thread. Errors: invalid_argument, no_memory; unavailable.
Status run_every(IntervalThread& thread, Nanoseconds interval, std::function<void()> duty);
Status begin(IntervalThread& thread);

}  // namespace lbhm

namespace lbhm::host {

/// Runs `work`, which throws nothing, on a thread that no later one can be taken for. Libraries know a thread by the
/// address of its control block, and once it has ended the next thread may have the same. The process's first thread
/// never gives its own away. When another one calls, `work` runs on a thread that ends but whose control block stays.
///
/// False: there can be no such thread, or `work` has not ended within `patience` and goes on, so it owns what it uses.
/// That is so if it opens a library while the caller is in the constructor of one: the loader's lock is the caller's.
bool run_on_lasting_thread(const std::function<void()>& work, std::chrono::milliseconds patience);

}  // namespace lbhm::host
