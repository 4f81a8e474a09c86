#include <omp.h>

#include <iterator>
#include <numeric>
#include <vector>

#include "features.h"

namespace {

bool nested_regions() {
  std::vector<long> sums(4);
#pragma omp parallel for num_threads(2)
  for (int outer = 0; outer < 4; ++outer) {
    long sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 5000; ++i) sum += i * outer;
    sums[static_cast<std::size_t>(outer)] = sum;
  }
  for (int outer = 0; outer < 4; ++outer)
    if (sums[static_cast<std::size_t>(outer)] != 12'497'500l * outer) return false;
  return true;
}

bool serial_inner_regions() {
  long sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(3)
#pragma omp parallel if (false) reduction(+ : sum)
  sum += omp_get_num_threads() * 10 + omp_get_level();
  return sum == 36;
}

bool tasks_in_nested_regions() {
  std::vector<int> values(400);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(values)
  {
#pragma omp parallel for num_threads(2)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  }
  return std::accumulate(values.begin(), values.end(), 0) == 79'800;
}

bool many_small_regions() {
  long sum = 0;
  for (int i = 1; i <= 200; ++i) {
#pragma omp parallel num_threads(1 + i % 4) reduction(+ : sum)
    sum += omp_get_thread_num() == 0 ? i : 0;
  }
  return sum == 20'100;
}

constexpr Feature features[] = {{"nested regions", nested_regions},
                                {"serial inner regions", serial_inner_regions},
                                {"tasks in nested regions", tasks_in_nested_regions},
                                {"many small regions", many_small_regions}};

}  // namespace

FeatureList nesting_features() { return {features, std::size(features)}; }
