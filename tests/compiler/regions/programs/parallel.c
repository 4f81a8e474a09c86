/* A parallel construct with two worksharing loops of either schedule, one loop for every thread, and a loop around. */
#include <stdio.h>

static double values[4096];
static volatile int rounds = 20; /* or the loop over them would be unrolled */

int main(void) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for
      for (int i = 0; i < 4096; ++i) values[i] += i;
#pragma omp for schedule(dynamic, 64)
      for (int i = 0; i < 4096; ++i) values[i] *= 0.5;
      for (int i = 0; i < 4096; i += 64) sum += values[i];
    }
  }
  printf("%g\n", sum);
}
