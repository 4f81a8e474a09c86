// A program whose operator new is an OpenMP allocator that LB-HM manages.
#include <lbhm/omp_traits.h>
#include <omp.h>

#include <cstdio>
#include <new>
#include <string>
#include <vector>

static omp_allocator_handle_t managed() {
  static const omp_allocator_handle_t handle = [] {
    omp_alloctrait_t traits[] = {lbhm_managed(true)};
    return lbhm_init_allocator(omp_default_mem_space, 1, traits);
  }();
  return handle;
}

void* operator new(std::size_t bytes) {
  if (void* block = omp_alloc(bytes, managed())) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { omp_free(block, omp_null_allocator); }
void operator delete(void* block, std::size_t) noexcept { omp_free(block, omp_null_allocator); }

int main() {
  std::vector<int> numbers(100000, 1);
  const std::string text(1000, 'x');
  int lanes = 0;
#pragma omp parallel reduction(+ : lanes)
  lanes += numbers[static_cast<std::size_t>(omp_get_thread_num())];
  std::printf("%d %zu\n", lanes, text.size());
}
