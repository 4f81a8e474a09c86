/* The allocate directive: clang calls __kmpc_aligned_alloc for a local variable. */
#include "output.h"

static long local(int n) {
  int v[1000];
  double w;
#pragma omp allocate(v) allocator(omp_default_mem_alloc) align(256)
#pragma omp allocate(w) allocator(omp_thread_mem_alloc)
  long sum = 0;
  w = n;
  for (int i = 0; i < 1000; ++i) v[i] = i * n;
  for (int i = 0; i < 1000; ++i) sum += v[i];
  return sum + (long)w + (long)((uintptr_t)v % 256);
}

int main(void) {
  FACT("local variables", local(3));
  long sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += local(i % 7);
  FACT("in a team", sum);
  return 0;
}
