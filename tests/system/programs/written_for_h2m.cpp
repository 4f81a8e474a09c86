// A program written for H2M's allocation abstraction: by its names alone. Each object is used in a region of its own.
#include "lbhm/compat/h2m.h"

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

namespace {

constexpr std::size_t elements = std::size_t{1} << 18;

void use(std::uint64_t* block) {
  std::uint64_t sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (std::size_t i = 0; i < elements; ++i) sum += block[i * 17 % elements];
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}

std::uint64_t* made(std::vector<h2m_alloc_trait_t> traits) {
  int error = H2M_FAILURE;
  void* const block = h2m_alloc_w_traits(elements * sizeof(std::uint64_t), &error, static_cast<int>(traits.size()),
                                         traits.empty() ? nullptr : traits.data());
  if (!block || error != H2M_SUCCESS) std::printf("no memory\n");
  for (std::size_t i = 0; i < elements; ++i) static_cast<std::uint64_t*>(block)[i] = i;
  return static_cast<std::uint64_t*>(block);
}

h2m_alloc_trait_t space(h2m_alloc_trait_key_t key, int mask) {
  h2m_alloc_trait_t trait{key, {mask}};
  return trait;
}

}  // namespace

int main() {
  h2m_init();
  const int any = h2m_atv_mem_space_hbw | h2m_atv_mem_space_low_lat | h2m_atv_mem_space_large_cap;
  for (const h2m_alloc_trait_t trait :
       {space(h2m_atk_req_mem_space, h2m_atv_mem_space_hbw), space(h2m_atk_req_mem_space, h2m_atv_mem_space_low_lat),
        space(h2m_atk_req_mem_space, h2m_atv_mem_space_large_cap), space(h2m_atk_req_mem_space, any),
        space(h2m_atk_pref_mem_space, h2m_atv_mem_space_low_lat)}) {
    std::uint64_t* const block = made({trait});
    use(block);
    h2m_free(block);
  }
  std::uint64_t* const block = made({});
  use(block);
  h2m_phase_transition("other");
  const h2m_alloc_trait_t there = space(h2m_atk_pref_mem_space, h2m_atv_mem_space_low_lat);
  if (h2m_update_traits(block, elements * sizeof(std::uint64_t), 1, &there) != H2M_SUCCESS) std::printf("not moved\n");
  use(block);
  h2m_free(block);
  const h2m_alloc_trait_t wrong = {h2m_atk_mem_alignment, {24}};
  int error = H2M_SUCCESS;
  if (h2m_alloc_w_traits(100, &error, 1, &wrong) || error != H2M_FAILURE) std::printf("24 was taken\n");
  h2m_finalize();
}
