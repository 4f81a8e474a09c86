/* omp_realloc: contents, allocators, null pointers, sizes of 0, and what is left when there is no memory. */
#include "output.h"

static void grow_and_shrink(omp_allocator_handle_t a, omp_allocator_handle_t b) {
  unsigned char* p = (unsigned char*)omp_realloc(NULL, 100, a, omp_null_allocator);
  memset(p, 3, 100);
  const size_t sizes[] = {50, 200, 5000, 1000000, 300, 8, 100000};
  size_t kept = 100;
  for (int i = 0; i < 7; ++i) {
    p = (unsigned char*)omp_realloc(p, sizes[i], i % 2 ? a : b, i % 2 ? b : a);
    kept = kept < sizes[i] ? kept : sizes[i];
    FACT("first bytes kept", p != NULL && all_bytes(p, kept, 3));
    memset(p, 3, sizes[i]);
    kept = sizes[i];
  }
  omp_free(p, omp_null_allocator);
}

int main(void) {
  omp_allocator_handle_t wide = pool_allocator(1u << 24, omp_atv_null_fb, omp_null_allocator);
  grow_and_shrink(omp_default_mem_alloc, omp_default_mem_alloc);
  grow_and_shrink(omp_default_mem_alloc, omp_thread_mem_alloc);
  grow_and_shrink(wide, omp_default_mem_alloc);
  grow_and_shrink(wide, wide);
  FACT("null and 0", omp_realloc(NULL, 0, omp_null_allocator, omp_null_allocator) != NULL);
  void* p = omp_alloc(10, wide);
  FACT("0 bytes", omp_realloc(p, 0, wide, omp_null_allocator) != NULL);

  omp_allocator_handle_t small = pool_allocator(1000, omp_atv_null_fb, omp_null_allocator);
  unsigned char* q = (unsigned char*)omp_alloc(500, small);
  memset(q, 9, 500);
  FACT("no room beside the old block", omp_realloc(q, 600, small, small) != NULL);
  FACT("the old block is as it was", all_bytes(q, 500, 9));
  q = (unsigned char*)omp_realloc(q, 600, omp_null_allocator, small);
  FACT("into the default allocator", q != NULL && all_bytes(q, 500, 9));
  p = omp_alloc(900, small);
  FACT("its pool has room again", p != NULL);
  omp_free(p, small);
  omp_free(q, omp_null_allocator);

  unsigned char* aligned = (unsigned char*)omp_aligned_alloc(4096, 10000, omp_default_mem_alloc);
  memset(aligned, 5, 10000);
  aligned = (unsigned char*)omp_realloc(aligned, 20000, omp_default_mem_alloc, omp_default_mem_alloc);
  FACT("from an aligned block", aligned != NULL && all_bytes(aligned, 10000, 5));
  omp_free(aligned, omp_default_mem_alloc);
  return 0;
}
