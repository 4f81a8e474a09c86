/* Blocks of memory that begin at a cache line, on the heap, watched under their names. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "tests/compiler/line_recorder.h"

#define NOINLINE __attribute__((noinline))

static inline void* block(const char* name, size_t bytes) {
  void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(memory, 0, bytes);
  watch(name, memory, bytes); /* the memset's lines come before the watch and are not noted */
  return memory;
}
