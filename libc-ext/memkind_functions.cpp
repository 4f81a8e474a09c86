// The functions of libmemkind's memkind.h in front of its own. Kinds that say which memory they want are wishes: their
// large blocks are objects that begin there. All other kinds are libmemkind's matter.
#include <cstddef>

#include "libc-ext/large_blocks.h"
#include "libc-ext/memkind_blocks.h"
#include "runtime/interpose/export.h"

namespace {

using namespace lbhm::heap;

/// libmemkind for kinds that are its own matter, and for itself. Without it there is no such kind, and null.
const RealMemkind* real_for(std::size_t wish, const void* caller) {
  const RealMemkind* const real = real_memkind();
  return real && (wish == no_wish || is_memkinds(caller)) ? real : nullptr;
}

std::size_t wish_or_default(std::size_t wish) { return wish == no_wish ? default_wish : wish; }

}  // namespace

LBHM_EXPORT void* memkind_malloc(Kind kind, std::size_t bytes) {
  const std::size_t wish = wish_of(kind);
  const RealMemkind* const real = real_for(wish, __builtin_return_address(0));
  return real ? real->malloc(at_hand(kind), bytes) : wished_block(wish_or_default(wish), bytes);
}

LBHM_EXPORT void* memkind_calloc(Kind kind, std::size_t count, std::size_t bytes) {
  const std::size_t wish = wish_of(kind);
  const RealMemkind* const real = real_for(wish, __builtin_return_address(0));
  return real ? real->calloc(at_hand(kind), count, bytes) : wished_zeros(wish_or_default(wish), count, bytes);
}

LBHM_EXPORT void* memkind_realloc(Kind kind, void* block, std::size_t bytes) {
  const std::size_t wish = kind ? wish_of(kind) : wish_of_block(block);  // null: the kind is the block's
  const RealMemkind* const real = real_for(wish, __builtin_return_address(0));
  if (real && !own_wished_bytes(block)) return real->realloc(at_hand(kind), block, bytes);
  return wished_resize(wish_or_default(wish), block, bytes);
}

LBHM_EXPORT void memkind_free(Kind kind, void* block) { release_wished(kind, block); }

LBHM_EXPORT int memkind_posix_memalign(Kind kind, void** block, std::size_t alignment, std::size_t bytes) {
  const std::size_t wish = wish_of(kind);
  const RealMemkind* const real = real_for(wish, __builtin_return_address(0));
  return real ? real->posix_memalign(at_hand(kind), block, alignment, bytes)
              : wished_aligned(wish_or_default(wish), block, alignment, bytes);
}

LBHM_EXPORT std::size_t memkind_malloc_usable_size(Kind kind, void* block) { return wished_bytes(kind, block); }

LBHM_EXPORT int memkind_check_available(Kind kind) {
  const std::size_t wish = wish_of(kind);
  if (wish != no_wish) return success;
  const RealMemkind* const real = real_memkind();
  return real ? real->check_available(kind) : unavailable;
}

LBHM_EXPORT Kind memkind_detect_kind(void* block) {
  if (const std::size_t wish = wish_of_block(block); wish != no_wish) return kind_of(wish);
  const RealMemkind* const real = real_memkind();
  return real ? real->detect_kind(block) : nullptr;
}

/// Null: the block is better left where it is.
LBHM_EXPORT void* memkind_defrag_reallocate(Kind kind, void* block) {
  const RealMemkind* const real = real_memkind();
  if (own_wished_bytes(block) || !real || !real->defrag_reallocate) return nullptr;
  const std::size_t wish = kind ? wish_of(kind) : wish_at(block);
  return real->defrag_reallocate(wish == no_wish ? kind : kind_at_hand(wish), block);
}
