// Calls of jemalloc's or tcmalloc's own on blocks of malloc, as programs make them that know their allocator.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void sdallocx(void*, size_t, int) __attribute__((weak));
extern size_t sallocx(const void*, int) __attribute__((weak));
extern void* rallocx(void*, size_t, int) __attribute__((weak));
extern void* mallocx(size_t, int) __attribute__((weak));
extern void tc_free(void*) __attribute__((weak));
extern size_t tc_malloc_size(void*) __attribute__((weak));
extern void* tc_malloc(size_t) __attribute__((weak));

static size_t size(void* block) { return sallocx ? sallocx(block, 0) : tc_malloc_size(block); }
static void release(void* block, size_t bytes) { sallocx ? sdallocx(block, bytes, 0) : tc_free(block); }
static void* give(size_t bytes) { return sallocx ? mallocx(bytes, 0) : tc_malloc(bytes); }

int main(void) {
  if (!sallocx && !tc_free) return puts("there is neither"), 1;
  for (int i = 0; i < 40; ++i) {
    const size_t bytes = (size_t)100 << (i % 14);
    char* block = memset(malloc(bytes), 1, bytes);
    if (size(block) < bytes) return puts("too small"), 1;
    release(block, bytes);
    block = memset(give(bytes), 2, bytes);
    if (malloc_usable_size(block) < bytes) return puts("too small for malloc"), 1;
    block = realloc(block, 2 * bytes);
    if (block[bytes - 1] != 2) return puts("not what it was"), 1;
    free(block);
    block = memset(malloc(bytes), 3, bytes);
    if (rallocx) block = rallocx(block, 3 * bytes, 0);
    free(block);
  }
  puts("right");
  return 0;
}
