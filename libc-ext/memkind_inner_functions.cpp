// Functions that libmemkind offers to those who make kinds (memkind_arena.3, memkind_default.3), and calls itself for
// every kind; and those of tiers that look into blocks. Programs may give them any block of memkind's, ours too.
#include <cstddef>

#include "libc-ext/large_blocks.h"
#include "libc-ext/memkind_blocks.h"
#include "runtime/interpose/export.h"

extern "C" void* memkind_realloc(lbhm::heap::Kind kind, void* block, std::size_t bytes);

namespace {

using namespace lbhm::heap;

/// Gives a block of ours back. False: it is libmemkind's.
bool gave_back(void* block) {
  if (!own_wished_bytes(block)) return false;
  release_wished(nullptr, block);
  return true;
}

}  // namespace

LBHM_EXPORT void memkind_arena_free(Kind kind, void* block) {
  if (!gave_back(block)) real_memkind()->arena_free(at_hand(kind), block);
}
LBHM_EXPORT void memkind_default_free(Kind kind, void* block) {
  if (!gave_back(block)) real_memkind()->default_free(kind, block);
}
LBHM_EXPORT void memkind_arena_free_with_kind_detect(void* block) {
  if (!gave_back(block)) real_memkind()->arena_free_any(block);
}

LBHM_EXPORT void* memkind_arena_realloc(Kind kind, void* block, std::size_t bytes) {
  if (own_wished_bytes(block)) return memkind_realloc(kind, block, bytes);
  const Kind known = at_hand(kind);
  const bool has_arenas = known != kind_of(default_wish);
  return (has_arenas ? real_memkind()->arena_realloc : real_memkind()->default_realloc)(known, block, bytes);
}
LBHM_EXPORT void* memkind_default_realloc(Kind kind, void* block, std::size_t bytes) {
  return own_wished_bytes(block) ? memkind_realloc(kind, block, bytes)
                                 : real_memkind()->default_realloc(kind, block, bytes);
}
LBHM_EXPORT void* memkind_arena_realloc_with_kind_detect(void* block, std::size_t bytes) {
  return own_wished_bytes(block) ? memkind_realloc(nullptr, block, bytes)
                                 : real_memkind()->arena_realloc_any(block, bytes);
}

LBHM_EXPORT void memtier_kind_free(Kind kind, void* block) {
  if (!gave_back(block)) real_memkind()->tier_free(kind, block);
}
LBHM_EXPORT void* memtier_kind_realloc(Kind kind, void* block, std::size_t bytes) {
  return own_wished_bytes(block) ? memkind_realloc(kind, block, bytes)
                                 : real_memkind()->tier_realloc(kind, block, bytes);
}

LBHM_EXPORT Kind memkind_arena_detect_kind(void* block) {
  const std::size_t wish = wish_of_block(block);
  return wish == no_wish ? real_memkind()->arena_detect_kind(block) : kind_of(wish);
}

LBHM_EXPORT std::size_t memkind_default_malloc_usable_size(Kind kind, void* block) {
  const std::size_t bytes = own_wished_bytes(block);
  return bytes ? bytes : real_memkind()->default_usable_size(kind, block);
}
