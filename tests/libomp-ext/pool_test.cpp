// The accounting of limited pools.
#include "libomp-ext/allocators/allocator_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace lbhm::allocators {
namespace {

TEST(Pool, ChargeCountsDescriptorAndAlignment) {
  EXPECT_EQ(pool_charge(1000, 0), 1048u);
  EXPECT_EQ(pool_charge(1000, 8), 1048u);
  EXPECT_EQ(pool_charge(1000, 64), 1104u);
  EXPECT_EQ(pool_charge(UINT64_MAX - 10, 8), UINT64_MAX);
  EXPECT_EQ(pool_charge(100, std::uint64_t{1} << 63), (std::uint64_t{1} << 63) + 140);
}

TEST(Pool, GivesUpToItsLimit) {
  Pool pool;
  pool.reset(100);
  EXPECT_TRUE(pool.take(60));
  EXPECT_FALSE(pool.take(41));
  EXPECT_TRUE(pool.take(40));
  pool.give_back(60);
  EXPECT_EQ(pool.used(), 40u);
  EXPECT_FALSE(pool.take(UINT64_MAX));
  EXPECT_TRUE(pool.take(60));
}

TEST(Pool, WithoutLimitNothingIsCounted) {
  Pool pool;
  pool.reset(0);
  EXPECT_TRUE(pool.take(UINT64_MAX));
  EXPECT_EQ(pool.used(), 0u);
}

TEST(Pool, ARequestThatDoesNotFitDisturbsNobody) {
  Pool pool;
  pool.reset(1000);
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (int i = 0; i < 100000; ++i) EXPECT_FALSE(pool.take(1001));
  });
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100000; ++i) {
        if (pool.take(500)) {
          pool.give_back(500);
        } else {
          ++refused;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(pool.used(), 0u);
}

}  // namespace
}  // namespace lbhm::allocators
