// What scans find accessed: by bits, by one page of a part of fast memory, by samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "runtime/placement/scans/accessed_watch.h"
#include "tests/fake/fake_machine.h"

namespace lbhm::placement {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x10000000;
constexpr std::size_t count = 64;
constexpr Bytes part{8 * 4096};

std::uintptr_t page_at(std::size_t number) { return base + number * 4096; }

/// 32 pages in fast memory, 32 behind them in slow memory.
class PageWatchTest : public testing::Test {
 protected:
  PageWatchTest() {
    machine.put(base, 32, fast);
    machine.put(page_at(32), 32, slow);
    for (std::size_t i = 0; i < count; ++i) pages.push_back({page_at(i), i < 32 ? fast : slow});
  }
  /// The numbers of the pages that a scan finds.
  std::vector<std::size_t> found(AccessedWatch& watch, std::uint64_t period = 0) {
    std::array<bool, count> bits{};
    watch.scan(machine, pages, period, bits);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count; ++i)
      if (bits[i]) numbers.push_back(i);
    return numbers;
  }
  void access(std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) machine.fake_observer().access(page_at(i));
  }

  fake::FakeMachine machine{{64, 64}};
  std::vector<WatchedPage> pages;
};

TEST_F(PageWatchTest, AllBitsFindsEachPageOnce) {
  AllBits bits;
  access(3, 4);
  access(40, 42);
  EXPECT_EQ(found(bits), (std::vector<std::size_t>{3, 40, 41}));
  EXPECT_TRUE(found(bits).empty());
}

TEST_F(PageWatchTest, OnePageOfEachPartOfFastMemoryStandsForAll) {
  SampledFastBits bits(part);
  access(8, 16);  // the second part, whichever page is watched
  EXPECT_EQ(found(bits), (std::vector<std::size_t>{8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST_F(PageWatchTest, SlowPagesStandForThemselves) {
  SampledFastBits bits(part);
  access(33, 35);
  EXPECT_EQ(found(bits), (std::vector<std::size_t>{33, 34}));
}

TEST_F(PageWatchTest, EveryPeriodDrawsAnewAndAPeriodKeepsItsPages) {
  std::set<std::size_t> watched;
  for (std::uint64_t period = 0; period < 200; ++period) {
    for (std::size_t page = 0; page < 8; ++page) {
      SampledFastBits bits(part);
      access(page, page + 1);
      if (found(bits, period).size() == 8) {
        watched.insert(page);
        access(page, page + 1);
        EXPECT_EQ(found(bits, period).size(), 8u);
      }
      AllBits rest;
      found(rest);
    }
  }
  EXPECT_EQ(watched.size(), 8u) << "each page has its turn";
}

TEST_F(PageWatchTest, SmallProgramsHaveAPartForEachPage) {
  SampledFastBits bits;  // 2 MiB, scaled by the footprint of 64 pages
  access(5, 6);
  EXPECT_EQ(found(bits), std::vector<std::size_t>{5});
}

TEST_F(PageWatchTest, WherePagesCannotBeWatchedSamplesSayWhichWereAccessed) {
  SampledPages samples;
  std::array<AccessSample, 2> two;
  two[0].address = page_at(7) + 4095;
  two[1].address = page_at(50);
  samples.add(two);
  EXPECT_EQ(found(samples), (std::vector<std::size_t>{7, 50}));
  EXPECT_TRUE(found(samples).empty());
}

}  // namespace
}  // namespace lbhm::placement
