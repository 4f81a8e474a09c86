// The functions of OpenMP's memory management, free of the names under which programs call them.
#pragma once

#include <omp.h>

#include "libomp-ext/allocators/default_allocator.h"
#include "libomp-ext/allocators/request.h"

namespace lbhm::allocators {

/// Null, and one line on standard error that names the trait, if the list is wrong.
Handle init_allocator(Handle space, int count, const omp_alloctrait_t* traits);
/// Predefined and null handles are left alone.
void destroy_allocator(Handle handle);
/// omp_set_default_allocator: unknown handles change nothing but standard error.
void choose_default_allocator(Handle handle, int gtid = this_thread);

/// Null for 0 bytes, a bad alignment, and where the allocator's fallback says so. The null handle stands for the
/// default allocator of thread `gtid`.
void* allocate(Handle handle, const Request& request, int gtid = this_thread);
/// The same for count * bytes zeroed bytes; null if that is more than 2^64 - 1.
void* allocate_array(Handle handle, std::uint64_t alignment, std::uint64_t count, std::uint64_t bytes,
                     int gtid = this_thread);
/// Any block of ours, whichever allocator it came from, null included. Other pointers are only talked about.
void release(void* address);
/// realloc: keeps the first bytes. 0 bytes free the block; a null address allocates. Null: the block is as it was.
void* reallocate(void* address, std::uint64_t bytes, Handle handle, int gtid = this_thread);

}  // namespace lbhm::allocators
