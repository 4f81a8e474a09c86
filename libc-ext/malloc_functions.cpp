// The malloc family in front of the process's own. Compiled with -fno-builtin: calls of each other are meant.
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "libc-ext/process_malloc.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "libomp-ext/real/export.h"

namespace {

using lbhm::heap::process;

constexpr std::size_t page = 4096;
constexpr std::size_t largest_alignment = std::size_t{1} << 30;

/// Blocks of so many bytes and more may be objects. None before LB-HM has begun, and where it places nothing.
constinit std::atomic<std::size_t> limit{SIZE_MAX};
/// Objects begin in [lowest, highest].
constinit std::atomic<std::uintptr_t> lowest{UINTPTR_MAX}, highest{0};

__attribute__((constructor)) void begin() { limit.store(lbhm_heap_begin(), std::memory_order_relaxed); }

void note(std::uintptr_t address) {
  std::uintptr_t least = lowest.load(std::memory_order_relaxed), most = highest.load(std::memory_order_relaxed);
  while (address < least && !lowest.compare_exchange_weak(least, address, std::memory_order_relaxed)) {}
  while (address > most && !highest.compare_exchange_weak(most, address, std::memory_order_relaxed)) {}
}

bool is_large(std::size_t bytes) { return bytes >= limit.load(std::memory_order_relaxed); }

/// Null: LB-HM has none for it, so the process's malloc is to say what happens.
[[gnu::noinline]] void* object(std::size_t bytes, std::size_t alignment, const void* caller, bool zeroed = false) {
  if (!std::has_single_bit(alignment) || alignment > largest_alignment || bytes > PTRDIFF_MAX) return nullptr;
  void* const address = lbhm_heap_allocate(bytes, std::max(alignment, page), caller, zeroed);
  if (address) note(reinterpret_cast<std::uintptr_t>(address));
  return address;
}

// Objects and early blocks begin at pages. So do few of malloc's blocks, and null.

bool may_be_ours(const void* block) { return reinterpret_cast<std::uintptr_t>(block) % page == 0; }

bool in_range(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return address >= lowest.load(std::memory_order_relaxed) && address <= highest.load(std::memory_order_relaxed);
}

/// Bytes that may be read of a block of ours; 0: it is none.
[[gnu::noinline]] std::size_t own_bytes(const void* block) {
  if (lbhm::heap::is_early(block)) return lbhm::heap::early_bytes(block);
  return in_range(block) ? lbhm_heap_bytes(block) : 0;
}

[[gnu::noinline]] void release_at_page(void* block) {
  if (lbhm::heap::is_early(block) || (in_range(block) && lbhm_heap_release(block))) return;
  process.free(block);
}

void release(void* block) {
  if (may_be_ours(block)) [[unlikely]]
    return release_at_page(block);
  process.free(block);
}

void* new_block(std::size_t bytes, const void* caller) {
  if (is_large(bytes)) [[unlikely]] {
    if (void* const address = object(bytes, page, caller)) return address;
  }
  return process.malloc(bytes);
}

void* aligned_block(std::size_t alignment, std::size_t bytes, const void* caller) {
  return is_large(bytes) ? object(bytes, alignment, caller) : nullptr;
}

/// To another place. Null: there is no memory, and the block is as it was.
void* move_to(void* fresh, void* block, std::size_t readable, std::size_t bytes) {
  if (!fresh) return nullptr;
  std::memcpy(fresh, block, std::min(readable, bytes));
  release(block);
  return fresh;
}

void* resize_own(void* block, std::size_t had, std::size_t bytes, const void* caller) {
  if (bytes == 0) {
    release(block);
    return nullptr;
  }
  if (bytes <= had && bytes > had / 2 && is_large(bytes)) return block;
  // A block that grows will grow again: with a quarter more, all the copies together cost as much as a few. Pages that
  // nobody touches take no memory.
  std::size_t wanted = bytes;
  if (bytes > had && __builtin_add_overflow(bytes, bytes / 4, &wanted)) wanted = bytes;
  void* fresh = is_large(bytes) ? object(wanted, page, caller) : nullptr;
  if (!fresh) fresh = process.malloc(bytes);
  return move_to(fresh, block, had, bytes);
}

void* resize(void* block, std::size_t bytes, const void* caller) {
  if (!block) return new_block(bytes, caller);
  if (may_be_ours(block)) [[unlikely]] {
    if (const std::size_t had = own_bytes(block)) return resize_own(block, had, bytes, caller);
  }
  if (is_large(bytes)) [[unlikely]] {
    if (void* const fresh = object(bytes, page, caller))
      return move_to(fresh, block, process.malloc_usable_size(block), bytes);
  }
  return process.realloc(block, bytes);
}

}  // namespace

LBHM_EXPORT void* malloc(std::size_t bytes) { return new_block(bytes, __builtin_return_address(0)); }

LBHM_EXPORT void free(void* block) { release(block); }

LBHM_EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (!__builtin_mul_overflow(count, bytes, &total) && is_large(total)) [[unlikely]] {
    if (void* const address = object(total, page, __builtin_return_address(0), true)) return address;
  }
  return process.calloc(count, bytes);
}

LBHM_EXPORT void* realloc(void* block, std::size_t bytes) { return resize(block, bytes, __builtin_return_address(0)); }

LBHM_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (!__builtin_mul_overflow(count, bytes, &total)) return resize(block, total, __builtin_return_address(0));
  errno = ENOMEM;
  return nullptr;
}

LBHM_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  if (alignment >= sizeof(void*)) {
    if (void* const address = aligned_block(alignment, bytes, __builtin_return_address(0))) {
      *block = address;
      return 0;
    }
  }
  return process.posix_memalign(block, alignment, bytes);
}

LBHM_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  void* const address = aligned_block(alignment, bytes, __builtin_return_address(0));
  return address ? address : process.aligned_alloc(alignment, bytes);
}

LBHM_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) {
  void* const address = aligned_block(alignment, bytes, __builtin_return_address(0));
  return address ? address : process.memalign(alignment, bytes);
}

LBHM_EXPORT void* valloc(std::size_t bytes) {
  void* const address = aligned_block(page, bytes, __builtin_return_address(0));
  return address ? address : process.valloc(bytes);
}

LBHM_EXPORT void* pvalloc(std::size_t bytes) {
  // What is asked for is rounded up to pages, and so is an object.
  void* const address = aligned_block(page, bytes, __builtin_return_address(0));
  return address ? address : process.pvalloc(bytes);
}

LBHM_EXPORT std::size_t malloc_usable_size(void* block) {
  if (!block) return 0;
  if (may_be_ours(block)) [[unlikely]] {
    if (const std::size_t bytes = own_bytes(block)) return bytes;
  }
  return process.malloc_usable_size(block);
}
