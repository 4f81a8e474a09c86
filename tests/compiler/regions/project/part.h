#ifdef __cplusplus
#include <vector>

template <class Number>
__attribute__((noinline)) Number largest(const std::vector<Number>& values) {
  Number found = values.front();
  for (const Number value : values) {
    if (value > found) found = value;
  }
  return found;
}

extern "C" {
#endif

double part_sum(const double* values, int count);
double part_product(const double* values, int count);
double shared_scale(double* values, int count, double by);

#ifdef __cplusplus
}
#endif
