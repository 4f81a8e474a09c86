// A limit of file sizes (RLIMIT_FSIZE) that our own files run into must not end the program.
#pragma once

#include <pthread.h>

#include <csignal>
#include <ctime>

namespace lbhm::engine {

/// While it lives, writes of the calling thread beyond the limit fail with EFBIG instead of sending SIGXFSZ.
class FileSizeSignalOff {
 public:
  FileSizeSignalOff() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  }
  ~FileSizeSignalOff() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &at_once);  // ours: taken, so that nobody gets it
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalOff(const FileSizeSignalOff&) = delete;
  FileSizeSignalOff& operator=(const FileSizeSignalOff&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
  bool was_pending_ = false;
};

}  // namespace lbhm::engine
