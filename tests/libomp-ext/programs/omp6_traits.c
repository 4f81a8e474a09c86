/* Compiled with the omp.h of OpenMP 6.0, run on any runtime. With an argument also what only LB-HM makes of it on a
 * runtime that does not know 6.0. */
#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"
#include "output.h"

int main(int count, char** arguments) {
  (void)arguments;
  omp_alloctrait_t parts[] = {trait(omp_atk_part_size, 4096), trait(omp_atk_pool_size, 200000),
                              trait(omp_atk_fallback, omp_atv_null_fb)};
  for (int i = 0; count > 1 && i < 2; ++i) { /* twice: said once */
    const omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 3, parts);
    void *p = omp_alloc(150000, a), *q = omp_alloc(150000, a);
    if (i) FACT("plain", a != omp_null_allocator && p != NULL && q == NULL);
    omp_free(p, a);
    omp_destroy_allocator(a);
  }
  omp_alloctrait_t ours[] = {lbhm_managed(true), lbhm_name("x"), parts[0], parts[1], parts[2]};
  const omp_allocator_handle_t a = lbhm_init_allocator(omp_default_mem_space, 5, ours);
  void *p = omp_alloc(150000, a), *q = omp_alloc(150000, a);
  FACT("ours", a != omp_null_allocator && p != NULL && q == NULL);
  if (lbhm_present()) FACT("managed", lbhm_move(p, 0) == 0);
  omp_free(p, a);
  omp_destroy_allocator(a);
  return 0;
}
