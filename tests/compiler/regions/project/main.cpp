// The program: C and C++, a static and a shared library.
#include <cstdio>

#include "part.h"

double other_largest(const std::vector<double>& values);

int main() {
  std::vector<double> values(1000, 1.0);
  double sum = 0;
  for (int round = 0; round < 200; ++round) {
    sum += part_sum(values.data(), 1000) + part_product(values.data(), 1000);
    sum += shared_scale(values.data(), 1000, 1.0) + largest(values) + other_largest(values);
  }
  std::printf("%g\n", sum);
}
