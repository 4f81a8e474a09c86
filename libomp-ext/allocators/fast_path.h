// What programs do most: blocks without wishes for alignment or place, and their frees. Inlined into the public
// functions; everything else goes on to allocate() and release().
#pragma once

#include <cstdlib>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/allocate.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/plain_memory.h"

namespace lbhm::allocators {

/// Null: take the long way, which also knows what to do when there is no memory.
inline void* fast_custom(Handle handle, std::uint64_t bytes) {
  Allocator* allocator = find_allocator(handle);
  if (allocator == nullptr || !allocator->ordinary) return nullptr;
  const auto alignment = allocator->traits.alignment;
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
    if (handle < first_target && !names_tier(handle)) {
      address = direct_allocate(bytes, 0, owner_of(handle));
    } else if (is_ours(handle)) {
      address = fast_custom(handle, bytes);
    }
    if (address != nullptr) [[likely]]
      return address;
  }
  return allocate(handle, {bytes}, gtid);
}

inline void fast_release(void* address) {
  if (may_be_remembered(address)) [[unlikely]]
    return release(address);
  BlockHeader* header = find_header(address);
  if (header == nullptr || header->shifted() || header->in_tier()) [[unlikely]]
    return release(address);
  if (Allocator* allocator = find_allocator(header->owner())) {
    allocator->pool.give_back(pool_charge(header->bytes, header->alignment()));
  }
  mark_freed(header);
  std::free(header);
}

}  // namespace lbhm::allocators
