/* A loop around a parallel construct in which the last lane has most of the work. */
#include <omp.h>
#include <stdio.h>

static double sums[64];
static volatile int rounds = 5; /* or the loop over them would be unrolled */

int main(void) {
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel
    {
      const int lane = omp_get_thread_num();
      const int last = lane == omp_get_num_threads() - 1;
      double sum = 0;
      for (int i = 0; i < (last ? 400000 : 50000); ++i) sum = sum * 0.5 + i;
      sums[lane] = sum;
    }
  }
  printf("%g\n", sums[0]);
}
