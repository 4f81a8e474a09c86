// Everything at once from std::thread; run it under ThreadSanitizer.
#include <gtest/gtest.h>
#include <omp.h>
#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "engine_double.h"
#include "lbhm/omp_traits.h"
#include "libomp-ext/allocators/allocator_table.h"

namespace lbhm::allocators {

namespace {

constexpr int thread_count = 4;

template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) threads.emplace_back([&work, t] { work(t); });
  for (auto& thread : threads) thread.join();
}

/// Blocks that threads hand to each other.
struct Exchange {
  std::mutex mutex;
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;

  void put(unsigned char* block, std::size_t bytes) {
    const std::scoped_lock lock(mutex);
    blocks.emplace_back(block, bytes);
  }
  std::pair<unsigned char*, std::size_t> take() {
    const std::scoped_lock lock(mutex);
    if (blocks.empty()) return {nullptr, 0};
    const auto block = blocks.back();
    blocks.pop_back();
    return block;
  }
};

TEST(Threads, BlocksTravelBetweenThreadsAndPoolsComeOutEven) {
  omp_alloctrait_t limited[] = {{omp_atk_pool_size, 100000}};
  omp_alloctrait_t managed[] = {lbhm_managed(true), {omp_atk_pool_size, 1 << 20}};
  const omp_allocator_handle_t allocators[] = {omp_null_allocator, omp_large_cap_mem_alloc,
                                               omp_init_allocator(omp_default_mem_space, 1, limited),
                                               omp_init_allocator(omp_default_mem_space, 2, managed)};
  Exchange exchange;
  std::atomic<int> damaged{0};
  const auto give_up = [&](std::pair<unsigned char*, std::size_t> block) {
    if (block.first != nullptr && block.first[block.second - 1] != block.second % 251) ++damaged;
    omp_free(block.first, omp_null_allocator);
  };
  in_threads([&](int t) {
    std::minstd_rand random(static_cast<unsigned>(t + 1));
    for (int i = 0; i < 5000; ++i) {
      const std::size_t bytes = 1 + random() % (i % 10 == 0 ? 20000 : 300);
      auto* block = static_cast<unsigned char*>(
          omp_aligned_alloc(std::size_t{1} << random() % 14, bytes, allocators[random() % 4]));
      std::memset(block, static_cast<int>(bytes % 251), bytes);
      exchange.put(block, bytes);
      if (i % 3 != 0) give_up(exchange.take());
    }
  });
  while (!exchange.blocks.empty()) give_up(exchange.take());
  EXPECT_EQ(damaged, 0);
  EXPECT_EQ(find_allocator(Handle{allocators[2]})->pool.used(), 0u);
  EXPECT_EQ(find_allocator(Handle{allocators[3]})->pool.used(), 0u);
  EXPECT_EQ(engine_double::live_objects(), 0u);
}

TEST(Threads, AllocatorsComeAndGo) {
  std::atomic<int> failures{0};
  in_threads([&](int) {
    for (int i = 0; i < 2000; ++i) {
      omp_alloctrait_t list[] = {{omp_atk_alignment, 64}, lbhm_name("short-lived")};
      const auto allocator = omp_init_allocator(omp_default_mem_space, 2, list);
      void* block = omp_alloc(100, allocator);
      if (block == nullptr || reinterpret_cast<std::uintptr_t>(block) % 64 != 0) ++failures;
      omp_free(block, allocator);
      omp_destroy_allocator(allocator);
    }
  });
  EXPECT_EQ(failures, 0);
}

TEST(Threads, TwoBlocksOfHalfThePoolGiveOneNull) {
  for (int round = 0; round < 300; ++round) {
    omp_alloctrait_t list[] = {{omp_atk_pool_size, 2 << 20}, {omp_atk_fallback, omp_atv_null_fb}};
    const auto allocator = omp_init_allocator(omp_default_mem_space, 2, list);
    void* blocks[2] = {};
    std::thread other([&] { blocks[0] = omp_alloc(1 << 20, allocator); });
    blocks[1] = omp_alloc(1 << 20, allocator);
    other.join();
    EXPECT_EQ((blocks[0] == nullptr) + (blocks[1] == nullptr), 1);
    for (void* block : blocks) omp_free(block, allocator);
    omp_destroy_allocator(allocator);
  }
}

}  // namespace

}  // namespace lbhm::allocators
