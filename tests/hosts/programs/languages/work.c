// What programs in other languages call: a library with OpenMP, with memory that whoever calls gives back.
#include <omp.h>
#include <stdlib.h>

double work(int n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += i;
  return sum;
}

// From malloc: large enough to be an object.
double* squares(int n) {
  double* const values = malloc((size_t)n * sizeof *values);
  if (!values) return NULL;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) values[i] = (double)i * i;
  return values;
}
