// A plug-in with OpenMP inside: a loop, a block of memory, the clock.
#include <omp.h>

// The number of threads; negative: something is wrong.
int work(int n) {
  double sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += i;
  void* block = omp_alloc(100, omp_default_mem_alloc);
  omp_free(block, omp_null_allocator);
  const int right = omp_get_wtime() > 0 && block && sum == (double)n * (n - 1) / 2;
  return right ? omp_get_max_threads() : -1;
}
