// Explicit tasks as LB-HM sees them in virtual time, and the part of libomp's interface to compiled code that they use
// (openmp/runtime/src/kmp.h of LLVM 19).
//
//   node    a task: an explicit one, or the implicit one of a lane
//   group   a taskgroup construct under way
//   lane    a thread of a team, and the task that it executes
//
// A team's lock guards its nodes, groups and waiters. Lanes in step have it only in their turns
// (Execution::ordered_begin), so it decides nothing; it is there for threads that no order holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <vector>

#include "libomp-ext/virtual/tasks/dependences.h"
#include "libomp-ext/virtual/tasks/lane_memory.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace lbhm::tasks {

using real::OpenMPFunction;

using GlobalThread = std::int32_t;
struct KmpTask;
using Routine = std::int32_t(GlobalThread, KmpTask*);

/// What the compiler knows of a task (kmp_task_t); its private copies follow.
struct KmpTask {
  void* shareds;
  Routine* routine;
  std::int32_t part;
  union {
    std::int32_t priority;
    Routine* destructors;
  } data1, data2;
};
static_assert(sizeof(KmpTask) == 40);

// Bits of the flags of __kmpc_omp_task_alloc (kmp_tasking_flags_t).
inline constexpr std::int32_t flag_tied = 1;
inline constexpr std::int32_t flag_final = 2;
inline constexpr std::int32_t flag_merged_if0 = 4;  // libomp executes it where it is submitted
inline constexpr std::int32_t flag_destructors = 8;
inline constexpr std::int32_t flag_detachable = 64;

/// A dependence (kmp_depend_info_t).
struct Depend {
  std::intptr_t address;
  std::size_t bytes;
  std::uint8_t kind;
};
inline constexpr std::uint8_t depend_in = 1;
inline constexpr std::uint8_t depend_set = 8;    // inoutset
inline constexpr std::uint8_t depend_all = 128;  // omp_all_memory

struct TaskTeam;
struct Lane;

struct Group {
  Group* outer = nullptr;
  std::size_t unfinished = 0;
};

/// How the compiler asked for the task.
struct Form {
  std::int32_t flags = 0;
  std::size_t task_bytes = 0;
  std::size_t shared_bytes = 0;
  Routine* routine = nullptr;
};

struct Node {
  const void* mark = nullptr;  ///< tells our tasks from libomp's own
  TaskTeam* team = nullptr;
  Node* parent = nullptr;
  Group* group = nullptr;      ///< innermost one around what the task executes
  Group* member_of = nullptr;  ///< the group that waits for the task
  LaneMemory* home = nullptr;
  std::uint32_t maker = 0;     ///< lane that made it
  std::uint64_t sequence = 0;  ///< of the team's tasks that became ready
  Form form;
  KmpTask* task = nullptr;   ///< the program's; null for implicit tasks and for waits
  void* location = nullptr;  ///< where it was made, for libomp
  void* real = nullptr;      ///< libomp's task, whose routine executes this one
  std::size_t references = 1;
  std::size_t children = 0;  ///< unfinished
  std::size_t blockers = 0;  ///< unfinished tasks that it depends on
  std::pmr::vector<Node*> successors{&private_memory()};
  std::unique_ptr<Dependences> dependences;  ///< of its children
  bool started = false;
  bool again = false;  ///< an untied task submitted its next part
  bool finished = false;
  std::uint32_t awaited = 1;  ///< its execution, and its event if it has one
  WorkAt left;                ///< if(false): what the lane left for it

  bool is_explicit() const { return task != nullptr; }
  bool tied() const { return (form.flags & flag_tied) != 0; }
  bool final() const { return (form.flags & flag_final) != 0; }
};

/// A lane that sleeps until `what` (a node or a group) is finished, or a task turns up that it may execute.
struct Waiter {
  const Lane* who;
  LaneName name;
  const void* what;
  const Node* only_below;
};

struct OrderedLoop;

/// Where a lane is in a loop whose iterations wait for each other (order/ordered.cpp).
struct LoopPlace {
  std::uint64_t met = 0;  ///< such loops of the team so far
  OrderedLoop* loop = nullptr;
  std::uint64_t number = 0;  ///< of the loop in the team
  std::int64_t iteration = 0;
  bool passed_on = false;  ///< the next iteration may enter its ordered construct
};

struct Lane {
  TaskTeam* team = nullptr;
  LoopPlace place;
  std::uint32_t index = 0;
  std::uint64_t path = 0;
  LaneMemory* memory = nullptr;
  Node implicit;
  Node* current = nullptr;
  bool waits = false;  ///< for its team, and libomp is about to say so
};

/// The lanes of one parallel region of several threads.
struct TaskTeam {
  std::uint64_t root = 0;  ///< the program's own thread that forked the outermost team; 0: the first one
  std::uint64_t path = 0;  ///< of the forking lane, from 1; 0: outside of all teams
  std::uint32_t size = 0;
  const RegionInstance* region = nullptr;
  std::pmr::deque<Lane> lanes{&private_memory()};
  std::mutex lock;
  std::pmr::vector<std::pmr::deque<Node*>> ready{&private_memory()};  ///< by maker
  std::size_t unfinished = 0;
  std::uint64_t next_sequence = 0;
  std::pmr::vector<Waiter> waiters{&private_memory()};
};

}  // namespace lbhm::tasks
