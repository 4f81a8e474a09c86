// The OpenMP runtime behind us. Its business are the default allocator of a thread, and memory of spaces of its own.
#pragma once

#include <omp.h>

#include <atomic>
#include <span>

#include "libomp-ext/allocators/handle.h"

namespace lbhm::allocators {

/// libomp's own functions, by the names of its compiler interface: those do not come back to ours.
struct RealOpenMP {
  int (*global_thread_num)(void* location);
  Handle (*get_default_allocator)(int gtid);
  void (*set_default_allocator)(int gtid, Handle allocator);
  Handle (*init_allocator)(int gtid, Handle space, int count, void* traits);
  void (*destroy_allocator)(int gtid, Handle allocator);
  void* (*aligned_alloc)(int gtid, std::uint64_t alignment, std::uint64_t bytes, Handle allocator);
  void (*free)(int gtid, void* address, Handle allocator);

  /// libomp's number of the calling thread. Initialises libomp if need be.
  int thread() const { return global_thread_num(nullptr); }
};

/// Null if there is no libomp in the process. Looked up at the first call and then kept, and again as long as there is
/// none: a program may load its OpenMP parts late.
const RealOpenMP* real_openmp();

/// It makes spaces and allocators for devices. Asked only for who names more than OpenMP 5.2 has: the answer no leaves
/// a text of dlsym's in the program's heap, and its blocks lie elsewhere.
bool knows_openmp6();
/// An allocator or a space that a runtime of OpenMP 6.0 made, and whose memory is its affair. A wrong number looks the
/// same, and ends where it ends without us.
inline bool is_made_by_runtime(Handle h) { return h >= predefined_limit && !is_ours(h) && knows_openmp6(); }

// def-allocator-var: the allocator that omp_null_allocator stands for.
//
// libomp keeps it, because libomp knows who inherits it: threads of a team from the thread that forks, and back at the
// join. A handle of ours passes through libomp as a number that is stored and handed back, never looked into: all
// functions of libomp that would look into it are replaced by ours.

/// "The calling thread": libomp's number of it is looked up when needed.
inline constexpr int this_thread = -1;

/// untouched: every thread of the process has omp_default_mem_alloc, and libomp need not be asked.
enum class Defaults : unsigned char { unknown, untouched, set };
inline constinit std::atomic<Defaults> defaults{Defaults::unknown};

/// Of the thread with libomp's number `gtid`. OMP_ALLOCATOR is a default that somebody has set.
Handle look_up_default_allocator(int gtid);
inline Handle default_allocator(int gtid = this_thread) {
  if (defaults.load(std::memory_order_relaxed) == Defaults::untouched) [[likely]]
    return default_memory;
  return look_up_default_allocator(gtid);
}
/// The null handle sets omp_default_mem_alloc.
void set_default_allocator(Handle handle, int gtid = this_thread);

// Memory of the runtime's own allocators: target memory (llvm_omp_target_*), and what an OpenMP 6.0 runtime makes for
// devices and parts of spaces. We pass the requests on and remember the blocks (blocks.h).

/// whole: with all traits. memory: without pool and fallback, which are then our business.
enum class HandOn : std::uint8_t { whole, memory };

/// The runtime's own allocator for a space of its own, without LB-HM's traits; null if it has no such memory.
Handle make_runtime_allocator(Handle space, std::span<const omp_alloctrait_t> traits, HandOn what, int gtid);
/// Predefined and null handles are left alone.
void destroy_runtime_allocator(Handle allocator, int gtid = this_thread);

/// Null if there is none. `allocator`: the runtime's, predefined or made by it.
void* runtime_allocate(Handle allocator, std::uint64_t alignment, std::uint64_t bytes);
void runtime_release(void* address, Handle allocator);

}  // namespace lbhm::allocators
