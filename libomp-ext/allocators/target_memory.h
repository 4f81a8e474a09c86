// Target memory (llvm_omp_target_*): libomp and its offload runtime have it, we pass the requests on.
#pragma once

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/request.h"
#include "libomp-ext/allocators/traits.h"

namespace lbhm::allocators {

/// libomp's own allocator for a target memory space, without pool and fallback, which are our business; null if libomp
/// has no such memory.
Handle make_target_allocator(const AllocatorTraits& traits);
void destroy_target_allocator(Handle target);

/// Null if there is none. `target`: a predefined target allocator or one from make_target_allocator.
void* target_allocate(Handle target, const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map.
void target_release(void* address, Handle target);

}  // namespace lbhm::allocators
