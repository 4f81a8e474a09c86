// A short program that uses most of LB-HM: managed objects that come and go, plans, regions, small blocks, a nested
// region, a pause of the measurement.
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>

#include <cstdio>

namespace {

constexpr int numbers = 1 << 14;

double add_up(double* from, double* to) {
  void* objects[] = {from, to, nullptr};
  int sizes[] = {numbers * 8, -1};
  if (LB_HM_config) LB_HM_config(objects, sizes);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < numbers; ++i) {
    to[i] = to[i] + from[numbers - 1 - i];
    sum += to[i];
  }
  return sum;
}

}  // namespace

int main() {
  omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  auto* first = static_cast<double*>(omp_calloc(numbers, 8, allocator));
  for (int i = 0; i < numbers; ++i) first[i] = i % 7;
  double sum = 0;
  for (int round = 0; round < 4; ++round) {
    auto* second = static_cast<double*>(omp_calloc(numbers, 8, allocator));
    sum += add_up(first, second);
    void* page = omp_aligned_alloc(4096, 100, omp_default_mem_alloc);
    omp_free(page, omp_null_allocator);
    omp_free(second, allocator);
  }
  omp_control_tool(omp_control_tool_pause, 0, nullptr);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp parallel num_threads(1) reduction(+ : sum)
    sum += 1;
  }
  omp_control_tool(omp_control_tool_start, 0, nullptr);
  omp_free(first, allocator);
  omp_destroy_allocator(allocator);
  std::printf("%.0f\n", sum);
}
