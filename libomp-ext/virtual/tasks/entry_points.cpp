// What compiled code calls for explicit tasks, but for what making.cpp has. Outside of lanes in virtual time these pass
// straight through to libomp.
#include <map>
#include <mutex>

#include "libomp-ext/virtual/tasks/making.h"
#include "libomp-ext/virtual/tasks/scheduler.h"
#include "libomp-ext/virtual/virtual_openmp.h"

namespace {

using namespace lbhm::tasks;

/// Detachable tasks whose event is not fulfilled yet.
struct Events {
  std::mutex lock;
  std::pmr::map<const void*, Node*> nodes{&private_memory()};
};
Events& events() {
  static Events& all = *new (private_memory().allocate(sizeof(Events), alignof(Events))) Events;
  return all;
}

std::span<const Depend> list(const Depend* first, std::int32_t count) {
  return {first, static_cast<std::size_t>(count)};
}

Node* ours(Lane* lane, KmpTask* task) { return lane == nullptr ? nullptr : node_of(task); }

/// libomp's own task, if it made one of ours.
void* real_of(KmpTask* task, Node* node) { return node == nullptr ? static_cast<void*>(task) : node->real; }

/// libomp has opened a taskgroup for what the lane executes.
void open_group(Lane& here) {
  void* memory = private_memory().allocate(sizeof(Group), alignof(Group));
  here.current->group = new (memory) Group{.outer = here.current->group};
}

/// Before libomp closes the taskgroup: it would wait for tasks that it does not have. Null if there is none of ours.
Group* wait_for_open_group(Lane* here) {
  Group* group = here == nullptr ? nullptr : here->current->group;
  if (group != nullptr) wait_for_group(*here, *group);
  return group;
}

void close_group(Lane* here, Group* group) {
  if (group == nullptr) return;
  here->current->group = group->outer;
  private_memory().deallocate(group, sizeof(Group), alignof(Group));
}

/// reduction(task, ...) on a parallel or worksharing construct: each lane opens a taskgroup. Who comes first takes the
/// memory for all copies, in a turn. Inlined: `real` goes by the return address of the exported function.
template <class Function>
[[gnu::always_inline]] inline void* open_reduction(OpenMPFunction<Function>& real, void* location, GlobalThread thread,
                                                   std::int32_t worksharing, std::int32_t count, void* data) {
  Lane* here = lane();
  if (here == nullptr) return real(location, thread, worksharing, count, data);
  lbhm::engine::ordered_begin();
  void* group = real(location, thread, worksharing, count, data);
  lbhm::engine::ordered_end();
  open_group(*here);
  return group;
}

}  // namespace

namespace lbhm::tasks {

bool take(KmpTask* task, std::span<const Depend> depends) {
  Lane* here = lane();
  Node* node = ours(here, task);
  if (node == nullptr) return false;
  if (node->started) {  // an untied task that goes on: at once, on this thread
    node->again = true;
  } else {
    submit(*here, *node, depends);
  }
  return true;
}

void* of_runtime(KmpTask* task) { return real_of(task, ours(lane(), task)); }

void begins_at_once(KmpTask* task) {
  Lane* here = lane();
  Node* node = ours(here, task);
  if (node == nullptr) return;
  here->current = node;
  node->left = engine::go_on_with(engine::fresh_task(code_of(*node)));
}

}  // namespace lbhm::tasks

LBHM_EXPORT void* __kmpc_omp_task_alloc(void* location, GlobalThread thread, std::int32_t flags, std::size_t task_bytes,
                                        std::size_t shared_bytes, Routine* routine) {
  static constinit OpenMPFunction<void*(void*, GlobalThread, std::int32_t, std::size_t, std::size_t, Routine*)> real(
      __func__);
  Lane* here = lane();
  KmpTask* task =
      here == nullptr ? nullptr : try_make(*here, location, thread, {flags, task_bytes, shared_bytes, routine});
  return task != nullptr ? task : real(location, thread, flags, task_bytes, shared_bytes, routine);
}

LBHM_EXPORT void* __kmpc_omp_target_task_alloc(void* location, GlobalThread thread, std::int32_t flags,
                                               std::size_t task_bytes, std::size_t shared_bytes, Routine* routine,
                                               std::int64_t) {
  return __kmpc_omp_task_alloc(location, thread, flags, task_bytes, shared_bytes, routine);
}

/// Lanes are held until all are there: libomp's barrier would put each of them to sleep once more.
LBHM_EXPORT void __kmpc_barrier(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  if (!pass_barrier()) real(location, thread);
}

LBHM_EXPORT void __kmpc_omp_task_complete_if0(void* location, GlobalThread thread, KmpTask* task) {
  static constinit OpenMPFunction<void(void*, GlobalThread, void*)> real(__func__);
  Lane* here = lane();
  Node* node = ours(here, task);
  real(location, thread, real_of(task, node));
  if (node == nullptr) return;
  lbhm::engine::go_on_with(node->left);
  here->current = node->parent;
  const Guard guard(here->team->lock);
  node->finished = true;
  release(node);
}

