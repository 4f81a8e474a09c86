// The malloc family in front of the process's own. Compiled with -fno-builtin: calls of each other are meant.
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "libc-ext/large_blocks.h"
#include "libc-ext/process_malloc.h"
#include "libomp-ext/real/export.h"

namespace {

using namespace lbhm::heap;

[[gnu::noinline]] void release_at_page(void* block) {
  if (!release_own(block)) process.free(block);
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
    if (const std::size_t had = bytes_at_page(block)) return resize_own(block, had, bytes, caller);
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
    if (const std::size_t bytes = bytes_at_page(block)) return bytes;
  }
  return process.malloc_usable_size(block);
}
