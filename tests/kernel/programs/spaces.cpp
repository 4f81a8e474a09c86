// Allocates from every kind of allocator that OpenMP and LB-HM offer, touches the memory on all threads, and says where
// it is.
#include <omp.h>

#include <cstring>
#include <string>
#include <vector>

#include "lbhm/omp_traits.h"
#include "programs/nodes.h"

namespace {

constexpr std::size_t bytes = 512 * facts::page_bytes;

void show(const std::string& name, omp_allocator_handle_t allocator) {
  auto* const memory = static_cast<char*>(omp_aligned_alloc(facts::page_bytes, bytes, allocator));
  if (!memory) {
    std::printf("none %s\n", name.c_str());
    return;
  }
#pragma omp parallel for
  for (std::size_t i = 0; i < bytes; ++i) memory[i] = static_cast<char>(i);
  kernel_test::print_nodes(name.c_str(), memory, bytes);
  omp_free(memory, allocator);
}

void show(const std::string& name, omp_memspace_handle_t space, std::vector<omp_alloctrait_t> traits) {
  const omp_allocator_handle_t allocator = lbhm_init_allocator(space, static_cast<int>(traits.size()), traits.data());
  if (allocator == omp_null_allocator) {
    std::printf("none %s\n", name.c_str());
    return;
  }
  show(name, allocator);
  omp_destroy_allocator(allocator);
}

}  // namespace

int main() {
  show("predefined-default", omp_default_mem_alloc);
  show("predefined-high-bandwidth", omp_high_bw_mem_alloc);
  show("predefined-low-latency", omp_low_lat_mem_alloc);
  show("predefined-large-capacity", omp_large_cap_mem_alloc);
  show("high-bandwidth", omp_high_bw_mem_space, {});
  show("large-capacity", omp_large_cap_mem_space, {});
  show("managed", omp_default_mem_space, {lbhm_managed(true)});
  show("managed-tier-0", omp_default_mem_space, {lbhm_managed(true), lbhm_tier_hint(0)});
  show("managed-tier-1", omp_default_mem_space, {lbhm_managed(true), lbhm_tier_hint(1)});
  show("managed-high-bandwidth", omp_high_bw_mem_space, {lbhm_managed(true)});
  show("managed-large-capacity", omp_large_cap_mem_space, {lbhm_managed(true)});
  show("aligned-tier-1", omp_default_mem_space, {{omp_atk_alignment, 65536}, lbhm_managed(true), lbhm_tier_hint(1)});
}
