// Memory of the OpenMP runtime's own allocators: target memory (llvm_omp_target_*), and what an OpenMP 6.0 runtime
// makes for devices and parts of spaces. We pass the requests on and remember the blocks.
#pragma once

#include <omp.h>

#include <span>

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {

/// whole: with all traits. memory: without pool and fallback, which are then our business.
enum class HandOn : std::uint8_t { whole, memory };

/// The runtime's own allocator for a space of its own, without LB-HM's traits; null if it has no such memory.
Handle make_runtime_allocator(Handle space, std::span<const omp_alloctrait_t> traits, HandOn what, int gtid);
/// Predefined and null handles are left alone.
void destroy_runtime_allocator(Handle allocator, int gtid = this_thread);

/// Null if there is none. `allocator`: the runtime's, predefined or made by it.
void* runtime_allocate(Handle allocator, const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map, or that the program got from the runtime without us.
void runtime_release(void* address, Handle allocator);

}  // namespace lbhm::allocators
