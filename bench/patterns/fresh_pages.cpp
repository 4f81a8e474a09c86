// Memory of the kernels.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bench/patterns/pattern_kernel.h"
#include "lbhm/omp_traits.h"

namespace patterns {
namespace {

constexpr std::size_t page = 4096;

omp_allocator_handle_t managed_allocator() {
  const omp_alloctrait_t traits[] = {lbhm_managed(true), {omp_atk_alignment, page}};
  return lbhm_init_allocator(omp_default_mem_space, 2, traits);
}

}  // namespace

void* fresh_pages(std::size_t size) {
  static const omp_allocator_handle_t allocator = managed_allocator();
  static std::vector<void*> all;  // so that leak checkers see them
  void* const memory = omp_alloc((size + page - 1) / page * page, allocator);
  if (memory == nullptr) {
    std::fprintf(stderr, "pattern-kernels: no %zu bytes of memory; name smaller sizes\n", size);
    std::exit(1);
  }
  std::memset(memory, 0, size);
  all.push_back(memory);
  return memory;
}

}  // namespace patterns
