// Forked children and how they ended.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace faults {

struct Children {
  int well = 0, hung = 0, failed = 0;

  static constexpr unsigned limit = 60;  // seconds; a child takes milliseconds, on a busy computer a second

  /// Forks. The child calls `work`, which is true if all was right. How it ended is told on the standard error if that
  /// was wrong.
  template <class Work>
  void fork_one(Work work) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGALRM, SIG_DFL);
      alarm(limit);
      _exit(work() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      ++hung;
    else
      ++(status == 0 ? well : failed);
    if (status != 0)
      std::fprintf(stderr, "child %d: %s %d%s\n", well + hung + failed, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                   WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? " (its limit of time was reached)" : "");
  }
  /// One is enough to know.
  bool all_well() const { return hung == 0 && failed == 0; }
  void print() const { std::printf("children: %d well, %d hung, %d failed\n", well, hung, failed); }
};

}  // namespace faults
