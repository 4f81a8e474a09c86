/* The allocate clause: clang calls __kmpc_alloc for it, gcc calls GOMP_alloc. */
#include "output.h"

int main(void) {
  omp_allocator_handle_t a = pool_allocator(1u << 20, omp_atv_abort_fb, omp_null_allocator);
  long sum = 0, seen = 5;
  double table[64];
  for (int i = 0; i < 64; ++i) table[i] = i;
#pragma omp parallel num_threads(4) firstprivate(seen, table) allocate(a : seen, table) reduction(+ : sum)
  {
    seen += omp_get_thread_num();
    table[1] += (double)seen;
    sum += seen + (long)table[1] + (long)table[63];
  }
  FACT("firstprivate", sum);
  sum = 0;
  int x = 0;
#pragma omp parallel for num_threads(3) private(x) allocate(x) reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) {
    x = 2 * i;
    sum += x;
  }
  FACT("private, default allocator", sum);
  int y = 1;
#pragma omp task firstprivate(y) allocate(omp_default_mem_alloc : y) shared(sum)
  sum += y;
#pragma omp taskwait
  FACT("task", sum);
  void* p = omp_alloc((1u << 20) - 48, a); /* all of the pool: the clause has given everything back */
  FACT("pool is empty again", p != NULL);
  omp_free(p, a);
  return 0;
}
