// Does our own heap give what is asked for, to all threads, and back?
#include "runtime/own_memory/own_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "runtime/own_memory/own_addresses.h"
#include "runtime/own_memory/size_class.h"

namespace lbhm::own_memory {
namespace {

TEST(SizeClass, HoldsEverySizeWithAtMostAQuarterMore) {
  for (std::size_t bytes = 1; bytes <= largest_small; ++bytes) {
    const std::size_t size = size_of_class(class_of(bytes));
    ASSERT_GE(size, bytes);
    ASSERT_LE(size, bytes + std::max<std::size_t>(grain, bytes / 4)) << bytes;
    if (class_of(bytes) > 0) ASSERT_LT(size_of_class(class_of(bytes) - 1), bytes) << bytes;
  }
}

TEST(OwnMemory, BlocksAreAligned) {
  for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    for (const std::size_t bytes : {1ul, 24ul, 100ul, 5000ul, 16384ul, 16385ul, 1ul << 20}) {
      void* const block = allocate(bytes, alignment);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u) << bytes << " " << alignment;
      std::memset(block, 1, bytes);
      release(block);
    }
  }
}

TEST(OwnMemory, BlocksDoNotOverlap) {
  std::minstd_rand random(1);
  std::map<std::uintptr_t, std::size_t> blocks;
  for (int i = 0; i < 20000; ++i) {
    if (blocks.size() > 500 || (random() % 3 == 0 && !blocks.empty())) {
      const auto any = std::next(blocks.begin(), static_cast<std::ptrdiff_t>(random() % blocks.size()));
      release(reinterpret_cast<void*>(any->first));
      blocks.erase(any);
      continue;
    }
    const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 100000 : 600);
    const auto at = reinterpret_cast<std::uintptr_t>(allocate(bytes));
    const auto after = blocks.lower_bound(at);
    if (after != blocks.end()) ASSERT_LE(at + bytes, after->first);
    if (after != blocks.begin()) ASSERT_LE(std::prev(after)->first + std::prev(after)->second, at);
    blocks[at] = bytes;
  }
  for (const auto& [at, bytes] : blocks) release(reinterpret_cast<void*>(at));
}

TEST(OwnMemory, AFreedBlockServesTheNextOfItsSize) {
  void* const first = allocate(100);
  release(first);
  EXPECT_EQ(allocate(100), first);
  release(first);
}

TEST(OwnMemory, ALargeBlockServesTheNextOneWhateverTheirSizes) {
  void* const first = allocate(1 << 20);
  release(first);
  void* const half = allocate(1 << 19);
  EXPECT_LE(half, first);
  void* const beside = allocate(100'000);
  EXPECT_NE(beside, first);
  release(half);
  release(beside);
}

std::size_t resident_pages(void* block, std::size_t bytes) {
  std::vector<unsigned char> there(bytes / 4096);
  EXPECT_EQ(mincore(static_cast<char*>(block) - 4096, bytes, there.data()), 0);  // its head lies in front of it
  return static_cast<std::size_t>(std::ranges::count_if(there, [](unsigned char page) { return (page & 1) != 0; }));
}

TEST(OwnMemory, OfFreeLargeBlocksALittleKeepsItsPages) {
  constexpr std::size_t bytes = 1 << 20, count = 16;
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    blocks.push_back(allocate(bytes, 4096));
    std::memset(blocks.back(), 1, bytes);
  }
  for (void* block : blocks) release(block);
  std::size_t pages = 0;
  for (void* block : blocks) pages += resident_pages(block, bytes);
  EXPECT_GT(pages, 0u);
  EXPECT_LE(pages * 4096, std::size_t{4} << 20);
}

TEST(OwnMemory, NothingAppearsWhereTheProgramUnmappedSomething) {
  constexpr std::size_t page = 4096;
  std::vector<void*> blocks{allocate(1)};  // the heap has begun
  for (const std::size_t bytes : {page, std::size_t{100'000}, std::size_t{3} << 20}) {
    auto* const hole = static_cast<char*>(mmap(nullptr, 8 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    munmap(hole, 8 << 20);
    for (int i = 0; i < 40; ++i) blocks.push_back(allocate(bytes));
    std::vector<unsigned char> there(std::size_t{8 << 20} / page);
    EXPECT_NE(mincore(hole, 8 << 20, there.data()), 0) << bytes;
  }
  for (void* block : blocks) {
    EXPECT_TRUE(is_our_address(block));
    release(block);
  }
}

std::size_t addresses_of_process() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

/// In a child, whose heap has not begun.
TEST(OwnMemory, TakesASmallPartOfTheAddressesThatAProcessMayHave) {
  constexpr std::size_t most = std::size_t{4} << 30;
  if (addresses_of_process() > most) GTEST_SKIP() << "a sanitizer has taken more";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{most, most};
    setrlimit(RLIMIT_AS, &limit);
    const std::size_t before = addresses_of_process();
    const bool own = is_our_address(allocate(100'000));
    _exit(own && addresses_of_process() - before <= most / 64 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(OwnMemory, TellsWhatItCannotGive) {
  EXPECT_EQ(allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(allocate(SIZE_MAX / 2 + 1), nullptr);
  EXPECT_EQ(allocate(16, 8192), nullptr);
  release(nullptr);
}

TEST(OwnMemory, ThreadsTakeAndGiveBack) {
  std::vector<std::thread> threads;
  std::atomic<int> spoilt{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::vector<unsigned char*> mine;
      for (int i = 0; i < 5000; ++i) {
        auto* const block = static_cast<unsigned char*>(allocate(64));
        std::memset(block, t, 64);
        mine.push_back(block);
        if (i % 2 == 0) continue;
        spoilt += mine.front()[63] != t;
        release(mine.front());
        mine.erase(mine.begin());
      }
      for (unsigned char* block : mine) release(block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(spoilt, 0);
}

TEST(OwnMemory, AChildOfAForkHasAWholeHeap) {
  std::atomic<bool> stop{false};
  std::thread busy_one([&] {
    while (!stop) release(allocate(100));
  });
  for (int i = 0; i < 200; ++i) {
    before_fork();
    const pid_t child = fork();
    after_fork();
    if (child == 0) {
      alarm(20);
      for (int k = 0; k < 100; ++k) release(allocate(100));
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0) << "fork " << i;
  }
  stop = true;
  busy_one.join();
}

}  // namespace
}  // namespace lbhm::own_memory
