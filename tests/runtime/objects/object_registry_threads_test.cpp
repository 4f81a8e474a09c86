// The registry with many threads. Run it under ThreadSanitizer (preset tsan) to see that nothing races.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "tests/runtime/objects/object_at.h"

namespace lbhm {
namespace {

constexpr std::uintptr_t stride = 1 << 20;

TEST(ObjectRegistryThreads, AddRemoveAndFindAtOnce) {
  ObjectRegistry registry;
  ASSERT_TRUE(registry.add(object_at(stride / 2, Bytes(64), "permanent", true)));
  constexpr int writers = 4, rounds = 2000;
  std::atomic<int> running = writers;
  std::atomic<int> wrong = 0;

  std::vector<std::thread> threads;
  for (int w = 1; w <= writers; ++w) {
    threads.emplace_back([&, w] {
      for (int i = 0; i < rounds; ++i) {
        const std::uintptr_t address = w * stride + static_cast<std::uintptr_t>(i % 16) * 4096;
        if (!registry.add(object_at(address, Bytes(4096), "object of a writer with a long name", true))) ++wrong;
        const auto found = registry.find(address + 4095);
        if (!found || found->address != address) ++wrong;
        if (!registry.remove(address)) ++wrong;
        if (registry.find(address)) ++wrong;
      }
      --running;
    });
  }
  for (int r = 0; r < 2; ++r) {
    threads.emplace_back([&] {
      while (running > 0) {
        const auto found = registry.find(stride / 2 + 63);
        if (!found || found->name != "permanent") ++wrong;
        if (registry.all().empty()) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(registry.all().size(), 1u);
}

TEST(ObjectRegistryThreads, OfManyWhoAddTheSameRangeOneSucceeds) {
  ObjectRegistry registry;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> added = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        if (registry.add(object_at(stride + static_cast<std::uintptr_t>(t), Bytes(100), "", true))) ++added;
      });
    }
    for (auto& thread : threads) thread.join();
    ASSERT_EQ(added, 1);
    ASSERT_TRUE(registry.remove(registry.all().front().address));
  }
}

}  // namespace
}  // namespace lbhm
