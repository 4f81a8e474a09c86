#include <stdlib.h>

#include "records.h"

enum { block_bytes = 1 << 16 };

struct arena_block {
  struct arena_block* before;
  _Alignas(16) char bytes[];
};

void* arena_take(struct arena* arena, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (arena->blocks == NULL || arena->used + bytes > block_bytes) {
    struct arena_block* block = malloc(sizeof *block + block_bytes);
    if (block == NULL || bytes > block_bytes) abort();
    block->before = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
  }
  void* result = arena->blocks->bytes + arena->used;
  arena->used += bytes;
  return result;
}

void arena_drop(struct arena* arena) {
  while (arena->blocks != NULL) {
    struct arena_block* block = arena->blocks;
    arena->blocks = block->before;
    free(block);
  }
  arena->used = 0;
}
