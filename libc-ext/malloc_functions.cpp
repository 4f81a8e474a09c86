// The malloc family in front of the process's own. Compiled with -fno-builtin: calls of each other are meant.
#include "libc-ext/malloc_functions.h"

#include <sys/types.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "libc-ext/large_blocks.h"
#include "libc-ext/moved_pages.h"
#include "libc-ext/process_malloc.h"
#include "libc-ext/small_blocks.h"
#include "libc-ext/whole_front.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::heap;

[[gnu::noinline]] void release_at_page(void* block) {
  if (!release_own(block)) process.free(block);
}

inline void give_back_block(void* block) {
  if (Slot* const slot = slot_of(block)) return release_small(*slot, block);
  if (may_be_ours(block)) [[unlikely]]
    return release_at_page(block);
  process.free(block);
}

/// Who calls a function of these: its return address, and the stack pointer of its caller.
struct Asking {
  const void* caller;
  const char* stack;
};
#define LBHM_ASKING {__builtin_return_address(0), static_cast<const char*>(__builtin_frame_address(0)) + 16}

/// Null: from the process's malloc.
void* own_block(std::size_t bytes, const Asking& asking) {
  if (is_large(bytes)) [[unlikely]]
    return object(bytes, page, asking.caller);
  return bytes < largest_small ? small_block(bytes, asking.caller, asking.stack) : nullptr;
}

void* new_block(std::size_t bytes, const Asking& asking) {
  void* const block = own_block(bytes, asking);
  return block ? block : process.malloc(bytes);
}

/// Small blocks whose size is a power of two are aligned to it, as slots begin at pages.
void* aligned_block(std::size_t alignment, std::size_t bytes, const Asking& asking) {
  if (is_large(bytes)) return object(bytes, alignment, asking.caller);
  if (!std::has_single_bit(alignment) || alignment > page || bytes >= largest_small / 2) return nullptr;
  return small_block(alignment <= 16 ? bytes : std::bit_ceil(std::max(bytes, alignment)), asking.caller, asking.stack);
}

/// To another place. Null: there is no memory, and the block is as it was.
void* move_to(void* fresh, void* block, std::size_t readable, std::size_t bytes) {
  if (!fresh) return nullptr;
  std::memcpy(fresh, block, std::min(readable, bytes));
  give_back_block(block);
  return fresh;
}

void* resize_own(void* block, std::size_t had, std::size_t bytes, const Asking& asking) {
  if (bytes == 0) {
    give_back_block(block);
    return nullptr;
  }
  if (bytes <= had && bytes > had / 2 && is_large(bytes)) return block;
  // A block that grows will grow again: with a quarter more, all the copies together cost as much as a few. Pages that
  // nobody touches take no memory.
  std::size_t wanted = bytes;
  if (bytes > had && __builtin_add_overflow(bytes, bytes / 4, &wanted)) wanted = bytes;
  void* fresh = is_large(bytes) ? object(wanted, page, asking.caller) : nullptr;
  if (!fresh && wanted > bytes) fresh = object(bytes, page, asking.caller);
  if (!fresh) return move_to(process.malloc(bytes), block, had, bytes);
  move_contents(fresh, block, std::min(had, bytes));
  give_back_block(block);
  return fresh;
}

/// Of an arena.
void* resize_small(std::size_t had, void* block, std::size_t bytes, const Asking& asking) {
  if (bytes == 0) {
    give_back_block(block);
    return nullptr;
  }
  if (bytes <= had && bytes > had / 2) return block;
  return move_to(new_block(bytes, asking), block, had, bytes);
}

void* resize_block(void* block, std::size_t bytes, const Asking& asking) {
  if (!block) return new_block(bytes, asking);
  if (const Slot* const slot = slot_of(block)) return resize_small(slot->size, block, bytes, asking);
  if (may_be_ours(block)) [[unlikely]] {
    if (const std::size_t had = bytes_at_page(block)) return resize_own(block, had, bytes, asking);
  }
  // A large block of glibc's stays one: its pages move there, and would have to be copied here.
  if (is_large(bytes)) [[unlikely]] {
    const std::size_t had = process.malloc_usable_size(block);
    void* const fresh = is_large(had) ? nullptr : object(bytes, page, asking.caller);
    if (fresh) return move_to(fresh, block, had, bytes);
  }
  return process.realloc(block, bytes);
}

}  // namespace

void lbhm::heap::release(void* block) { give_back_block(block); }
void* lbhm::heap::resize(void* block, std::size_t bytes) { return resize_block(block, bytes, LBHM_ASKING); }

LBHM_EXPORT void* malloc(std::size_t bytes) { return new_block(bytes, LBHM_ASKING); }

LBHM_EXPORT void free(void* block) { give_back_block(block); }

LBHM_EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) return process.calloc(count, bytes);
  const Asking asking = LBHM_ASKING;
  if (is_large(total)) [[unlikely]] {
    if (void* const address = object(total, page, asking.caller, true)) return address;
  } else if (void* const block = own_block(total, asking)) {
    return std::memset(block, 0, total);
  }
  return process.calloc(count, bytes);
}

LBHM_EXPORT void* realloc(void* block, std::size_t bytes) { return resize_block(block, bytes, LBHM_ASKING); }

LBHM_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc_in_front ? realloc_in_front(block, total) : resize_block(block, total, LBHM_ASKING);
}

LBHM_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (alignment >= sizeof(void*)) {
    if (void* const address = aligned_block(alignment, bytes, LBHM_ASKING)) {
      *block = address;
      return 0;
    }
  }
  return process.posix_memalign(block, alignment, bytes);
}

LBHM_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  void* const address = aligned_block(alignment, bytes, LBHM_ASKING);
  return address ? address : process.aligned_alloc(alignment, bytes);
}

LBHM_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) {
  void* const address = aligned_block(alignment, bytes, LBHM_ASKING);
  return address ? address : process.memalign(alignment, bytes);
}

LBHM_EXPORT void* valloc(std::size_t bytes) {
  void* const address = aligned_block(page, bytes, LBHM_ASKING);
  return address ? address : process.valloc(bytes);
}

LBHM_EXPORT void* pvalloc(std::size_t bytes) {
  // What is asked for is rounded up to pages, and so is an object.
  void* const address = aligned_block(page, bytes, LBHM_ASKING);
  return address ? address : process.pvalloc(bytes);
}

LBHM_EXPORT std::size_t malloc_usable_size(void* block) {
  if (!block) return 0;
  if (const std::size_t bytes = own_bytes(block)) return bytes;
  return process.malloc_usable_size(block);
}
