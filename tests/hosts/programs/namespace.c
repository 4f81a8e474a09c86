// Opens a library with OpenMP in namespaces of its own, which have a C library each; blocks go from one to the other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef LIBRARY
double sum_of(const double* values, int count) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}
#else
int main(int count, char** words) {
  enum { values = 1 << 17 };
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  for (int times = 0; times < 2; ++times) {
    void* const library = dlmopen(LM_ID_NEWLM, words[1], RTLD_NOW);
    if (!library) return 2;
    double (*const sum_of)(const double*, int) = (double (*)(const double*, int))dlsym(library, "sum_of");
    double* const block = malloc(values * sizeof(double));
    for (int i = 0; i < values; ++i) block[i] = 1;
    sum += sum_of(block, values);
    free(block);
    if (times) dlclose(library);
  }
  printf("%g\n", sum);
  return 0;
}
#endif
