// taskloop: libomp splits the iterations into tasks of its own making, which would never come to our scheduler. So they
// are split here in the same way (kmp_tasking.cpp of LLVM 19: default of 10 tasks a thread; OpenMP 5.2, 12.6).
#include <algorithm>
#include <cstring>

#include "libomp-ext/virtual/tasks/making.h"
#include "libomp-ext/virtual/tasks/scheduler.h"

// Of this library: they find the lane themselves.
extern "C" void __kmpc_taskgroup(void* location, lbhm::tasks::GlobalThread thread);
extern "C" void __kmpc_end_taskgroup(void* location, lbhm::tasks::GlobalThread thread);

namespace {

using namespace lbhm::tasks;

/// Fills the private copies of a task from those of the pattern; `last`: it has the sequentially last iteration.
using Duplicate = void(KmpTask* to, KmpTask* from, std::int32_t last);

struct Loop {
  void* location;
  GlobalThread thread;
  KmpTask* pattern;
  std::uint64_t* lower;  // both in the pattern
  std::uint64_t* upper;
  std::int64_t stride;
  Duplicate* duplicate;
};

enum class Split : std::int32_t { by_default = 0, grainsize = 1, tasks = 2 };

std::uint64_t iterations_of(const Loop& loop) {
  const std::uint64_t lower = *loop.lower;
  const std::uint64_t upper = *loop.upper;
  if (loop.stride > 0) {
    if (static_cast<std::int64_t>(upper) < static_cast<std::int64_t>(lower)) return 0;
    return (upper - lower) / static_cast<std::uint64_t>(loop.stride) + 1;
  }
  if (static_cast<std::int64_t>(upper) > static_cast<std::int64_t>(lower)) return 0;
  return (lower - upper) / static_cast<std::uint64_t>(-loop.stride) + 1;
}

/// How many tasks the iterations make.
std::uint64_t tasks_of(const Lane& lane, std::uint64_t iterations, Split split, std::uint64_t argument, bool strict) {
  constexpr std::uint64_t tasks_per_thread = 10;
  switch (split) {
    case Split::grainsize:
      if (strict) return (iterations + argument - 1) / argument;
      return std::max<std::uint64_t>(1, iterations / argument);
    case Split::tasks:
      return std::min(iterations, argument);
    default:
      return std::min(iterations, tasks_per_thread * lane.team->size);
  }
}

template <class T>
T* same_place(T* in_pattern, KmpTask* pattern, KmpTask* task) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(task) +
                              (reinterpret_cast<char*>(in_pattern) - reinterpret_cast<char*>(pattern)));
}

KmpTask* copy(Lane& lane, const Loop& loop, bool last) {
  const Form& form = node_of(loop.pattern)->form;
  KmpTask* task = make(lane, loop.location, loop.thread, form);
  void* shareds = task->shareds;
  std::memcpy(static_cast<void*>(task), static_cast<const void*>(loop.pattern), form.task_bytes);
  task->shareds = shareds;
  if (form.shared_bytes > 0) std::memcpy(shareds, loop.pattern->shareds, form.shared_bytes);
  if (loop.duplicate != nullptr) loop.duplicate(task, loop.pattern, last ? 1 : 0);
  return task;
}

/// The first `iterations % tasks` tasks get one iteration more; strict grains are all alike but the last.
void split(Lane& lane, const Loop& loop, std::uint64_t tasks, std::uint64_t iterations, std::uint64_t strict_grain,
           When when) {
  const auto stride = static_cast<std::uint64_t>(loop.stride);
  std::uint64_t lower = *loop.lower;
  std::uint64_t left = iterations;
  for (std::uint64_t i = 0; i < tasks; ++i) {
    const std::uint64_t even = iterations / tasks + (i < iterations % tasks ? 1 : 0);
    const std::uint64_t grain = strict_grain > 0 ? std::min(strict_grain, left) : even;
    const std::uint64_t upper = lower + stride * (grain - 1);
    KmpTask* task = copy(lane, loop, i + 1 == tasks);
    *same_place(loop.lower, loop.pattern, task) = lower;
    *same_place(loop.upper, loop.pattern, task) = upper;
    submit(lane, *node_of(task), {}, when);
    lower = upper + stride;
    left -= grain;
  }
}

}  // namespace

namespace lbhm::tasks {

bool take_loop(const Taskloop& asked) {
  Lane* here = lane();
  Node* node = here == nullptr ? nullptr : node_of(asked.pattern);
  if (node == nullptr) return false;
  if (asked.no_group == 0) __kmpc_taskgroup(asked.location, asked.thread);
  const Loop loop{asked.location,
                  asked.thread,
                  asked.pattern,
                  asked.lower,
                  asked.upper,
                  asked.stride,
                  reinterpret_cast<Duplicate*>(asked.duplicate)};
  const auto how = static_cast<Split>(asked.kind);
  const std::uint64_t iterations = iterations_of(loop);
  const bool strict = asked.modifier != 0;
  if (iterations > 0) {
    const std::uint64_t tasks = tasks_of(*here, iterations, how, asked.argument, strict);
    split(*here, loop, tasks, iterations, strict && how == Split::grainsize ? asked.argument : 0,
          asked.if_clause != 0 ? When::later : When::now);
  }
  discard(*here, *node);
  if (asked.no_group == 0) __kmpc_end_taskgroup(asked.location, asked.thread);
  return true;
}

}  // namespace lbhm::tasks
