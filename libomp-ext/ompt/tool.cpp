// The OMPT tool: tells the engine of regions, lanes and waits.
//
// Facts about libomp 19 that shape this file:
//   - The wait at the end of a region (barrier_implicit_parallel) ends for a worker only at the next fork, so a lane is
//     closed when that wait begins.
//   - At a region's end its data are read from a team that is free for other threads' regions (__kmp_join_call).
//   - A team of one thread has no such wait: its lane is closed by the end of its implicit task.
//   - Up to version 16 that wait has the kind of a worksharing construct's (is_join).
//   - A league is a region whose lanes are the first threads of its teams (leagues.h).
#include "libomp-ext/ompt/tool.h"

#include <omp-tools.h>
#include <omp.h>
#include <array>
#include <cstddef>
#include <utility>

#include "libomp-ext/ompt/leagues.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/base/environment.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::OpenMPFunction;
using lbhm::real::RuntimeFunction;

thread_local const void* noted = nullptr;

}  // namespace

namespace lbhm::openmp {

const void* take_outlined() { return std::exchange(noted, nullptr); }

}  // namespace lbhm::openmp

#if defined(__x86_64__)

/// Notes the function and returns the runtime's __kmpc_fork_call.
extern "C" __attribute__((used)) void* lbhm_note_fork(const void* outlined, const void* caller) {
  static constinit RuntimeFunction real("__kmpc_fork_call");
  noted = outlined;
  return real.need(caller);
}

#define LBHM_PUSH(name) "push %" name "\n .cfi_adjust_cfa_offset 8\n"
#define LBHM_POP(name) "pop %" name "\n .cfi_adjust_cfa_offset -8\n"

/// void __kmpc_fork_call(ident_t *, kmp_int32 argc, kmpc_micro outlined, ...): its arguments cannot be passed on in
/// C++, so this keeps them where they are, and jumps. libomp sees the caller's return address, as without us. Profilers
/// walk the stack from any instruction, so each says where the return address is.
LBHM_EXPORT __attribute__((naked)) void __kmpc_fork_call() {
  __asm__(LBHM_PUSH("rdi") LBHM_PUSH("rsi") LBHM_PUSH("rdx") LBHM_PUSH("rcx") LBHM_PUSH("r8") LBHM_PUSH("r9") LBHM_PUSH(
      "rax") "mov %rdx, %rdi\n"
             "mov 56(%rsp), %rsi\n"  // the return address, below seven registers
             "call lbhm_note_fork\n"
             "mov %rax, %r11\n" LBHM_POP("rax") LBHM_POP("r9") LBHM_POP("r8") LBHM_POP("rcx") LBHM_POP("rdx")
                 LBHM_POP("rsi") LBHM_POP("rdi") "jmp *%r11\n");
}

#endif  // other processors: regions are told apart by their return addresses

LBHM_EXPORT void GOMP_parallel(void (*outlined)(void*), void* data, unsigned threads, unsigned flags) {
  static constinit OpenMPFunction<void(void (*)(void*), void*, unsigned, unsigned)> real(__func__);
  noted = reinterpret_cast<const void*>(outlined);
  real(outlined, data, threads, flags);
}

namespace lbhm::openmp {
namespace {

/// Regions that are nested deeper are taken for worksharing constructs. Few, for memory of threads is scarce where the
/// library is loaded late (static TLS).
struct Forks {
  std::array<const void*, 6> calls{};
  std::size_t depth = 0;
};
constinit thread_local Forks forks;

}  // namespace

void forks_from(const void* call) {
  if (forks.depth < forks.calls.size()) forks.calls[forks.depth] = call;
  ++forks.depth;
}

void joined() { forks.depth -= forks.depth > 0; }

bool is_join(const void* call) {
  if (!call) return true;
  return forks.depth > 0 && forks.depth <= forks.calls.size() && forks.calls[forks.depth - 1] == call;
}

}  // namespace lbhm::openmp

namespace {

using namespace lbhm;

engine::RegionInstance* region_of(const ompt_data_t* parallel) {
  return static_cast<engine::RegionInstance*>(parallel->ptr);
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* parallel, unsigned requested, int flags,
                       const void* codeptr) {
  if (!openmp::is_region(requested, flags, codeptr)) return;
  openmp::forks_from(codeptr);
  const void* outlined = openmp::take_outlined();
  // A return address points behind the call: one less lies inside it.
  const void* code = outlined ? outlined : static_cast<const char*>(codeptr) - (codeptr != nullptr);
  parallel->ptr = engine::region_begin(code);
  if (parallel->ptr != nullptr && engine::follows_all_waits()) tasks::team_begins(region_of(parallel));
}

/// Not by `parallel`: libomp has already given the team back, and another thread that forks may have it by now.
void on_parallel_end(ompt_data_t*, ompt_data_t*, int, const void*) {
  if (!openmp::was_region()) return;
  const engine::RegionInstance* region = engine::forked_region();
  if (region != nullptr && engine::follows_all_waits()) tasks::team_ends(region);
  engine::region_end();
  openmp::joined();
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t*, unsigned team_size,
                      unsigned index, int flags) {
  if (!openmp::is_lane(endpoint, team_size, index, flags)) return;
  const bool ordered = engine::follows_all_waits();
  if (endpoint == ompt_scope_begin) {
    engine::lane_begin(region_of(parallel), LaneId(index), team_size);
    if (ordered) tasks::lane_begins(region_of(parallel), index, team_size);
  } else {
    if (ordered) tasks::lane_ends();
    engine::lane_end();
  }
}

Wait wait_of(ompt_sync_region_t kind, const void* codeptr) {
  switch (kind) {
    case ompt_sync_region_barrier_implicit_parallel:
    case ompt_sync_region_barrier_teams:
      return Wait::join;
    case ompt_sync_region_barrier_implicit:
      return openmp::is_join(codeptr) ? Wait::join : Wait::barrier;
    case ompt_sync_region_taskwait:
    case ompt_sync_region_taskgroup:
      return Wait::tasks;
    default:
      return Wait::barrier;
  }
}

void on_sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                  const void* codeptr) {
  if (kind == ompt_sync_region_reduction) return;
  const Wait wait = wait_of(kind, codeptr);
  // In virtual time, tasks/ waits for tasks; libomp finds them finished.
  if (wait == Wait::tasks && engine::follows_all_waits()) return;
  if (endpoint == ompt_scope_end) {
    if (wait != Wait::join) engine::wait_end(wait, nullptr);
    return;
  }
  if (wait == Wait::tasks)
    engine::wait_begin(wait, nullptr);
  else if (!tasks::wait_has_begun())
    tasks::wait_for_team(wait);
}

