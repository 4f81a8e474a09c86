// Are the counts of modules kept apart, by thread, also when modules come and go?
#include "runtime/phases/block_counts.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace lbhm {
namespace {

thread_local std::array<std::uint64_t, 2> first_counts{};
thread_local std::array<std::uint64_t, 3> second_counts{};

constexpr std::array<lbhm_block, 3> blocks{};
const lbhm_blocks first{1, 2, blocks.data(), "f", "a.c", [] { return first_counts.data(); }};
const lbhm_blocks second{2, 3, blocks.data(), "g", "b.c", [] { return second_counts.data(); }};

/// Modules are the process's: every test takes away what it brought.
struct Loaded {
  explicit Loaded(const lbhm_blocks& which) : module(which) { lbhm_blocks_v1(&module); }
  ~Loaded() { lbhm_blocks_gone_v1(&module); }
  const lbhm_blocks& module;
};

std::uint32_t place_of(std::uint64_t id) {
  for (const BlockModule& module : block_modules()) {
    if (module.id == id) return module.first;
  }
  return ~0u;
}

TEST(BlockCountsTest, AreWhatWasCountedSinceTheBegin) {
  const Loaded one(first), other(second);
  first_counts = {5, 7};
  BlockCounts counts;
  begin_block_counts(counts);
  first_counts[1] += 10;
  second_counts[2] += 3;
  end_block_counts(counts);
  ASSERT_EQ(counts.size(), block_counters());
  EXPECT_EQ(counts[place_of(1)], 0U);
  EXPECT_EQ(counts[place_of(1) + 1], 10U);
  EXPECT_EQ(counts[place_of(2) + 2], 3U);
}

TEST(BlockCountsTest, OfAModuleThatComesInTheMiddleBeginAtZero) {
  const Loaded one(first);
  BlockCounts counts;
  second_counts = {};
  begin_block_counts(counts);
  second_counts = {1, 2, 3};  // by a constructor of its own, before ours
  const Loaded other(second);
  end_block_counts(counts);
  ASSERT_EQ(counts.size(), block_counters());
  EXPECT_EQ(counts[place_of(2) + 2], 3U);
}

TEST(BlockCountsTest, OfAModuleThatWentAreZeroAndItsNumbersWait) {
  BlockCounts counts;
  std::uint32_t place = 0;
  {
    const Loaded one(first);
    place = place_of(1);
    begin_block_counts(counts);
    first_counts[0] += 4;
  }
  end_block_counts(counts);
  EXPECT_EQ(counts[place], 0U);
  const std::uint32_t before = block_counters();
  const Loaded again(first);
  EXPECT_EQ(place_of(1), place);
  EXPECT_EQ(block_counters(), before);
}

TEST(BlockCountsTest, AreThoseOfTheCallingThread) {
  const Loaded one(first);
  BlockCounts here, there;
  begin_block_counts(here);
  std::thread([&] {
    begin_block_counts(there);
    first_counts[0] += 100;
    end_block_counts(there);
  }).join();
  end_block_counts(here);
  EXPECT_EQ(here[place_of(1)], 0U);
  EXPECT_EQ(there[place_of(1)], 100U);
}

TEST(BlockCountsTest, CanBeReadWhileModulesComeAndGo) {
  std::atomic<bool> done = false;
  std::thread reader([&] {
    BlockCounts counts;
    while (!done) {
      begin_block_counts(counts);
      end_block_counts(counts);
      for (const std::uint64_t count : counts) EXPECT_EQ(count, 0U);
    }
  });
  for (int i = 0; i < 1000; ++i) const Loaded one(first), other(second);
  done = true;
  reader.join();
}

}  // namespace
}  // namespace lbhm
