// Entry points of libomp whose outcome depends on which thread comes first: dynamic and guided schedules, single, and
// trying a lock.
// In virtual time the thread with the smallest clock comes first (Execution::ordered_begin); on a machine with real
// time these pass straight through.
//
// Signatures: openmp/runtime/src/kmp.h of LLVM 19. `ident` and the schedule's bounds are passed on unseen.
#include <omp.h>

#include <cstdint>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/ordered.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::OpenMPFunction;

/// Inlined: `next` goes by the return address of the exported function.
template <class Function, class... Arguments>
[[gnu::always_inline]] auto in_order(OpenMPFunction<Function>& next, Arguments... arguments) {
  if (!lbhm::engine::follows_all_waits()) return next(arguments...);
  lbhm::engine::ordered_begin();
  const auto result = next(arguments...);
  lbhm::engine::ordered_end();
  return result;
}

using GlobalThread = std::int32_t;

}  // namespace

// Bound and Stride are types. NOLINTBEGIN(bugprone-macro-parentheses)
#define LBHM_DISPATCH(suffix, Bound, Stride)                                                                           \
  LBHM_EXPORT void __kmpc_dispatch_init_##suffix(void* ident, GlobalThread thread, std::int32_t schedule, Bound lower, \
                                                 Bound upper, Stride stride, Stride chunk) {                           \
    static constinit OpenMPFunction<void(void*, GlobalThread, std::int32_t, Bound, Bound, Stride, Stride)> next(       \
        "__kmpc_dispatch_init_" #suffix);                                                                              \
    lbhm::openmp::loop_begins(schedule, static_cast<std::int64_t>(lower), stride);                                     \
    next(ident, thread, schedule, lower, upper, stride, chunk);                                                        \
  }                                                                                                                    \
  LBHM_EXPORT int __kmpc_dispatch_next_##suffix(void* ident, GlobalThread thread, std::int32_t* last, Bound* lower,    \
                                                Bound* upper, Stride* stride) {                                        \
    static constinit OpenMPFunction<int(void*, GlobalThread, std::int32_t*, Bound*, Bound*, Stride*)> next(            \
        "__kmpc_dispatch_next_" #suffix);                                                                              \
    const int got = in_order(next, ident, thread, last, lower, upper, stride);                                         \
    if (got != 0)                                                                                                      \
      lbhm::openmp::chunk_begins(static_cast<std::int64_t>(*lower));                                                   \
    else                                                                                                               \
      lbhm::openmp::loop_ends();                                                                                       \
    return got;                                                                                                        \
  }                                                                                                                    \
  LBHM_EXPORT void __kmpc_dispatch_fini_##suffix(void* ident, GlobalThread thread) {                                   \
    static constinit OpenMPFunction<void(void*, GlobalThread)> next("__kmpc_dispatch_fini_" #suffix);                  \
    lbhm::openmp::iteration_ends();                                                                                    \
    next(ident, thread);                                                                                               \
    lbhm::openmp::iteration_ended();                                                                                   \
  }
// NOLINTEND(bugprone-macro-parentheses)

LBHM_DISPATCH(4, std::int32_t, std::int32_t)
LBHM_DISPATCH(4u, std::uint32_t, std::int32_t)
LBHM_DISPATCH(8, std::int64_t, std::int64_t)
LBHM_DISPATCH(8u, std::uint64_t, std::int64_t)

LBHM_EXPORT std::int32_t __kmpc_single(void* ident, GlobalThread thread) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread)> next("__kmpc_single");
  return in_order(next, ident, thread);
}

// Whether a lock is free the machine says in virtual time. libomp finds a lock free that the machine calls free: who
// has it in virtual time has it in fact. Who finds it taken gets on by a little, as with sched_yield: in a loop that
// tries until it is free the lane's clock would stand still otherwise, and the owner's, which is later, had no turn.

namespace {

bool try_mutex(const void* lock) {
  if (lbhm::engine::try_mutex(lock)) return true;
  lbhm::clock::elapse(lbhm::clock::system_call);
  return false;
}

}  // namespace

LBHM_EXPORT int omp_test_lock(omp_lock_t* lock) {
  static constinit OpenMPFunction<int(omp_lock_t*)> real(__func__);
  return try_mutex(lock) ? real(lock) : 0;
}

LBHM_EXPORT int omp_test_nest_lock(omp_nest_lock_t* lock) {
  static constinit OpenMPFunction<int(omp_nest_lock_t*)> real(__func__);
  return try_mutex(lock) ? real(lock) : 0;
}
