/* Every allocator call that OpenMP 6.0 adds, on three devices whose offload runtime is this program's: each answer and
 * each request that reaches the devices, as the runtime alone gives them. With an argument also what only LB-HM can do:
 * to find the allocator of a block by itself. */
#include "lbhm/omp_traits.h"
#include "output.h"

enum { devices = 3 };
static const int list[devices] = {0, 1, 2};

/* What the runtime asks its offload runtime for (linked with -rdynamic). */
int __tgt_get_num_devices(void) { return devices; }
int __tgt_get_mem_resources(int count, const int* ids, int host, omp_memspace_handle_t space, int* resources) {
  if (resources) printf("  resources: %d devices, host %d, space %ld\n", count, host, (long)space);
  for (int i = 0; resources && i < count; ++i) resources[i] = ids[i];
  return count;
}
void* __tgt_omp_alloc(size_t bytes, omp_allocator_handle_t allocator) {
  printf("  device memory: %zu, allocator %d\n", bytes, allocator > 1024);
  return malloc(bytes);
}
void __tgt_omp_free(void* block, omp_allocator_handle_t allocator) {
  printf("  device memory: free, allocator %d\n", allocator > 1024);
  free(block);
}

static long kind(uintptr_t handle) { return handle > 1024 ? -1 : (long)handle; }

/* An allocator, every call with it, and the block's free. */
static void show(const char* what, long which, omp_allocator_handle_t a) {
  printf("%s %ld: allocator %ld\n", what, which, kind((uintptr_t)a) ? -1L : 0L);
  void* p[] = {omp_alloc(2000, a), omp_aligned_alloc(16, 2000, a), omp_calloc(20, 100, a),
               omp_aligned_calloc(16, 20, 100, a), omp_realloc(NULL, 2000, a, a)};
  for (int i = 0; i < 5; ++i) {
    printf("  call %d: %d\n", i, p[i] && (i < 2 || i > 3 || all_bytes(p[i], 2000, 0)));
    omp_free(p[i], a);
  }
  void* ours = omp_alloc(100, omp_default_mem_alloc);
  memset(ours, 9, 100);
  void* moved = omp_realloc(ours, 2000, a, omp_default_mem_alloc);
  FACT("  moved", moved && all_bytes(moved, 100, 9));
  omp_free(moved, a);
}

static void spaces_and_allocators(omp_memspace_handle_t space) {
  const omp_memspace_handle_t spaces[] = {omp_get_device_memspace(1, space), omp_get_devices_memspace(2, list, space),
                                          omp_get_device_and_host_memspace(1, space),
                                          omp_get_devices_and_host_memspace(2, list, space),
                                          omp_get_devices_all_memspace(space)};
  const omp_memspace_handle_t all = spaces[4];
  FACT("resources of all", omp_get_memspace_num_resources(all));
  FACT("part", kind(omp_get_submemspace(all, 1, (int*)list)));
  FACT("the whole as a part", omp_get_submemspace(all, 3, (int*)list) == all);
  FACT("too large a part", kind(omp_get_submemspace(all, 5, (int*)list)));
  for (int i = 0; i < 5; ++i) show("space", i, omp_init_allocator(spaces[i], 0, NULL));
  show("part's", 0, omp_init_allocator(omp_get_submemspace(all, 1, (int*)list), 0, NULL));
  show("allocator", 0, omp_get_device_allocator(1, space));
  show("allocator", 1, omp_get_devices_allocator(2, list, space));
  show("allocator", 2, omp_get_device_and_host_allocator(1, space));
  show("allocator", 3, omp_get_devices_and_host_allocator(2, list, space));
  show("allocator", 4, omp_get_devices_all_allocator(space));
}

static void traits(omp_memspace_handle_t space) {
  static const int keys[] = {omp_atk_preferred_device, omp_atk_target_access, omp_atk_atomic_scope, omp_atk_part_size};
  for (int i = 0; i < 4; ++i) {
    omp_alloctrait_t one[1] = {trait((omp_alloctrait_key_t)keys[i], 1)};
    const omp_allocator_handle_t a = omp_init_allocator(space, 1, one);
    show("trait", keys[i], a);
    omp_destroy_allocator(a);
  }
}

/* A default, and something to fall back to. */
static void references(omp_allocator_handle_t a) {
  omp_set_default_allocator(a);
  FACT("default", omp_get_default_allocator() == a);
  omp_free(omp_alloc(700, omp_null_allocator), a);
  omp_set_default_allocator(omp_null_allocator);
  const omp_allocator_handle_t first = pool_allocator(100, omp_atv_allocator_fb, a);
  omp_free(omp_alloc(800, first), a);
  omp_destroy_allocator(first);
}

/* Without LB-HM these end the program (libomp 21, libiomp5 2026.2). */
static void by_lbhm_alone(omp_memspace_handle_t space, omp_allocator_handle_t a) {
  omp_alloctrait_t one[1] = {trait(omp_atk_device_access, omp_atv_multiple)};
  FACT("device_access", omp_init_allocator(omp_default_mem_space, 1, one) != omp_null_allocator);
  omp_free(omp_alloc(900, a), omp_null_allocator);
  const omp_allocator_handle_t next = pool_allocator(100000, omp_atv_null_fb, omp_null_allocator);
  omp_alloctrait_t falls[] = {trait(omp_atk_fallback, omp_atv_allocator_fb), trait(omp_atk_fb_data, next),
                              trait(omp_atk_pool_size, 1000)};
  const omp_allocator_handle_t first = omp_init_allocator(space, 3, falls);
  void *p = omp_alloc(300, first), *q = omp_alloc(1500, first);
  FACT("both", p != NULL && q != NULL);
  omp_free(omp_realloc(p, 400, omp_default_mem_alloc, first), omp_null_allocator);
  omp_free(q, omp_null_allocator);
  omp_destroy_allocator(first);
}

int main(int count, char** arguments) {
  (void)arguments;
  setbuf(stdout, NULL);
  for (int space = 0; space < 12; ++space)
    show("number", space, omp_init_allocator((omp_memspace_handle_t)space, 0, 0));
  show("number", 99, omp_init_allocator(omp_default_mem_space, 0, NULL));
  for (int a = 0; a < 12; ++a) show("predefined", a, (omp_allocator_handle_t)a);
  FACT("resources of the default", omp_get_memspace_num_resources(omp_default_mem_space));
  FACT("part of the default", omp_get_submemspace(omp_default_mem_space, 1, (int*)list));
  spaces_and_allocators(omp_default_mem_space);
  spaces_and_allocators(omp_high_bw_mem_space);
  traits(omp_default_mem_space);
  const omp_memspace_handle_t all = omp_get_devices_all_memspace(omp_default_mem_space);
  traits(all);
  references(omp_get_devices_all_allocator(omp_default_mem_space));
  omp_alloctrait_t ours[] = {lbhm_managed(true), lbhm_name("x"), trait(omp_atk_part_size, 4096)};
  show("with LB-HM's traits", 0, lbhm_init_allocator(omp_default_mem_space, 3, ours));
  show("with LB-HM's traits", 1, lbhm_init_allocator(all, 3, ours));
  if (count > 1) by_lbhm_alone(all, omp_get_devices_all_allocator(omp_default_mem_space));
  return 0;
}
