/* Selections of which the code generator makes branches, and others. The first argument chooses the kernel. */
#include "tests/compiler/programs/blocks.h"

/* The comparison waits for a load, the next load for the selection. */
NOINLINE long late_condition(const int* sorted, long n, int key) {
  long low = 0;
  while (n > 0) {
    long half = n / 2;
    int less = sorted[low + half] < key;
    low += less ? half + 1 : 0;
    n = less ? n - half - 1 : half;
  }
  return low;
}

/* The value is as late as the comparison. */
NOINLINE int late_value(const int* values, long n) {
  int largest = values[0];
#pragma clang loop vectorize(disable)
  for (long i = 1; i < n; ++i) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

/* There is no conditional move of these registers. */
NOINLINE double of_numbers(int condition, double a, double b) { return condition > 0 ? a : b; }

/* But a mask, from a comparison of them. */
NOINLINE double by_mask(double condition, double a, double b) { return condition > 0 ? a : b; }

/* The move would wait for memory. */
NOINLINE long of_memory(int condition, const long* there, long here) {
  long loaded = *there;
  return condition > 0 ? loaded : here;
}

enum { count = 4000 };

int main(int argc, char** argv) {
  int* data = block("data", count * sizeof(int));
  const char* kernel = argc > 1 ? argv[1] : "";
  unsigned state = 1;
  double result = 0;
  static int coins[count];
  for (int i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    coins[i] = (int)(state >> 31);
    data[i] = !strcmp(kernel, "late_condition") ? i : (int)(state >> 8);
  }
  long there = 1;
  start();
  for (int i = 0; i < count; ++i) {
    if (!strcmp(kernel, "late_condition")) result += late_condition(data, count - 1, data[i * 1237 % count]);
    if (!strcmp(kernel, "of_numbers")) result += of_numbers(coins[i], i, result);
    if (!strcmp(kernel, "by_mask")) result += by_mask(coins[i], i, result);
    if (!strcmp(kernel, "of_memory")) result += of_memory(coins[i], &there, i);
  }
  if (!strcmp(kernel, "late_value")) result = late_value(data, count);
  report();
  return result == 42.5;
}
