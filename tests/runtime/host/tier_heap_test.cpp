// Do small blocks lie in the memory of their tier, and do they keep to what it has?
#include "runtime/host/tier_heaps.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime/host/memory_calls.h"
#include "runtime/host/modules.h"

namespace lbhm::host {
namespace {

const HeapModule& module_of(const char* file) {
  const auto entry = open_module(LBHM_MODULES, file, heap_module_entry, "that it names");
  EXPECT_TRUE(entry) << entry.error().message();
  return *reinterpret_cast<HeapModuleEntry>(*entry)();
}

const HeapModule& mimalloc() {
  static const HeapModule& module = module_of("liblbhm-mimalloc.so");
  return module;
}

constexpr std::size_t mebi = std::size_t{1} << 20;

/// Heaps stay for ever, and so does their memory. `room`: what the tier has left, in bytes.
TierHeap& make_heap(std::size_t grains, std::size_t slot, std::size_t room = ~std::size_t{0},
                    const HeapModule& module = mimalloc()) {
  void* const memory = map_aligned(Bytes(grains * heap_grain), Bytes(4096), Bytes(heap_grain), MAP_NORESERVE);
  EXPECT_NE(memory, nullptr);
  auto promise = [left = room](std::byte*, std::size_t bytes) mutable {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  return TierHeap::make({static_cast<std::byte*>(memory), grains * heap_grain, promise}, module, slot);
}

TEST(TierHeap, BlocksLieInItsMemoryAndApartFromEachOther) {
  TierHeap& heap = make_heap(2, 0);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::size_t bytes = 1 + i * 7 % 5000;
    auto* const block = static_cast<unsigned char*>(heap.allocate(bytes));
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(heap.holds(block) && heap.holds(block + bytes - 1));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
    std::memset(block, static_cast<int>(i % 251), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, bytes] = blocks[i];
    ASSERT_EQ(static_cast<std::size_t>(std::count(block, block + bytes, i % 251)), bytes);
    heap.release(block, bytes);
  }
}

TEST(TierHeap, TakesNoMoreOfTheTierThanItIsPromised) {
  constexpr std::size_t room = 8 * mebi;
  TierHeap& heap = make_heap(2, 0, room);
  std::vector<void*> blocks;
  while (void* const block = heap.allocate(200)) blocks.push_back(block);
  EXPECT_GT(blocks.size() * 200, room - 64 * 1024);
  EXPECT_LE(blocks.size() * 200, room + 64 * 1024);
  for (void* const block : blocks) heap.release(block, 200);
  std::size_t again = 0;
  while (heap.allocate(200) != nullptr) ++again;
  EXPECT_GT(again, blocks.size() * 9 / 10);  // what comes back is used again
}

TEST(TierHeap, MemkindDividesTheMemoryToo) {
  constexpr std::size_t room = 8 * mebi;
  TierHeap& heap = make_heap(2, 5, room, module_of("liblbhm-memkind.so"));
  ASSERT_TRUE(heap.usable());
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::size_t bytes = 1 + i * 7 % 5000;
    auto* const block = static_cast<unsigned char*>(heap.allocate(bytes));
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(heap.holds(block) && heap.holds(block + bytes - 1));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
    std::memset(block, static_cast<int>(i % 251), bytes);
    blocks.emplace_back(block, bytes);
  }
  std::jthread other([&] {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto [block, bytes] = blocks[i];
      EXPECT_EQ(static_cast<std::size_t>(std::count(block, block + bytes, i % 251)), bytes);
      heap.release(block, bytes);
    }
  });
  other.join();
  std::size_t taken = 0;
  while (heap.allocate(2000) != nullptr) taken += 2000;
  EXPECT_LE(taken, room + 64 * 1024) << "no more than the tier promised";
}

TEST(TierHeap, EndsWithItsAddresses) {
  TierHeap& heap = make_heap(2, 1);
  std::vector<void*> blocks;
  while (void* const block = heap.allocate(2000)) blocks.push_back(block);
  EXPECT_GT(blocks.size() * 2000, 48 * mebi);
  for (void* const block : blocks) EXPECT_TRUE(heap.holds(block));
  for (void* const block : blocks) heap.release(block, 2000);
}

TEST(TierHeap, BlocksOutliveTheirThreadAndAreUsedAgain) {
  TierHeap& heap = make_heap(16, 2);
  std::vector<void*> kept;
  for (int round = 0; round < 100; ++round) {  // 100 x 4 x 4,000 x 512 bytes: as much as the addresses, and half more
    std::vector<std::vector<void*>> blocks(4);
    std::vector<std::jthread> makers;
    for (auto& mine : blocks) {
      makers.emplace_back([&heap, &mine] {
        for (int i = 0; i < 4000; ++i) mine.push_back(heap.allocate(512));
      });
    }
    makers.clear();
    std::vector<std::jthread> users;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      users.emplace_back([&heap, &mine = blocks[(i + 1) % blocks.size()]] {
        for (std::size_t block = 1; block < mine.size(); ++block) heap.release(mine[block], 512);
      });
    }
    users.clear();
    for (const auto& mine : blocks) {
      ASSERT_EQ(std::count(mine.begin(), mine.end(), nullptr), 0);
      std::memset(mine.front(), round % 251, 512);
      kept.push_back(mine.front());
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(*static_cast<unsigned char*>(kept[i]), i / 4 % 251);
  for (void* const block : kept) heap.release(block, 512);
  EXPECT_NEAR(static_cast<double>(heap.in_use()), 0, 64 << 10);
}

TEST(TierHeap, ThreadsNeverGetBlocksOfAnotherTier) {
  TierHeap& fast = make_heap(8, 3);
  TierHeap& slow = make_heap(8, 4);
  for (int round = 0; round < 50; ++round) {  // threads leave memory of both behind, and others take it over
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          void* const a = fast.allocate(300);
          void* const b = slow.allocate(300);
          ASSERT_TRUE(fast.holds(a) && slow.holds(b));
          if (i % 10 == 0) continue;
          fast.release(a, 300);
          slow.release(b, 300);
        }
      });
    }
  }
}

TEST(TierHeap, HeapsThatShareASlotDoNotMixTheirBlocks) {
  TierHeap& first = make_heap(2, 5);
  TierHeap& second = make_heap(2, 5);
  for (int i = 0; i < 10; ++i) {
    void* const a = first.allocate(64);
    void* const b = second.allocate(64);
    ASSERT_TRUE(first.holds(a) && !second.holds(a) && second.holds(b));
    first.release(a, 64);
    second.release(b, 64);
  }
}

TEST(TierHeap, NothingFromNothing) {
  static constexpr HeapModule refusing{[](void*, std::size_t) { return -1; }, nullptr, nullptr, nullptr};
  TierHeap& heap = make_heap(1, 6, 0, refusing);
  EXPECT_FALSE(heap.usable());
  EXPECT_EQ(heap.allocate(10), nullptr);
}

}  // namespace
}  // namespace lbhm::host
