// The smallest program with the paper's problem: two tasks gather at random from their own arrays, and lane 1 does it
// four times as often. Half of the memory fits into fast memory; only lane 1's array should be there.
#include <omp.h>

#include <cstdint>
#include <cstdio>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t words = 1 << 20;  // 8 MB a lane

std::uint64_t gather(const std::uint64_t* array, int rounds) {
  std::uint64_t state = 88172645463325252ull, sum = 0;
  for (std::size_t i = 0; i < words / 4 * static_cast<std::size_t>(rounds); ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sum += array[(state >> 33) % words];
  }
  return sum;
}

}  // namespace

int main() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  std::uint64_t* arrays[2];
  for (auto& array : arrays) {
    array = static_cast<std::uint64_t*>(omp_alloc(words * sizeof(std::uint64_t), allocator));
    for (std::size_t i = 0; i < words; ++i) array[i] = i * 2654435761u;
  }
  std::uint64_t sum = 0;
  for (int instance = 0; instance < 4; ++instance) {
    const lbhm_object objects[] = {{arrays[0], words * sizeof(std::uint64_t), "first"},
                                   {arrays[1], words * sizeof(std::uint64_t), "second"}};
    if (lbhm_config && !lbhm_config(objects, 2)) std::fprintf(stderr, "not planned: %s\n", lbhm_last_error());
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += gather(arrays[omp_get_thread_num()], omp_get_thread_num() == 1 ? 4 : 1);
  }
  for (auto* array : arrays) omp_free(array, allocator);
  omp_destroy_allocator(allocator);
  std::printf("checksum: %016llx\n", static_cast<unsigned long long>(sum));
}
