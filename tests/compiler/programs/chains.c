/* Loops that dependent operations limit, and others. The first argument chooses the kernel. */
#include "tests/compiler/programs/blocks.h"

NOINLINE double sum(const double* a, long n) {
  double total = 0;
  for (long i = 0; i < n; ++i) total += a[i];
  return total;
}

NOINLINE void scale(double* a, long n) {
  for (long i = 0; i < n; ++i) a[i] = 2 * a[i];
}

/* No chain from one iteration to the next; five additions. */
NOINLINE void additions(double* to, const double* a, double x, long n) {
#pragma clang loop vectorize(disable) unroll(disable)
  for (long i = 0; i < n; ++i) to[i] = ((((a[i] + x) + 1) + x) + 2) + x;
}

/* Two elements a vector. */
NOINLINE void shifts(long* to, const long* from, long n) {
#pragma clang loop vectorize_width(2) interleave(disable) unroll(disable)
  for (long i = 0; i < n; ++i) to[i] = (from[i] << 3) ^ (long)((unsigned long)from[i] >> 5);
}

/* 16 elements a run: the runs overlap. */
NOINLINE void sums_of_rows(double* to, const double* a, long rows) {
  for (long row = 0; row < rows; ++row) {
    double total = 0;
#pragma clang loop unroll(disable)
    for (long i = 0; i < 8; ++i) total += a[8 * row + i];
    to[row] = total;
  }
}

/* The sum goes on from row to row. */
NOINLINE double sum_over_rows(const double* a, long rows) {
  double total = 0;
  for (long row = 0; row < rows; ++row) {
#pragma clang loop unroll(disable)
    for (long i = 0; i < 8; ++i) total += a[8 * row + i];
  }
  return total;
}

/* A Fibonacci-like recurrence goes through two values. */
NOINLINE double two_values(const double* a, long n) {
  double older = 1, newer = 1;
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; ++i) {
    double next = older * 0.5 + a[i];
    older = newer;
    newer = next;
  }
  return newer;
}

NOINLINE double divisions(const double* a, long n) {
  double value = 1;
  for (long i = 0; i < n; ++i) value = a[i] / value;
  return value;
}

NOINLINE void* chase(void** at, long n) {
  for (long i = 0; i < n; ++i) at = *at;
  return at;
}

int main(int argc, char** argv) {
  enum { n = 8000 };
  double* a = block("a", n * 8);
  double* b = block("b", n * 8);
  void** ring = block("ring", n * 8);
  for (int i = 0; i < n; ++i) a[i] = 1;
  for (int i = 0; i < n; ++i) ring[i] = &ring[(i + 1) % n];
  const char* kernel = argc > 1 ? argv[1] : "";
  double result = 0;
  start();
  if (!strcmp(kernel, "sum")) result = sum(a, n);
  if (!strcmp(kernel, "scale")) scale(a, n);
  if (!strcmp(kernel, "additions")) additions(b, a, argc, n);
  if (!strcmp(kernel, "shifts")) shifts((long*)b, (const long*)a, n);
  if (!strcmp(kernel, "sums_of_rows")) sums_of_rows(b, a, n / 8);
  if (!strcmp(kernel, "sum_over_rows")) result = sum_over_rows(a, n / 8);
  if (!strcmp(kernel, "two_values")) result = two_values(a, n);
  if (!strcmp(kernel, "divisions")) result = divisions(a, n);
  if (!strcmp(kernel, "chase")) result = chase(ring, n) == 0;
  report();
  return result == 42;
}
