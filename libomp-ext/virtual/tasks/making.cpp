// Where explicit tasks are made, on emulated and on real machines. libomp tells a tool of a task by an address in the
// code that makes it, of a taskloop's by one of its own; the task's code is one and the same, so it is noted here.
#include "libomp-ext/virtual/tasks/making.h"

#include "libomp-ext/virtual/tasks/scheduler.h"

using namespace lbhm::tasks;

LBHM_EXPORT std::int32_t __kmpc_omp_task(void* location, GlobalThread thread, KmpTask* task) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread, void*)> real(__func__);
  if (take(task, {})) return 0;
  const Making of(task);
  return real(location, thread, task);
}

LBHM_EXPORT std::int32_t __kmpc_omp_task_with_deps(void* location, GlobalThread thread, KmpTask* task,
                                                   std::int32_t count, const Depend* depends,
                                                   std::int32_t count_unaliased, const Depend* unaliased) {
  using Real = std::int32_t(void*, GlobalThread, void*, std::int32_t, const Depend*, std::int32_t, const Depend*);
  static constinit OpenMPFunction<Real> real(__func__);
  if (take(task, {depends, static_cast<std::size_t>(count)})) return 0;
  const Making of(task);
  return real(location, thread, task, count, depends, count_unaliased, unaliased);
}

LBHM_EXPORT void __kmpc_omp_task_begin_if0(void* location, GlobalThread thread, KmpTask* task) {
  static constinit OpenMPFunction<void(void*, GlobalThread, void*)> real(__func__);
  const Making of(task);
  real(location, thread, of_runtime(task));
  begins_at_once(task);
}

LBHM_EXPORT void __kmpc_taskloop(void* location, GlobalThread thread, KmpTask* pattern, std::int32_t if_clause,
                                 std::uint64_t* lower, std::uint64_t* upper, std::int64_t stride, std::int32_t no_group,
                                 std::int32_t kind, std::uint64_t argument, void* duplicate) {
  using Real = void(void*, GlobalThread, void*, std::int32_t, std::uint64_t*, std::uint64_t*, std::int64_t,
                    std::int32_t, std::int32_t, std::uint64_t, void*);
  static constinit OpenMPFunction<Real> real(__func__);
  if (take_loop({location, thread, pattern, if_clause, lower, upper, stride, no_group, kind, argument, 0, duplicate}))
    return;
  const Making of(pattern);
  real(location, thread, pattern, if_clause, lower, upper, stride, no_group, kind, argument, duplicate);
}

LBHM_EXPORT void __kmpc_taskloop_5(void* location, GlobalThread thread, KmpTask* pattern, std::int32_t if_clause,
                                   std::uint64_t* lower, std::uint64_t* upper, std::int64_t stride,
                                   std::int32_t no_group, std::int32_t kind, std::uint64_t argument,
                                   std::int32_t modifier, void* duplicate) {
  using Real = void(void*, GlobalThread, void*, std::int32_t, std::uint64_t*, std::uint64_t*, std::int64_t,
                    std::int32_t, std::int32_t, std::uint64_t, std::int32_t, void*);
  static constinit OpenMPFunction<Real> real(__func__);
  const Taskloop loop{location, thread,   pattern, if_clause, lower,    upper,
                      stride,   no_group, kind,    argument,  modifier, duplicate};
  if (take_loop(loop)) return;
  const Making of(pattern);
  real(location, thread, pattern, if_clause, lower, upper, stride, no_group, kind, argument, modifier, duplicate);
}
