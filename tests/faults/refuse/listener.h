// The kernel asks us about system calls of a program (seccomp_unotify(2)).
#pragma once

#include <vector>

#include "tests/faults/refuse/rule.h"

namespace refuse {

/// From now on, in this process and those that it starts, whoever holds the returned descriptor answers for these
/// calls. -1 and errno: the kernel does not do so.
int ask_about(const std::vector<Call>& calls);

/// Answers by the rules until no process is left to ask. Counts in the rules what was refused.
void answer(int listener, std::vector<Rule>& rules);

}  // namespace refuse
