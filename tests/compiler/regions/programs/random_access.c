/* A sequential program without OpenMP: reads at random in static memory and in memory of malloc. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { elements = 1 << 20, reads = 1 << 17 };
static double table[elements];

__attribute__((noinline)) static double gather(const double* values, uint32_t seed) {
  double sum = 0;
  for (int i = 0; i < reads; ++i) {
    seed = seed * 1664525u + 1013904223u; /* Numerical Recipes */
    sum += values[seed >> 12];
  }
  return sum;
}

__attribute__((noinline)) static void fill(double* values) {
  for (int i = 0; i < elements; ++i) values[i] = i;
}

static volatile uint32_t rounds = 3; /* or the loop over them would be unrolled */

int main(void) {
  double* heap = malloc(elements * sizeof *heap);
  fill(table);
  fill(heap);
  double sum = 0;
  for (uint32_t round = 0; round < rounds; ++round) sum += gather(table, round) + gather(heap, round + 7);
  printf("checksum: %g\n", sum);
  free(heap);
}