LBHM_EXPORT std::int32_t __kmpc_omp_taskwait(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread)> real(__func__);
  if (Lane* here = lane()) wait_for_children(*here);
  return real(location, thread);
}

LBHM_EXPORT void __kmpc_omp_taskwait_deps_51(void* location, GlobalThread thread, std::int32_t count,
                                             const Depend* depends, std::int32_t count_unaliased,
                                             const Depend* unaliased, std::int32_t no_wait) {
  using Real = void(void*, GlobalThread, std::int32_t, const Depend*, std::int32_t, const Depend*, std::int32_t);
  static constinit OpenMPFunction<Real> real(__func__);
  Lane* here = lane();
  if (here != nullptr) wait_for_dependences(*here, list(depends, count));
  if (here == nullptr || memory_is_short()) real(location, thread, count, depends, count_unaliased, unaliased, no_wait);
}

LBHM_EXPORT void __kmpc_omp_wait_deps(void* location, GlobalThread thread, std::int32_t count, const Depend* depends,
                                      std::int32_t count_unaliased, const Depend* unaliased) {
  using Real = void(void*, GlobalThread, std::int32_t, const Depend*, std::int32_t, const Depend*);
  static constinit OpenMPFunction<Real> real(__func__);
  Lane* here = lane();
  if (here != nullptr) wait_for_dependences(*here, list(depends, count));
  if (here == nullptr || memory_is_short()) real(location, thread, count, depends, count_unaliased, unaliased);
}

LBHM_EXPORT std::int32_t __kmpc_omp_taskyield(void* location, GlobalThread thread, int end_part) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread, int)> real(__func__);
  Lane* here = lane();
  if (here != nullptr) yield(*here);
  return here == nullptr || memory_is_short() ? real(location, thread, end_part) : 0;
}

LBHM_EXPORT void __kmpc_taskgroup(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  real(location, thread);
  if (Lane* here = lane()) open_group(*here);
}

LBHM_EXPORT void __kmpc_end_taskgroup(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  Lane* here = lane();
  Group* group = wait_for_open_group(here);
  real(location, thread);
  close_group(here, group);
}

LBHM_EXPORT void* __kmpc_taskred_modifier_init(void* location, GlobalThread thread, std::int32_t worksharing,
                                               std::int32_t count, void* data) {
  static constinit OpenMPFunction<void*(void*, GlobalThread, std::int32_t, std::int32_t, void*)> real(__func__);
  return open_reduction(real, location, thread, worksharing, count, data);
}

LBHM_EXPORT void* __kmpc_task_reduction_modifier_init(void* location, GlobalThread thread, std::int32_t worksharing,
                                                      std::int32_t count, void* data) {
  static constinit OpenMPFunction<void*(void*, GlobalThread, std::int32_t, std::int32_t, void*)> real(__func__);
  return open_reduction(real, location, thread, worksharing, count, data);
}

/// Who comes last combines the copies of all.
LBHM_EXPORT void __kmpc_task_reduction_modifier_fini(void* location, GlobalThread thread, std::int32_t worksharing) {
  static constinit OpenMPFunction<void(void*, GlobalThread, std::int32_t)> real(__func__);
  Lane* here = lane();
  Group* group = wait_for_open_group(here);
  if (group != nullptr) lbhm::engine::ordered_begin();
  real(location, thread, worksharing);
  if (group != nullptr) lbhm::engine::ordered_end();
  close_group(here, group);
}

LBHM_EXPORT void* __kmpc_task_allow_completion_event(void* location, GlobalThread thread, KmpTask* task) {
  static constinit OpenMPFunction<void*(void*, GlobalThread, void*)> real(__func__);
  Node* node = ours(lane(), task);
  void* event = real(location, thread, real_of(task, node));
  if (node == nullptr) return event;
  ++node->awaited;
  const Guard guard(events().lock);
  events().nodes[event] = node;
  return event;
}

LBHM_EXPORT void omp_fulfill_event(void* event) {
  static constinit OpenMPFunction<void(void*)> real(__func__);
  Node* node = nullptr;
  if (lbhm::engine::keeps_virtual_time()) {
    const Guard guard(events().lock);
    if (const auto found = events().nodes.extract(event)) node = found.mapped();
  }
  real(event);
  if (node != nullptr) fulfilled(*node);
}

/// Only a hint, and it names a task that libomp may not know.
LBHM_EXPORT std::int32_t __kmpc_omp_reg_task_with_affinity(void* location, GlobalThread thread, KmpTask* task,
                                                           std::int32_t count, void* places) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread, void*, std::int32_t, void*)> real(__func__);
  return ours(lane(), task) != nullptr ? 0 : real(location, thread, task, count, places);
}
