/* A portable program with LB-HM's traits: it runs the same without LB-HM. */
#include "lbhm/omp_traits.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  omp_alloctrait_t traits[9];
  int n = 0;
  traits[n++] = lbhm_managed(true);
  traits[n++] = lbhm_tier_hint(-1);
  traits[n++] = lbhm_pattern_hint(lbhm_pattern_stencil);
  traits[n++] = lbhm_group(3);
  traits[n++] = lbhm_name("grid");
  traits[n++] = lbhm_sensitivity(lbhm_latency);
  traits[n++] = lbhm_migratable(false);
  traits[n].key = omp_atk_pool_size;
  traits[n++].value = 100000;
  traits[n].key = omp_atk_fallback;
  traits[n++].value = omp_atv_null_fb;
  omp_allocator_handle_t a = lbhm_init_allocator(omp_default_mem_space, n, traits);
  printf("allocator: %d\n", a != omp_null_allocator);
  char *p = (char*)omp_calloc(1, 50000, a), *q = (char*)omp_alloc(50000, a);
  printf("memory: %d, zeroed: %d\n", p != NULL, p != NULL && p[49999] == 0);
  printf("the pool is full: %d\n", q == NULL);
  p = (char*)omp_realloc(p, 60000, a, a);
  printf("no room for a copy: %d\n", p == NULL);
  omp_destroy_allocator(a);
  const char* expected = getenv("LBHM_EXPECTED");
  printf("presence as expected: %d\n", expected == NULL || lbhm_present() == (expected[0] == '1'));
  return 0;
}
