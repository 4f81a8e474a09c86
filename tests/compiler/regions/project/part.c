/* Two loops that look alike in two functions, and a copy of one of them: four regions, four ids. */
#include "part.h"

double part_sum(const double* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

static double product(const double* values, int count) {
  double result = 1;
  for (int i = 0; i < count; ++i) result *= values[i];
  for (int i = 0; i < count; ++i) result *= values[i];
  return result;
}

double part_product(const double* values, int count) { return product(values, count) + part_sum(values, count); }
