// Which blocks may be objects, and where those that are lie: for the functions of malloc's family and of memkind's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "libc-ext/arenas.h"
#include "libc-ext/process_malloc.h"

namespace lbhm::heap {

inline constexpr std::size_t page = 4096;

/// Blocks of so many bytes and more may be objects. None before LB-HM has begun, where it places nothing, and where the
/// program has an allocator of its own (whole_front.h).
extern constinit std::atomic<std::size_t> limit;

inline bool is_large(std::size_t bytes) { return bytes >= limit.load(std::memory_order_relaxed); }

/// An object, aligned to `alignment` or to a page. Null: LB-HM has none for it, so another allocator is to say what
/// happens.
void* object(std::size_t bytes, std::size_t alignment, const void* caller, bool zeroed = false);
/// The same with a tier to begin in (heap_objects.h). All its bytes are 0.
void* object_in(std::size_t bytes, std::size_t alignment, int tier, std::size_t mark);

/// Objects and early blocks begin at pages. So do few of malloc's blocks, and null.
inline bool may_be_ours(const void* block) { return reinterpret_cast<std::uintptr_t>(block) % page == 0; }

/// Bytes that may be read of a block of ours that begins at a page; 0: it is none.
std::size_t bytes_at_page(const void* block);
/// The same for any block, also of an arena.
inline std::size_t own_bytes(const void* block) {
  if (const Slot* const slot = slot_of(block)) return slot->size;
  return may_be_ours(block) ? bytes_at_page(block) : 0;
}
/// Gives a block back that begins at a page. False: it is none of ours.
bool release_own(void* block);

}  // namespace lbhm::heap
