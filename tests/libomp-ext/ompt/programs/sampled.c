// Allocators, locks, loops, ordered constructs, tasks and nested regions, again and again, for a sampler to interrupt.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double data[2048];

static void allocate(void) {
  char* block = omp_alloc(5000, omp_large_cap_mem_alloc);
  char* page = omp_aligned_alloc(4096, 8192, omp_high_bw_mem_alloc);
  block[0] = page[0] = 1;
  block = omp_realloc(block, 9000, omp_large_cap_mem_alloc, omp_large_cap_mem_alloc);
  omp_free(page, omp_high_bw_mem_alloc);
  omp_free(block, omp_large_cap_mem_alloc);
}

int main(int count, char** words) {
  const int repetitions = count > 1 ? atoi(words[1]) : 100;
  long sum = 0;
  omp_set_max_active_levels(2);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
      allocate();
      // Monotonic: where libomp 19 steals chunks, one run in some thousands ended with an assertion of its own
      // (kmp_dispatch.cpp:1618).
#pragma omp for schedule(monotonic : dynamic, 64)
      for (int i = 0; i < 2048; ++i) data[i] += i;
#pragma omp critical
      ++sum;
#pragma omp for ordered
      for (int i = 0; i < 8; ++i) {
#pragma omp ordered
        data[0] += 1;
      }
#pragma omp single
#pragma omp taskloop num_tasks(8)
      for (int i = 0; i < 64; ++i) data[i] += 1;
#pragma omp parallel num_threads(2) reduction(+ : sum)
      ++sum;
    }
  }
  printf("%ld %g\n", sum, data[2047]);
  return 0;
}
