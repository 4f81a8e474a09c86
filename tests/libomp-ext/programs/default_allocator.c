/* def-allocator-var: who has it, who inherits it, what omp_null_allocator means. */
#include "output.h"

enum { threads = 3 };

/* For each thread of a team: is its default allocator `a`? As a number with a digit a thread. */
static int team_has(omp_allocator_handle_t a) {
  int has[threads] = {0};
#pragma omp parallel num_threads(threads)
  has[omp_get_thread_num()] = omp_get_default_allocator() == a;
  return has[0] * 100 + has[1] * 10 + has[2];
}

int main(void) {
  omp_set_dynamic(0);
  omp_allocator_handle_t a = pool_allocator(1000, omp_atv_null_fb, omp_null_allocator);
  omp_allocator_handle_t b = pool_allocator(1000, omp_atv_null_fb, omp_null_allocator);
  FACT("at first", omp_get_default_allocator());
  FACT("a team at first", team_has(omp_default_mem_alloc));
  omp_set_default_allocator(a);
  FACT("set", omp_get_default_allocator() == a);
  FACT("the null allocator has its pool", omp_alloc(2000, omp_null_allocator) != NULL);
  void* p = omp_alloc(100, omp_null_allocator);
  FACT("and its memory", p != NULL);
  omp_free(p, omp_null_allocator);
  FACT("calloc too", omp_calloc(10, 200, omp_null_allocator) != NULL);
  FACT("inherited by a team", team_has(a));

  int others[threads] = {0}, nulls[threads] = {0};
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    if (me == 1) omp_set_default_allocator(b);
    if (me == 2) omp_set_default_allocator(omp_null_allocator);
#pragma omp barrier
    others[me] = omp_get_default_allocator() == (me == 0 ? a : me == 1 ? b : omp_default_mem_alloc);
    void* q = omp_alloc(5000, omp_null_allocator);
    nulls[me] = q == NULL;
    omp_free(q, omp_null_allocator);
  }
  for (int i = 0; i < threads; ++i) FACT("each thread has its own", others[i] * 10 + nulls[i]);
  FACT("inherited anew", team_has(a));
#pragma omp parallel num_threads(threads)
  if (omp_get_thread_num() == 0) omp_set_default_allocator(b);
  FACT("back after the join", omp_get_default_allocator() == a);
#pragma omp parallel num_threads(1)
  omp_set_default_allocator(omp_null_allocator);
  FACT("back after a team of one", omp_get_default_allocator() == a);
  omp_set_default_allocator(omp_null_allocator);
  FACT("null sets", omp_get_default_allocator());
  FACT("a team at last", team_has(omp_default_mem_alloc));
  return 0;
}
