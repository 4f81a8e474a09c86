// The shared library.
#include "part.h"

double shared_scale(double* values, int count, double by) {
  for (int i = 0; i < count; ++i) values[i] *= by;
  return largest(std::vector<double>(values, values + count));
}
