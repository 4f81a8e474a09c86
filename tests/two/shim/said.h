// What a process with two made-up nodes says to the real kernel, which has one, and what that answers.
#pragma once

typedef long (*syscall_function)(long, ...);

/// A policy and its nodes, one bit each.
struct said {
  int mode;
  unsigned long nodes;
};

/// Makes `said` what the kernel, whose only node is 0, takes and keeps word for word: for a thread it outlives exec,
/// and for a range of memory it is there as long as that. False: it names a node that is not shown.
int to_kernel(struct said* said);
/// The other way.
void from_kernel(struct said* said);
/// Where pages appear: 0, 1, both by turns, or where those that nobody has bound do.
enum { by_turns = 2, as_others = 3 };
int first_node(const struct said* said);
