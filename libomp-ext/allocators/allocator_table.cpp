#include "libomp-ext/allocators/allocator_table.h"

#include <cstdlib>
#include <cstring>

namespace lbhm::allocators {

constinit std::array<Allocator, table_slots> allocator_slots;

namespace {

constinit std::uint32_t next_slot = 0;

/// Searched from the slot after the last one given out, so that a slot rests before it is used again.
Allocator* free_slot() {
  for (std::uint32_t i = 0; i < table_slots; ++i) {
    Allocator& slot = allocator_slots[(next_slot + i) % table_slots];
    if (slot.handle.load(std::memory_order_relaxed) == null_handle) return &slot;
  }
  return nullptr;
}

}  // namespace

Handle add_allocator(const AllocatorTraits& traits, Handle behind) {
  const std::scoped_lock lock(table_mutex);
  Allocator* slot = free_slot();
  if (slot == nullptr) return null_handle;
  const auto index = static_cast<std::uint32_t>(slot - allocator_slots.data());
  next_slot = index + 1;
  slot->traits = traits;
  if (traits.memory.name != nullptr) slot->traits.memory.name = strdup(traits.memory.name);
  slot->pool.reset(traits.pool_bytes);
  slot->behind = behind;
  slot->mallocs = behind == null_handle && !traits.placed();
  const Handle handle = make_handle(index, ++slot->generation);
  slot->handle.store(handle, std::memory_order_release);
  return handle;
}

bool remove_allocator(Handle handle) {
  const std::scoped_lock lock(table_mutex);
  Allocator* slot = find_allocator(handle);
  if (slot == nullptr) return false;
  slot->handle.store(null_handle, std::memory_order_release);
  std::free(const_cast<char*>(slot->traits.memory.name));
  slot->traits.memory.name = nullptr;
  return true;
}

void before_fork() {
  look_up_mutex.lock();
  table_mutex.lock();
  map_mutex.lock();
  forking_thread = pthread_self();
}

void after_fork() {
  forking_thread = pthread_t{};
  map_mutex.unlock();
  table_mutex.unlock();
  look_up_mutex.unlock();
}

}  // namespace lbhm::allocators
