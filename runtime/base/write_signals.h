// Signals that a write of ours would raise must not end or stop the program.
#pragma once

#include <pthread.h>

#include <csignal>
#include <ctime>

namespace lbhm::files {

/// While it lives, writes of the calling thread fail where they would send a signal: SIGXFSZ beyond the limit of file
/// sizes (RLIMIT_FSIZE), SIGPIPE to a pipe that nobody reads. SIGTTOU (background, stty tostop) would stop the program.
class WriteSignalsOff {
 public:
  WriteSignalsOff() {
    sigemptyset(&signals_);
    for (const int signal : {SIGXFSZ, SIGPIPE, SIGTTOU}) sigaddset(&signals_, signal);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    for (const int signal : {SIGXFSZ, SIGPIPE, SIGTTOU})
      if (sigismember(&pending, signal) == 1) sigdelset(&signals_, signal);
  }
  ~WriteSignalsOff() {
    const timespec at_once{};
    while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {  // ours: taken, so that nobody gets it
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WriteSignalsOff(const WriteSignalsOff&) = delete;
  WriteSignalsOff& operator=(const WriteSignalsOff&) = delete;

 private:
  sigset_t signals_;  // those that were not pending before
  sigset_t before_;
};

}  // namespace lbhm::files
