// Programs with an allocator of their own, or a part of one; `-DPART=...` says which. Ends with 0 if all blocks are
// right, and says whether large ones of malloc are LB-HM's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { large = 300001 };

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void __libc_free(void*);

#if defined(BY_LIBC_NAMES)  // all but the aligned functions
void* malloc(size_t bytes) { return __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) { return __libc_calloc(count, bytes); }
void* realloc(void* block, size_t bytes) { return __libc_realloc(block, bytes); }
void free(void* block) { __libc_free(block); }
#elif defined(OF_ITS_OWN)  // without reallocarray and the aligned functions; nothing is given back
static char memory[512 << 20] __attribute__((aligned(16)));
static size_t used;
void* malloc(size_t bytes) {
  const size_t whole = (bytes + 31) / 16 * 16, at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
  if (at + whole > sizeof memory) return NULL;
  *(size_t*)(memory + at) = bytes;
  return memory + at + 16;
}
void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
void free(void* block) {
  if (block && ((char*)block < memory || (char*)block > memory + sizeof memory)) __libc_free(block);
}
void* realloc(void* block, size_t bytes) {
  if (!block) return malloc(bytes);
  const size_t had = ((size_t*)block)[-2];
  return memcpy(malloc(bytes), block, had < bytes ? had : bytes);
}
#elif defined(COUNTS)      // hands all on
static long calls;
#define NEXT(name)               \
  static __typeof__(&name) next; \
  ++calls;                       \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
void* malloc(size_t bytes) {
  NEXT(malloc);
  return next(bytes);
}
void* realloc(void* block, size_t bytes) {
  NEXT(realloc);
  return next(block, bytes);
}
void free(void* block) {
  NEXT(free);
  next(block);
}
#endif

int main(void) {
  long sum = 0, objects = 0;
  for (int i = 0; i < 60; ++i) {
    const size_t bytes = i % 2 ? large : 100 + (size_t)i;
    char* block = memset(malloc(bytes), 1, bytes);
#ifndef OF_ITS_OWN
    objects += malloc_usable_size(block) == large;
#endif
    block = i % 3 ? realloc(block, 2 * bytes) : reallocarray(block, 2, bytes);
    sum += block[bytes - 1];
    free(block);
    void* aligned = NULL;
    if (posix_memalign(&aligned, 64, large)) return 3;
    memset(aligned, 2, large);
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < large; ++k) sum += ((char*)aligned)[k];
    free(aligned);
    char* page = memset(aligned_alloc(4096, 1 << 20), 3, 1 << 20);
    sum += page[9];
#ifndef OF_ITS_OWN
    page = realloc(page, 2 << 20);
#endif
    free(page);
    free(valloc(200000));
  }
  printf("%ld %s\n", sum, objects ? "objects" : "no objects");
  return 0;
}
