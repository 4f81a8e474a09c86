// The allocators that the program has made.
#pragma once

#include <array>
#include <atomic>

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/pool.h"
#include "libomp-ext/allocators/traits.h"

namespace lbhm::allocators {

struct Allocator {
  std::atomic<std::uint64_t> handle{null_handle};  ///< null: the slot is free
  AllocatorTraits traits;
  Pool pool;
  bool ordinary = false;        ///< without wishes for the memory: malloc's, at malloc's alignment
  Handle target = null_handle;  ///< libomp's own allocator behind this one, for target memory spaces
  std::uint32_t generation = 0;
};

inline constexpr std::uint32_t table_slots = 16384;

/// Lookups take no lock. Slots stay where they are, so a lookup of a destroyed allocator is harmless.
extern constinit std::array<Allocator, table_slots> allocator_slots;

/// Null if the handle is not one of ours or its allocator was destroyed.
inline Allocator* find_allocator(Handle handle) {
  if (!is_ours(handle) || slot_of(handle) >= table_slots) return nullptr;
  Allocator& slot = allocator_slots[slot_of(handle)];
  return slot.handle.load(std::memory_order_acquire) == handle ? &slot : nullptr;
}

/// The allocator that gave out a block; null if it is predefined or was destroyed.
inline Allocator* find_allocator(Owner owner) {
  if (!owner.is_custom() || owner.id - predefined_limit >= table_slots) return nullptr;
  Allocator& slot = allocator_slots[owner.id - predefined_limit];
  const Handle handle = slot.handle.load(std::memory_order_acquire);
  return handle != null_handle && owner_of(handle) == owner ? &slot : nullptr;
}

/// Null if all slots are taken. Copies the name in `traits`.
Handle add_allocator(const AllocatorTraits& traits, Handle target);
/// False if there is no such allocator.
bool remove_allocator(Handle handle);

}  // namespace lbhm::allocators
