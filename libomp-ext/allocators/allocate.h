// The functions of OpenMP's memory management, free of the names under which programs call them.
#pragma once

#include <omp.h>
#include <cstdlib>

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/blocks.h"
#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {

/// Null, and one line on standard error that names the trait, if the list is wrong.
Handle init_allocator(Handle space, int count, const omp_alloctrait_t* traits, int gtid = this_thread);
/// Predefined and null handles are left alone.
void destroy_allocator(Handle handle);
/// omp_set_default_allocator: unknown handles change nothing but standard error.
void choose_default_allocator(Handle handle, int gtid = this_thread);

/// Null for 0 bytes, a bad alignment, and where the allocator's fallback says so. The null handle stands for the
/// default allocator of thread `gtid`.
void* allocate(Handle handle, Request request, int gtid = this_thread);
/// The same for count * bytes zeroed bytes; null if that is more than 2^64 - 1.
void* allocate_array(Handle handle, std::uint64_t alignment, std::uint64_t count, std::uint64_t bytes,
                     int gtid = this_thread);
/// Any block of ours, whichever allocator it came from, null included. Other pointers go on to the runtime if `handle`
/// is its own, and are otherwise only talked about.
void release(void* address, Handle handle = null_handle);
/// realloc: keeps the first bytes. 0 bytes free the block; a null address allocates. Null: the block is as it was.
void* reallocate(void* address, std::uint64_t bytes, Handle handle, int gtid = this_thread);

// What programs do most: blocks without wishes for alignment or place, and their frees. Inlined into the public
// functions; everything else goes on to allocate() and release().

/// The allocator is without wishes for the memory: malloc serves it, at malloc's alignment.
inline bool is_ordinary(Handle handle, const Allocator* allocator) {
  if (allocator != nullptr) return allocator->ordinary;
  return is_predefined(handle) && !is_target(handle) && !names_tier(handle);
}

inline void* fast_allocate(Handle handle, std::uint64_t bytes, int gtid = this_thread) {
  if (handle == null_handle) handle = default_allocator(gtid);
  Allocator* allocator = find_allocator(handle);
  if (bytes - 1 < UINT64_MAX / 2 && is_ordinary(handle, allocator)) [[likely]] {  // not 0, and far from overflow
    const auto alignment = allocator == nullptr ? 0 : allocator->traits.alignment;
    const auto charge = pool_charge(bytes, alignment);
    if (allocator == nullptr || allocator->pool.take(charge)) {
      if (void* address = direct_allocate(bytes, alignment, owner_of(handle))) [[likely]]
        return address;
      if (allocator != nullptr) allocator->pool.give_back(charge);
    }
  }
  return allocate(handle, {bytes}, gtid);  // it also knows what to do when there is no memory
}

inline void fast_release(void* address, Handle handle) {
  if (may_be_remembered(address)) [[unlikely]]
    return release(address, handle);
  BlockHeader* header = find_header(address);
  if (header == nullptr || header->shifted() || header->in_tier()) [[unlikely]]
    return release(address, handle);
  if (Allocator* allocator = find_allocator(header->owner())) {
    allocator->pool.give_back(pool_charge(header->bytes, header->alignment()));
  }
  mark_freed(header);
  std::free(header);
}

}  // namespace lbhm::allocators
