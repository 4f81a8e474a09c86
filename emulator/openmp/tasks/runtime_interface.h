// The part of libomp's interface to compiled code that explicit tasks use (openmp/runtime/src/kmp.h of LLVM 19).
#pragma once

#include <cstddef>
#include <cstdint>

#include "libomp-ext/real/real_function.h"

namespace lbhm::tasks {

using real::OpenMPFunction;

using Thread = std::int32_t;
struct Task;
using Routine = std::int32_t(Thread, Task*);

/// What the compiler knows of a task (kmp_task_t); its private copies follow.
struct Task {
  void* shareds;
  Routine* routine;
  std::int32_t part;
  union {
    std::int32_t priority;
    Routine* destructors;
  } data1, data2;
};
static_assert(sizeof(Task) == 40);

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

}  // namespace lbhm::tasks
