// The kernel asks us about system calls of a program (seccomp_unotify(2)).
#pragma once

#include <sys/types.h>

#include <vector>

#include "tests/faults/refuse/rule.h"

namespace refuse {

/// From now on, in this process and those that it starts, whoever holds the returned descriptor answers for these
/// calls. -1 and errno: the kernel does not do so.
int ask_about(const std::vector<Call>& calls);

/// Answers by the rules until no process is left to ask. Counts in the rules what was refused. Returns the status of
/// `child` as waitpid(2) gives it: kernels before 6.11 keep the listener alive until it is asked for.
int answer(int listener, pid_t child, std::vector<Rule>& rules);

/// Waits for it.
int status_of(pid_t child);

}  // namespace refuse
