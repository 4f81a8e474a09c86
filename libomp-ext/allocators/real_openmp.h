// The OpenMP runtime behind us. Only target memory and the default allocator of a thread are its business.
#pragma once

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

}  // namespace lbhm::allocators
