#include "libc-ext/memkind_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "libc-ext/large_blocks.h"
#include "libc-ext/small_blocks.h"
#include "libomp-ext/allocators/heap_objects.h"

namespace lbhm::heap {
namespace {

/// The mark of an object says of which kind it is.
void* wished_object(std::size_t wish, std::size_t bytes, std::size_t alignment = page) {
  return object_in(bytes, alignment, wishes[wish].tier, wish + 1);
}

/// Null: there is no memory, and the block is as it was.
void* moved(void* fresh, void* block, std::size_t readable, std::size_t bytes) {
  if (!fresh) return nullptr;
  std::memcpy(fresh, block, std::min(readable, bytes));
  release_wished(nullptr, block);
  return fresh;
}

}  // namespace

void* wished_block(std::size_t wish, std::size_t bytes) {
  if (void* const address = wished_object(wish, bytes)) return address;
  const RealMemkind* const real = real_memkind();
  return real ? real->malloc(kind_at_hand(wish), bytes) : process.malloc(bytes);
}

void* wished_zeros(std::size_t wish, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (!__builtin_mul_overflow(count, bytes, &total)) {
    if (void* const address = wished_object(wish, total)) return address;
  }
  const RealMemkind* const real = real_memkind();
  return real ? real->calloc(kind_at_hand(wish), count, bytes) : process.calloc(count, bytes);
}

void* wished_resize(std::size_t wish, void* block, std::size_t bytes) {
  if (!block) return wished_block(wish, bytes);
  if (bytes == 0) {
    release_wished(nullptr, block);
    return nullptr;
  }
  if (const std::size_t had = own_wished_bytes(block)) {
    if (bytes <= had && bytes > had / 2 && is_large(bytes)) return block;
    return moved(wished_block(wish, bytes), block, had, bytes);
  }
  if (void* const fresh = wished_object(wish, bytes)) return moved(fresh, block, wished_bytes(nullptr, block), bytes);
  const RealMemkind* const real = real_memkind();
  return real ? real->realloc(kind_at_hand(wish), block, bytes) : process.realloc(block, bytes);
}

int wished_aligned(std::size_t wish, void** block, std::size_t alignment, std::size_t bytes) {
  const bool valid = alignment >= sizeof(void*) && std::has_single_bit(alignment);
  if (void* const address = valid ? wished_object(wish, bytes, alignment) : nullptr) {
    *block = address;
    return 0;
  }
  const RealMemkind* const real = real_memkind();
  return real ? real->posix_memalign(kind_at_hand(wish), block, alignment, bytes)
              : process.posix_memalign(block, alignment, bytes);
}

void release_wished(Kind kind, void* block) {
  if (Slot* const slot = slot_of(block)) return release_small(*slot, block);
  if (may_be_ours(block) && !is_of_fixed_kind(block) && release_own(block)) return;
  const RealMemkind* const real = real_memkind();
  if (!real) return process.free(block);
  real->free(at_hand(kind), block);
}

std::size_t own_wished_bytes(const void* block) { return is_of_fixed_kind(block) ? 0 : own_bytes(block); }

std::size_t wish_of_block(const void* block) {
  if (is_of_fixed_kind(block)) return no_wish;
  const std::size_t mark = lbhm_heap_mark(block);
  if (mark) return mark - 1;
  return own_bytes(block) ? default_wish : wish_at(block);
}

std::size_t wished_bytes(Kind kind, void* block) {
  if (!block) return 0;
  if (const std::size_t bytes = own_wished_bytes(block)) return bytes;
  const RealMemkind* const real = real_memkind();
  return real ? real->usable_size(kind, block) : process.malloc_usable_size(block);
}

}  // namespace lbhm::heap
