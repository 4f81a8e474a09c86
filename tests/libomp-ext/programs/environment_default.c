/* Run with OMP_ALLOCATOR: the default allocator that the environment asks for, before and in teams. */
#include "output.h"

int main(void) {
  void *p = omp_alloc(20, omp_null_allocator), *q = omp_alloc(2000, omp_null_allocator);
  FACT("small", p != NULL);
  FACT("large", q != NULL);
  omp_free(p, omp_null_allocator);
  omp_free(q, omp_null_allocator);
  int large = 0;
#pragma omp parallel num_threads(2) reduction(+ : large)
  {
    void* r = omp_alloc(2000, omp_null_allocator);
    large += r != NULL;
    omp_free(r, omp_null_allocator);
  }
  FACT("large in a team", large);
  FACT("it is predefined", omp_get_default_allocator() < 1024);
  return 0;
}