// OMPT gives the address of the lock as a number.
// NOLINTNEXTLINE(performance-no-int-to-ptr)
const void* mutex_name(ompt_wait_id_t id) { return reinterpret_cast<const void*>(id); }

/// Atomic constructs are single instructions or very short locks: waiting for them is part of the work. Who tries a
/// lock does not wait (ordering.cpp), and the order of ordered constructs is known (ordered.cpp).
bool is_waited_for(ompt_mutex_t kind) {
  return kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock || kind == ompt_mutex_critical;
}
void on_mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t id, const void*) {
  if (is_waited_for(kind)) engine::wait_begin(Wait::mutex, mutex_name(id));
}
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
  if (is_waited_for(kind)) engine::wait_end(Wait::mutex, mutex_name(id));
}
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
  if (is_waited_for(kind)) engine::mutex_released(mutex_name(id));
}
/// A nested lock that its owner takes again, or gives back and still has.
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void*) {
  if (endpoint == ompt_scope_begin) engine::wait_end(Wait::mutex, mutex_name(id));
  if (endpoint == ompt_scope_end) engine::mutex_released(mutex_name(id));
}

// What an explicit task works at, in libomp's data of it.
static_assert(sizeof(ompt_data_t) == sizeof(std::uint64_t));

std::uint64_t packed(const WorkAt& work) {
  return std::uint64_t{work.task} << 2 | (work.construct ? 2 : 0) | (work.waiting ? 1 : 0);
}

WorkAt work_in(const ompt_data_t& task) {
  return {.task = static_cast<std::uint32_t>(task.value >> 2),
          .construct = (task.value & 2) != 0,
          .waiting = (task.value & 1) != 0};
}

void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* fresh, int flags, int, const void* codeptr) {
  if (flags & ompt_task_explicit)
    fresh->value = packed(engine::fresh_task(static_cast<const char*>(codeptr) - (codeptr != nullptr)));
}

void on_task_schedule(ompt_data_t* left, ompt_task_status_t status, ompt_data_t* next) {
  if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill || !next) return;  // of an event
  left->value = packed(engine::go_on_with(work_in(*next)));
}

int on_control_tool(std::uint64_t command, std::uint64_t, void*, const void*) {
  if (command == omp_control_tool_start) engine::measure(true);
  if (command == omp_control_tool_pause || command == omp_control_tool_end) engine::measure(false);
  return omp_control_tool_success;
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  openmp::show_environment();
  if (engine::follows_all_waits()) openmp::settle_heap_of_libomp();
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  const auto on = [set](ompt_callbacks_t event, auto function) {
    set(event, reinterpret_cast<ompt_callback_t>(function));
  };
  on(ompt_callback_parallel_begin, on_parallel_begin);
  on(ompt_callback_parallel_end, on_parallel_end);
  on(ompt_callback_implicit_task, on_implicit_task);
  on(ompt_callback_sync_region_wait, on_sync_wait);
  on(ompt_callback_control_tool, on_control_tool);
  if (engine::follows_tasks() && !engine::follows_all_waits()) {  // in virtual time they are tasks/' own
    on(ompt_callback_task_create, on_task_create);
    on(ompt_callback_task_schedule, on_task_schedule);
  }
  if (engine::follows_all_waits()) {
    on(ompt_callback_mutex_acquire, on_mutex_acquire);
    on(ompt_callback_mutex_acquired, on_mutex_acquired);
    on(ompt_callback_mutex_released, on_mutex_released);
    on(ompt_callback_nest_lock, on_nest_lock);
  }
  return 1;
}

void finalize(ompt_data_t*) { engine::finish(); }

__attribute__((constructor)) void start_early() {
  if (environment("LBHM_MACHINE")) engine::start();
}

/// Programs that end before or without OpenMP's own end still get their report.
__attribute__((destructor)) void at_unload() { engine::finish(); }

}  // namespace

ompt_start_tool_result_t& lbhm::openmp::our_tool() {
  static ompt_start_tool_result_t tool{initialize, finalize, {0}};
  return tool;
}
