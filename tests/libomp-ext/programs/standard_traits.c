/* Predefined allocators, alignment, pool_size, fallback, and the traits that only have to be accepted. */
#include "output.h"

static void predefined(void) {
  int good = 0;
  for (uintptr_t a = 1; a <= 8; ++a) {
    unsigned char* p = (unsigned char*)omp_alloc(1000, (omp_allocator_handle_t)a);
    if (p == NULL) continue;
    memset(p, 7, 1000);
    good += all_bytes(p, 1000, 7);
    omp_free(p, a % 2 ? (omp_allocator_handle_t)a : omp_null_allocator);
  }
  FACT("predefined allocators that give memory", good);
  FACT("0 bytes", omp_alloc(0, omp_default_mem_alloc) != NULL);
  FACT("0 aligned bytes", omp_aligned_alloc(64, 0, omp_default_mem_alloc) != NULL);
  FACT("calloc of 0 elements", omp_calloc(0, 8, omp_default_mem_alloc) != NULL);
  FACT("calloc of empty elements", omp_aligned_calloc(64, 8, 0, omp_default_mem_alloc) != NULL);
  omp_free(NULL, omp_default_mem_alloc);
  omp_free(NULL, omp_null_allocator);
}

static void alignment(void) {
  int good = 0;
  for (size_t a = 8; a <= (1u << 20); a *= 2) {
    char* p = (char*)omp_aligned_alloc(a, 100, omp_default_mem_alloc);
    good += p != NULL && (uintptr_t)p % a == 0;
    if (p) memset(p, 1, 100);
    char* z = (char*)omp_aligned_calloc(a, 10, 10, omp_default_mem_alloc);
    good += z != NULL && (uintptr_t)z % a == 0 && all_bytes(z, 100, 0);
    omp_free(p, omp_default_mem_alloc);
    omp_free(z, omp_null_allocator);
  }
  FACT("alignments kept", good);
  omp_alloctrait_t traits[1] = {trait(omp_atk_alignment, 256)};
  omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 1, traits);
  void *by_trait = omp_alloc(10, a), *weaker = omp_aligned_alloc(64, 10, a), *stronger = omp_aligned_alloc(1024, 10, a);
  void* zeroed = omp_calloc(3, 5, a);
  FACT("alignment by trait", (uintptr_t)by_trait % 256);
  FACT("trait over a weaker argument", (uintptr_t)weaker % 256);
  FACT("argument over a weaker trait", (uintptr_t)stronger % 1024);
  FACT("calloc with trait", (uintptr_t)zeroed % 256);
  omp_free(by_trait, a);
  omp_free(weaker, omp_null_allocator);
  omp_free(stronger, a);
  omp_free(zeroed, a);
  omp_destroy_allocator(a);
}

static void pool(void) {
  const size_t mib = 1u << 20;
  omp_allocator_handle_t a = pool_allocator(2 * mib, omp_atv_null_fb, omp_null_allocator);
  void *p = omp_alloc(mib, a), *q = omp_alloc(mib, a);
  FACT("two of 1 MiB in a pool of 2 MiB: nulls", (p == NULL) + (q == NULL));
  omp_free(p, omp_null_allocator);
  p = omp_alloc(mib, a);
  FACT("room after a free", p != NULL);
  omp_free(p, a);
  omp_destroy_allocator(a);
  int fits = 0;
  for (size_t bytes = 1040; bytes < 1060; ++bytes) { /* where the block's own bytes tip the scales */
    a = pool_allocator(bytes, omp_atv_null_fb, omp_null_allocator);
    for (size_t align = 8; align <= 64; align *= 2) {
      p = omp_aligned_alloc(align, 960, a);
      fits += p != NULL;
      omp_free(p, a);
    }
    omp_destroy_allocator(a);
  }
  FACT("blocks that fit into tight pools", fits);
  FACT("pool too small: calloc", omp_calloc(1, 100, pool_allocator(100, omp_atv_null_fb, omp_null_allocator)) != NULL);
}

static void fallback(void) {
  omp_allocator_handle_t to_default = pool_allocator(100, omp_atv_default_mem_fb, omp_null_allocator);
  void* p = omp_alloc(1000, to_default);
  FACT("default_mem_fb", p != NULL);
  omp_free(p, to_default);
  omp_allocator_handle_t last = pool_allocator(3000, omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t first = pool_allocator(1500, omp_atv_allocator_fb, last);
  void* blocks[5];
  for (int i = 0; i < 5; ++i) {
    blocks[i] = omp_alloc(1000, first);
    FACT("allocator_fb, one after the other", blocks[i] != NULL);
  }
  omp_free(blocks[1], omp_null_allocator); /* of the second pool */
  void* again = omp_alloc(1000, first);
  FACT("allocator_fb after a free", again != NULL);
  FACT("and then", omp_alloc(1000, first) != NULL);
  omp_free(again, first);
  omp_allocator_handle_t predefined_next = pool_allocator(10, omp_atv_allocator_fb, omp_thread_mem_alloc);
  p = omp_alloc(1000, predefined_next);
  FACT("allocator_fb to a predefined one", p != NULL);
  omp_free(p, predefined_next);
  omp_allocator_handle_t aborting = pool_allocator(100, omp_atv_abort_fb, omp_null_allocator);
  FACT("abort_fb with room", signal_of_allocation(20, aborting));
  FACT("abort_fb without: SIGABRT", signal_of_allocation(1000, aborting) == SIGABRT);
  const volatile size_t half = SIZE_MAX / 2;
  FACT("calloc overflow with null_fb", omp_calloc(half, 4, last) != NULL);
}

static void accepted(void) {
  static const uintptr_t values[][2] = {{omp_atk_sync_hint, omp_atv_contended},
                                        {omp_atk_sync_hint, omp_atv_uncontended},
                                        {omp_atk_sync_hint, omp_atv_serialized},
                                        {omp_atk_sync_hint, omp_atv_private},
                                        {omp_atk_access, omp_atv_all},
                                        {omp_atk_access, omp_atv_cgroup},
                                        {omp_atk_access, omp_atv_pteam},
                                        {omp_atk_access, omp_atv_thread},
                                        {omp_atk_pinned, omp_atv_true},
                                        {omp_atk_pinned, omp_atv_false},
                                        {omp_atk_partition, omp_atv_environment},
                                        {omp_atk_partition, omp_atv_nearest},
                                        {omp_atk_partition, omp_atv_blocked},
                                        {omp_atk_partition, omp_atv_interleaved},
                                        {omp_atk_sync_hint, (uintptr_t)-1},
                                        {omp_atk_access, (uintptr_t)-1}};
  int good = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    omp_alloctrait_t one[1] = {trait((omp_alloctrait_key_t)values[i][0], values[i][1])};
    omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 1, one);
    void* p = omp_alloc(100, a);
    good += a != omp_null_allocator && p != NULL;
    omp_free(p, a);
    omp_destroy_allocator(a);
  }
  FACT("traits accepted", good);
  const omp_memspace_handle_t spaces[] = {omp_default_mem_space, omp_const_mem_space, omp_low_lat_mem_space};
  for (int i = 0; i < 3; ++i) FACT("memory space", omp_init_allocator(spaces[i], 0, NULL) != omp_null_allocator);
  omp_destroy_allocator(omp_null_allocator);
  omp_destroy_allocator(omp_default_mem_alloc);
}

int main(void) {
  predefined();
  alignment();
  pool();
  fallback();
  accepted();
  return 0;
}
