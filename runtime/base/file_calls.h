// What reading and writing files needs beside files.h: what stands under a name, and signals that a write of ours would
// raise, which must not end or stop the program.
#pragma once

#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <ctime>
#include <string>

namespace lbhm::files {

inline std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "a file";
}

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
    siginfo_t sent;
    while (sigtimedwait(&signals_, &sent, &at_once) > 0) {
      if (sent.si_pid == getpid()) continue;  // ours: taken, so that nobody gets it
      sigdelset(&signals_, sent.si_signo);    // from another process: given back
      syscall(SYS_rt_sigqueueinfo, getpid(), sent.si_signo, &sent);
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
