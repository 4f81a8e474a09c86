// What virtual time says to the tasks that making.cpp hears of. In real time (real_time.cpp) all of it is libomp's.
#pragma once

#include <cstdint>
#include <span>

#include "libomp-ext/virtual/tasks/node.h"

namespace lbhm::tasks {

/// The task, or the next part of an untied one, will be executed without libomp's queues. False: it is libomp's.
bool take(KmpTask* task, std::span<const Depend> depends);

/// libomp's own task, which it executes in the place of this one.
void* of_runtime(KmpTask* task);
/// if(false): compiled code executes the task itself, now.
void begins_at_once(KmpTask* task);

/// A taskloop construct, as compiled code asks for it (__kmpc_taskloop_5).
struct Taskloop {
  void* location;
  GlobalThread thread;
  KmpTask* pattern;
  std::int32_t if_clause;
  std::uint64_t* lower;
  std::uint64_t* upper;
  std::int64_t stride;
  std::int32_t no_group;
  std::int32_t kind;
  std::uint64_t argument;
  std::int32_t modifier;
  void* duplicate;
};
/// As take, with all tasks of the loop.
bool take_loop(const Taskloop& asked);

}  // namespace lbhm::tasks
