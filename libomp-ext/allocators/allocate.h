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
void* allocate(Handle handle, const Request& request, int gtid = this_thread);
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

/// Null: take the long way, which also knows what to do when there is no memory.
inline void* fast_custom(Handle handle, std::uint64_t bytes) {
  Allocator* allocator = find_allocator(handle);
  if (allocator == nullptr || !allocator->mallocs) return nullptr;
  const auto alignment = allocator->traits.alignment;
  if (alignment > header_bytes) return nullptr;
  const auto charge = pool_charge(bytes, alignment);
  if (!allocator->pool.take(charge)) return nullptr;
  if (void* address = direct_allocate(bytes, alignment, owner_of(handle))) [[likely]]
    return address;
  allocator->pool.give_back(charge);
  return nullptr;
}

inline void* fast_allocate(Handle handle, std::uint64_t bytes, int gtid = this_thread) {
  if (handle == null_handle) handle = default_allocator(gtid);
  if (bytes - 1 < UINT64_MAX / 2) [[likely]] {  // not 0, and far from overflow
    void* address = nullptr;
    if (is_mallocs(handle)) {
      address = direct_allocate(bytes, 0, owner_of(handle));
    } else if (is_ours(handle)) {
      address = fast_custom(handle, bytes);
    }
    if (address != nullptr) [[likely]]
      return address;
  }
  return allocate(handle, {bytes}, gtid);
}

inline void fast_release(void* address, Handle handle) {
  if (may_be_remembered(address)) [[unlikely]]
    return release(address, handle);
  BlockHeader* header = find_header(address);
  if (header == nullptr || header->in_tier()) [[unlikely]]
    return release(address, handle);
  if (Allocator* allocator = find_allocator(header->owner())) {
    allocator->pool.give_back(pool_charge(header->bytes, header->alignment()));
  }
  mark_freed(header);
  std::free(base_of(header));
}

}  // namespace lbhm::allocators
