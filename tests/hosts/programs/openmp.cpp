// An OpenMP program: regions, all kinds of allocators, threads. Correct, so no sanitizer has a word to say.
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

bool blocks_by(omp_allocator_handle_t allocator) {
  bool right = true;
  for (const std::size_t bytes : {24UL, 5'000UL, 300'000UL}) {
    auto* block = static_cast<char*>(omp_calloc(1, bytes, allocator));
    right = right && block && block[0] == 0 && block[bytes - 1] == 0;
    std::memset(block, 1, bytes);
    block = static_cast<char*>(omp_realloc(block, 2 * bytes, allocator, omp_null_allocator));
    right = right && block && block[bytes - 1] == 1;
    omp_free(block, allocator);
  }
  return right;
}

double planned_regions(double* array, std::size_t size) {
  double sum = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const lbhm_object objects[] = {{array, size * sizeof *array, "array"}};
    if (lbhm_config) lbhm_config(objects, 1);
#pragma omp parallel for num_threads(2)
    for (std::size_t i = 0; i < size; ++i) array[i] += 1;
  }
  for (std::size_t i = 0; i < size; ++i) sum += array[i];
  return sum;
}

}  // namespace

int main() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t managed = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  constexpr std::size_t size = 1 << 15;
  auto* array = static_cast<double*>(omp_alloc(size * sizeof(double), managed));
  for (std::size_t i = 0; i < size; ++i) array[i] = 1;
  bool right = true;
  for (const omp_allocator_handle_t allocator : {omp_default_mem_alloc, omp_high_bw_mem_alloc, managed})
    right = blocks_by(allocator) && right;
  std::vector<std::string> words(100, std::string(200, 'w'));
  std::thread([&] { words.emplace_back("another thread"); }).join();
  std::printf("sum %.0f, %s, %zu words\n", planned_regions(array, size), right ? "right" : "wrong", words.size());
  omp_free(array, managed);
  omp_destroy_allocator(managed);
}
