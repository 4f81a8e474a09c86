// A program that counts its own allocations, and would see those of others.
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

static std::atomic<int> allocations{0};

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

int main() {
  constexpr std::size_t bytes = 1 << 20;
  omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  auto* data = static_cast<char*>(omp_alloc(bytes, allocator));
  for (int round = 0; round < 5; ++round) {
    void* objects[] = {data, nullptr};
    int sizes[] = {bytes};
    if (LB_HM_config) LB_HM_config(objects, sizes);
#pragma omp parallel for
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<char>(i);
  }
  omp_free(data, allocator);
  int* volatile one = new int(0);
  delete one;
  std::printf("%d\n", allocations.load());
}
