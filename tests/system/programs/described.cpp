// Objects of which the program says something, each used in a region of its own, in the order of the list below.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t elements = std::size_t{1} << 18;  // 2 MiB: more than the caches keep of it

std::uint64_t use(const std::uint64_t* block) {
  std::uint64_t sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (std::size_t i = 0; i < elements; ++i) sum += block[i * 17 % elements];
  return sum;
}

std::uint64_t used(omp_allocator_handle_t allocator) {
  auto* const block = static_cast<std::uint64_t*>(omp_alloc(elements * sizeof(std::uint64_t), allocator));
  if (!block) std::abort();
  for (std::size_t i = 0; i < elements; ++i) block[i] = i;
  const std::uint64_t sum = use(block);
  omp_free(block, allocator);
  return sum;
}

omp_allocator_handle_t made(std::vector<omp_alloctrait_t> traits, omp_memspace_handle_t space = omp_default_mem_space) {
  return lbhm_init_allocator(space, static_cast<int>(traits.size()), traits.data());
}

}  // namespace

int main() {
  std::uint64_t sum = 0;
  for (const omp_allocator_handle_t each : {
           made({}, omp_high_bw_mem_space),
           made({}, omp_low_lat_mem_space),
           made({}, omp_large_cap_mem_space),
           omp_high_bw_mem_alloc,
           omp_low_lat_mem_alloc,
           omp_large_cap_mem_alloc,
           made({lbhm_managed(true), lbhm_name("either")}),
           made({lbhm_managed(true), lbhm_name("latency"), lbhm_sensitivity(lbhm_latency)}),
           made({lbhm_managed(true), lbhm_name("bandwidth"), lbhm_sensitivity(lbhm_bandwidth)}),
           made({lbhm_managed(true), lbhm_name("prescribed"), lbhm_sensitivity(lbhm_latency), lbhm_tier_hint(0)}),
           made({lbhm_managed(true), lbhm_name("first of 3"), lbhm_group(3), lbhm_sensitivity(lbhm_latency)}),
           made({lbhm_managed(true), lbhm_name("second of 3"), lbhm_group(3)}),
       })
    sum += used(each);
  std::printf("checksum: %llu\n", static_cast<unsigned long long>(sum));
}
