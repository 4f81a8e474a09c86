/* What package calls by ctypes: it fills a block and sums it up, in parallel regions. */
#include <stdlib.h>

double work(int n) {
  double *values = malloc(n * sizeof(double)), sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = i % 7;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += values[i];
  free(values);
  return sum;
}
