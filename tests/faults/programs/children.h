// Forked children and how they ended.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace faults {

struct Children {
  int well = 0, hung = 0, failed = 0;

  /// Forks. The child calls `work`, which is true if all was right, and has `seconds` for it. How it ended is told on
  /// the standard error if that was wrong.
  template <class Work>
  void fork_one(unsigned seconds, Work work) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGALRM, SIG_DFL);
      alarm(seconds);
      _exit(work() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      ++hung;
    else
      ++(status == 0 ? well : failed);
    if (status != 0)
      std::fprintf(stderr, "child %d: %s %d\n", well + hung + failed, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  /// One is enough to know.
  bool all_well() const { return hung == 0 && failed == 0; }
  void print() const { std::printf("children: %d well, %d hung, %d failed\n", well, hung, failed); }
};

}  // namespace faults
