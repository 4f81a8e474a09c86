// The default allocator of threads that OpenMP did not make. Not for ThreadSanitizer: libomp, which keeps the defaults,
// is not built for it.
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace lbhm::allocators {
namespace {

TEST(DefaultAllocator, EachThreadHasItsDefaultAllocator) {
  omp_alloctrait_t list[] = {{omp_atk_alignment, 128}};
  const auto allocator = omp_init_allocator(omp_default_mem_space, 1, list);
  std::atomic<int> wrong{0};
  const auto work = [&](int t) {
    const auto mine = t % 2 == 0 ? allocator : omp_const_mem_alloc;
    if (omp_get_default_allocator() != omp_default_mem_alloc) ++wrong;
    omp_set_default_allocator(mine);
    for (int i = 0; i < 1000; ++i) {
      void* block = omp_alloc(10, omp_null_allocator);
      if (mine == allocator && reinterpret_cast<std::uintptr_t>(block) % 128 != 0) ++wrong;
      omp_free(block, omp_null_allocator);
    }
    if (omp_get_default_allocator() != mine) ++wrong;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  omp_destroy_allocator(allocator);
}

}  // namespace
}  // namespace lbhm::allocators
