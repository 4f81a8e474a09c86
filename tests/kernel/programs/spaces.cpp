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

/// Blocks smaller than a page, of all threads; prints how many of them are on which node.
void show_small(const std::string& name, omp_allocator_handle_t allocator) {
  constexpr std::size_t block_bytes = 700;
  std::vector<char*> blocks(512);
#pragma omp parallel for
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i] = static_cast<char*>(omp_alloc(block_bytes, allocator));
    std::memset(blocks[i], 1, block_bytes);
  }
  kernel_test::Where at;
  for (char* const block : blocks) {
    const kernel_test::Where one = kernel_test::where(facts::nodes_of(block, 1));
    at.fast += one.fast;
    at.slow += one.slow;
    at.absent += one.absent;
    omp_free(block, allocator);
  }
  std::printf("nodes %s %ld %ld %ld\n", name.c_str(), at.fast, at.slow, at.absent);
}

using Show = void (*)(const std::string& name, omp_allocator_handle_t allocator);

void show(const std::string& name, omp_memspace_handle_t space, std::vector<omp_alloctrait_t> traits,
          Show with = show) {
  const omp_allocator_handle_t allocator = lbhm_init_allocator(space, static_cast<int>(traits.size()), traits.data());
  if (allocator == omp_null_allocator) {
    std::printf("none %s\n", name.c_str());
    return;
  }
  with(name, allocator);
  omp_destroy_allocator(allocator);
}

/// More than a node has.
void show_too_much() {
  constexpr std::size_t most = std::size_t{1} << 40;
  omp_alloctrait_t null_fallback{omp_atk_fallback, omp_atv_null_fb};
  const omp_allocator_handle_t allocator = omp_init_allocator(omp_high_bw_mem_space, 1, &null_fallback);
  std::printf("%s\n", omp_alloc(most, allocator) ? "too much was given" : "none too-much");
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
  show_small("small-default", omp_default_mem_alloc);
  show_small("small-high-bandwidth", omp_high_bw_mem_alloc);
  show_small("small-large-capacity", omp_large_cap_mem_alloc);
  show("small-tier-0", omp_default_mem_space, {lbhm_managed(true), lbhm_tier_hint(0)}, show_small);
  show("small-tier-1", omp_default_mem_space, {lbhm_managed(true), lbhm_tier_hint(1)}, show_small);
  show_too_much();
  show("aligned-tier-1", omp_default_mem_space, {{omp_atk_alignment, 65536}, lbhm_managed(true), lbhm_tier_hint(1)});
}
