// Which lane executes which explicit task, decided in turns: by virtual time alone.
//
// libomp's own scheduler steals by chance, in real time. So tasks never get into its queues: they wait here, and when a
// lane of the team takes one, libomp executes it on that lane at once (as it does with tasks that cannot be deferred).
// Its own books of children, taskgroups, cancellation and reductions stay right, since it still makes and finishes
// each.
#pragma once

#include <cstdint>
#include <span>

#include "libomp-ext/virtual/tasks/node.h"
#include "runtime/engine/engine.h"

namespace lbhm::tasks {

/// The calling thread's lane if its team has several and virtual time is kept; else null: libomp does what it does.
/// Null in children made by fork(2) too, where other threads may have had our locks.
Lane* lane();

/// A new task of the lane, not submitted yet. Throws std::bad_alloc.
KmpTask* make(Lane& lane, void* location, GlobalThread thread, const Form& form);
/// Null if there is no memory: then the current task has no unfinished children, and libomp makes this one.
KmpTask* try_make(Lane& lane, void* location, GlobalThread thread, const Form& form);
/// The node of a task that make() made; null for libomp's own.
Node* node_of(KmpTask* task);
enum class When : std::uint8_t { later, now };
/// The task may be executed from now on, by any lane, as soon as what it depends on is finished. `now`: here, at once;
/// so are all once memory is short: one after the other they need no more of it.
void submit(Lane& lane, Node& node, std::span<const Depend> depends, When when = When::later);
/// A task that is not to be executed: libomp finishes its own.
void discard(Lane& lane, Node& node);
/// Returns when the lane's current task has no unfinished children.
void wait_for_children(Lane& lane);
void wait_for_group(Lane& lane, const Group& group);
void wait_for_dependences(Lane& lane, std::span<const Depend> depends);
/// Executes one task that the current one may be suspended for, if there is one.
void yield(Lane& lane);
/// The event of a detachable task: it is finished when it was executed and the event fulfilled.
void fulfilled(Node& node);

/// While libomp's own tasks come into being: they are of this construct.
class Making {
 public:
  explicit Making(const KmpTask* task) : before_(engine::makes_task(reinterpret_cast<const void*>(task->routine))) {}
  ~Making() { engine::makes_task(before_); }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

 private:
  const void* before_;
};

inline const void* code_of(const Node& node) { return reinterpret_cast<const void*>(node.form.routine); }

/// One reference less.
void release(Node* node);

}  // namespace lbhm::tasks
