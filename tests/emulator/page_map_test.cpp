#include "emulator/memory/page_map.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr TierId fast{0};
constexpr TierId slow{1};
constexpr PageNumber page = 1 << 20;  // not mapped in this process; only the books matter

FirstTouch at(Picoseconds time, std::uint64_t core = 0) { return {.time = time, .core = core}; }

TEST(PageMap, PagesFillTheFastTierInTheOrderOfVirtualTime) {
  PageMap map(small_machine(2).topology);
  map.touch(page + 0, at(30));
  map.touch(page + 1, at(10));
  map.touch(page + 2, at(20));
  map.hand_out();
  EXPECT_EQ(map.where(page + 1), fast);
  EXPECT_EQ(map.where(page + 2), fast);
  EXPECT_EQ(map.where(page + 0), slow);
  EXPECT_EQ(map.room(fast), Bytes(0));
}

TEST(PageMap, TellsTheChunksOfARangeInWhichPagesWereTouched) {
  PageMap map(small_machine(8).topology);
  const auto parts_of = [&](PageNumber pages) {
    std::vector<std::pair<PageNumber, PageNumber>> parts;
    for (const PageNumberRange& part : map.touched({page + 1, page + pages}))
      parts.emplace_back(part.first - page, part.last - page);
    return parts;
  };
  using Parts = std::vector<std::pair<PageNumber, PageNumber>>;
  EXPECT_EQ(parts_of(1 << 20), Parts());
  for (const PageNumber touched : {5u, 6u, 3u * 512, 4u * 512 + 7}) map.touch(page + touched, at(10));
  EXPECT_EQ(parts_of(1 << 20), (Parts{{1, 512}, {3 * 512, 5 * 512}})) << "4 GiB, of which four pages are there";
  EXPECT_EQ(parts_of(3 * 512 + 1), (Parts{{1, 512}, {3 * 512, 3 * 512 + 1}}));
  map.release({page + 5, page + 6});
  EXPECT_EQ(parts_of(512), (Parts{{1, 512}})) << "one of two is left";
  map.release({page, page + 512});
  EXPECT_EQ(parts_of(512), Parts());
}

TEST(PageMap, EqualTimesAreDecidedByTheCore) {
  PageMap map(small_machine(1).topology);
  map.touch(page + 0, at(10, 5));
  map.touch(page + 1, at(10, 2));
  map.hand_out();
  EXPECT_EQ(map.where(page + 1), fast);
  EXPECT_EQ(map.where(page + 0), slow);
}

TEST(PageMap, TheEarliestTouchOfAPageCounts) {
  PageMap map(small_machine(1).topology);
  const PageId id = map.touch(page + 0, at(50, 1));
  map.touch(page + 1, at(20, 2));
  EXPECT_EQ(map.touch(page + 0, at(10, 3)), id);
  map.hand_out();
  EXPECT_EQ(map.where(page + 0), fast);
}

TEST(PageMap, WithinAQuantumPagesAreChargedByTheRoomAtItsStart) {
  PageMap map(small_machine(1).topology);
  const PageId first = map.touch(page + 0, at(1));
  const PageId second = map.touch(page + 1, at(2));
  EXPECT_EQ(map.tier(first), fast);
  EXPECT_EQ(map.tier(second), fast);
  map.hand_out();
  EXPECT_EQ(map.tier(second), slow);
  EXPECT_EQ(map.tier(map.touch(page + 2, at(3))), slow);
}

TEST(PageMap, WhoOnlyWatchesHandsOutNoPage) {
  PageMap map(small_machine(1).topology);
  const PageId first = map.touch(page + 0, at(2));
  const PageId second = map.touch(page + 1, at(1));
  EXPECT_EQ(map.room_now(0), map.room_now(0));
  map.where(page + 1);
  EXPECT_GT(map.room_now(0), Bytes(0));
  EXPECT_EQ(map.tier(first), map.tier(second)) << "both are charged by the room at the quantum's start";
  EXPECT_EQ(map.room(fast), Bytes(0));
  EXPECT_EQ(map.room_now(0), Bytes(0));
}

/// Which of the first `count` pages of core `core` are in the fast tier.
std::vector<bool> scattered(double share, std::uint64_t seed, std::uint64_t core = 0, std::size_t count = 2000) {
  PageMap map(small_machine(count).topology);
  const TierId slow_first[] = {slow, fast};
  const TierId only_slow[] = {slow};
  map.prefer_default(slow_first);
  map.scatter(Scatter(share, seed));
  map.prefer({page, page + 5}, only_slow);
  for (PageNumber i = 0; i < count; ++i) map.touch(page + i, {.time = Picoseconds(i), .core = core, .sequence = i});
  map.hand_out();
  std::vector<bool> in_fast;
  for (PageNumber i = 0; i < count; ++i) in_fast.push_back(map.where(page + i) == fast);
  return in_fast;
}

TEST(PageMap, ScattersTheShareThatIsAskedForTheSameEveryTime) {
  const auto quarter = scattered(0.25, 1);
  const auto share = static_cast<double>(std::ranges::count(quarter, true)) / 2000;
  EXPECT_NEAR(share, 0.25, 4 * std::sqrt(0.25 * 0.75 / 2000)) << "four standard deviations";
  EXPECT_EQ(quarter, scattered(0.25, 1));
  EXPECT_NE(quarter, scattered(0.25, 2));
  EXPECT_NE(quarter, scattered(0.25, 1, 3));
}

TEST(PageMap, WithinAQuantumOnlyPagesOfALoneThreadAreChargedByChance) {
  PageMap map(small_machine(10).topology);
  const TierId slow_first[] = {slow, fast};
  map.prefer_default(slow_first);
  map.scatter(Scatter(1, 1));
  const PageId of_lane = map.touch(page, {.time = 1, .core = 2});
  const PageId of_one = map.touch(page + 1, {.time = 1, .core = 0, .alone = true});
  EXPECT_EQ(map.tier(of_lane), slow);
  EXPECT_EQ(map.tier(of_one), fast);
  map.hand_out();
  EXPECT_EQ(map.tier(of_lane), fast);
  EXPECT_EQ(map.tier(of_one), fast);
}

TEST(PageMap, ALargerShareHasThePagesOfASmallerOneAndTheEndsAreExact) {
  const auto few = scattered(0.2, 1), many = scattered(0.7, 1), none = scattered(0, 1), all = scattered(1, 1);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_TRUE(!few[i] || many[i]) << "page " << i;
  EXPECT_EQ(std::ranges::count(none, true), 0);
  EXPECT_EQ(std::ranges::count(all, true), 2000 - 5) << "five pages have a preference of their own";
}

TEST(PageMap, PreferencesAreKeptByRangeAndThenByDefault) {
  PageMap map(small_machine().topology);
  const TierId only_slow[] = {slow};
  const TierId only_fast[] = {fast};
  map.prefer_default(only_slow);
  map.prefer({page, page + 10}, only_fast);
  map.prefer({page + 4, page + 6}, only_slow);
  for (PageNumber i = 0; i < 11; ++i) map.touch(page + i, at(i));
  map.hand_out();
  for (PageNumber i = 0; i < 11; ++i) {
    EXPECT_EQ(map.where(page + i), i == 4 || i == 5 || i == 10 ? slow : fast) << "page " << i;
  }
}

TEST(PageMap, AFullMachineStillTakesPagesAndSaysSo) {
  Topology topology = small_machine(1).topology;
  topology.tiers[1].capacity = Bytes(4096);
  PageMap map(topology);
  for (PageNumber i = 0; i < 2; ++i) map.touch(page + i, at(i));
  map.hand_out();
  EXPECT_FALSE(map.overflowed());
  map.touch(page + 2, at(2));
  map.hand_out();
  EXPECT_TRUE(map.overflowed());
  EXPECT_EQ(map.where(page + 2), slow);
  EXPECT_EQ(map.room(slow), Bytes(0));
}

TEST(PageMap, MoveKeepsTheBooksAndRefusesWhatDoesNotFit) {
  PageMap map(small_machine(1).topology);
  map.manage({page, page + 10});
  const TierId only_slow[] = {slow};
  map.prefer_default(only_slow);
  map.touch(page + 0, at(1));
  map.touch(page + 1, at(2));
  map.hand_out();
  TierId from = no_tier;
  EXPECT_EQ(map.move(page + 0, slow, from), PageStatus::already);
  EXPECT_EQ(map.move(page + 0, fast, from), PageStatus::moved);
  EXPECT_EQ(from, slow);
  EXPECT_EQ(map.move(page + 1, fast, from), PageStatus::full);
  EXPECT_EQ(map.where(page + 1), slow);
  EXPECT_EQ(map.move(page + 0, slow, from), PageStatus::moved);
  EXPECT_EQ(map.room(fast), Bytes(4096));
  EXPECT_EQ(map.move(page + 5, fast, from), PageStatus::placed);
  EXPECT_EQ(map.room(fast), Bytes(4096)) << "a page that nobody touched takes no room";
  map.touch(page + 5, at(3));
  map.hand_out();
  EXPECT_EQ(map.where(page + 5), fast);
  EXPECT_EQ(map.move(page + 99, fast, from), PageStatus::unmapped);
}

TEST(PageMap, ReleaseGivesTheRoomBackAndTellsTheCores) {
  PageMap map(small_machine(1).topology);
  map.manage({page, page + 2});
  const PageId old = map.touch(page, at(1));
  map.hand_out();
  std::uint64_t seen = map.releases();
  map.release({page, page + 2});
  EXPECT_EQ(map.tier(old), no_tier);
  EXPECT_EQ(map.where(page), no_tier);
  EXPECT_EQ(map.room(fast), Bytes(4096));
  PrivateVector<PageNumberRange> ranges;
  ASSERT_TRUE(map.released_since(seen, ranges));
  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ranges[0].first, page);
  EXPECT_EQ(seen, map.releases());
  EXPECT_NE(map.touch(page, at(2)), old);
  EXPECT_EQ(map.peak_footprint(), Bytes(4096));
}

TEST(PageMap, OtherCoresKnowTheTierOfAReleasedPageUntilTheQuantumEnds) {
  PageMap map(small_machine(1).topology);
  const PageId old = map.touch(page, at(1));
  map.end_quantum();
  map.release({page, page + 1}, PageMap::Gone::at_quantum_end);
  EXPECT_EQ(map.where(page), no_tier);
  EXPECT_EQ(map.tier(old), fast);
  map.end_quantum();
  EXPECT_EQ(map.tier(old), no_tier);
}

TEST(PageMap, ThePeakOutlivesTheMemory) {
  PageMap map(small_machine().topology);
  map.manage({page, page + 8});
  for (PageNumber i = 0; i < 8; ++i) map.touch(page + i, at(i));
  map.hand_out();
  map.release({page, page + 8});
  map.touch(page + 100, at(100));
  map.hand_out();
  EXPECT_EQ(map.peak_footprint(), Bytes(8 * 4096));
}

TEST(PageMap, SweepFindsMemoryThatTheProgramUnmapped) {
  constexpr std::size_t pages = 2048;
  PageMap map(small_machine().topology);
  // Far below where the system puts mappings: none of the sweep's own may fall into the hole.
  void* const below = reinterpret_cast<void*>(std::uintptr_t{0x7e9000000000});  // NOLINT(performance-no-int-to-ptr)
  void* memory = mmap(below, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const PageNumber first = reinterpret_cast<std::uintptr_t>(memory) >> page_bits;
  for (PageNumber i = 0; i < pages; ++i) map.touch(first + i, at(i));
  map.hand_out();
  munmap(reinterpret_cast<void*>((first + 100) << page_bits), 300 * 4096);
  map.sweep();
  EXPECT_EQ(map.where(first + 99), fast);
  EXPECT_EQ(map.where(first + 100), no_tier);
  EXPECT_EQ(map.where(first + 399), no_tier);
  EXPECT_EQ(map.where(first + 400), fast);
  EXPECT_EQ(map.releases(), 1u) << "one run of pages is one release";
  munmap(memory, pages * 4096);
}

std::vector<PageNumber> unmanaged_of(PageMap& map) {
  std::vector<PageNumber> pages;
  for (const PageNumberRange& run : map.unmanaged())
    for (PageNumber number = run.first; number < run.last; ++number) pages.push_back(number);
  return pages;
}

TEST(PageMap, NamesUnmanagedPagesInTheOrderOfTheirFirstTouchAndMovesThem) {
  PageMap map(small_machine(8).topology);
  map.manage({page + 100, page + 110});
  map.touch(page + 3, at(20));
  map.touch(page + 7, at(10));
  map.touch(page + 100, at(5));
  EXPECT_EQ(unmanaged_of(map), (std::vector<PageNumber>{page + 7, page + 3}));
  TierId from = no_tier;
  EXPECT_EQ(map.move(page + 7, slow, from), PageStatus::moved);
  EXPECT_EQ(map.where(page + 7), slow);
  map.release({page + 7, page + 8});
  map.touch(page + 7, at(30));
  EXPECT_EQ(unmanaged_of(map), (std::vector<PageNumber>{page + 3, page + 7})) << "a new page at an old address";
  map.manage({page + 3, page + 4});
  EXPECT_EQ(unmanaged_of(map), (std::vector<PageNumber>{page + 7})) << "the object took its place";
}

TEST(PageMap, UnmanagedPagesMayAppearElsewhereThanObjects) {
  PageMap map(small_machine(8).topology);
  const TierId slow_first[] = {slow, fast};
  map.manage({page + 100, page + 110});
  map.prefer_unmanaged(slow_first);
  const PageId pending = map.touch(page, at(1));
  EXPECT_EQ(map.tier(pending), slow) << "before it is handed out, too";
  map.touch(page + 100, at(2));
  map.hand_out();
  EXPECT_EQ(map.where(page), slow);
  EXPECT_EQ(map.where(page + 100), fast);
}

TEST(PageMap, WhatTheProgramHasByItselfStaysWhereItIsAndIsManaged) {
  PageMap map(small_machine(8).topology);
  map.touch(page + 1, at(1));
  map.hand_out();
  map.adopt({page, page + 4});
  EXPECT_EQ(map.where(page + 1), fast);
  EXPECT_TRUE(unmanaged_of(map).empty());
  TierId from = no_tier;
  EXPECT_EQ(map.move(page + 1, slow, from), PageStatus::moved);
  EXPECT_EQ(map.move(page + 2, slow, from), PageStatus::placed) << "nobody has touched it yet";
  EXPECT_EQ(map.move(page + 4, slow, from), PageStatus::unmapped) << "of nobody";
  map.touch(page + 2, at(2));
  map.hand_out();
  EXPECT_EQ(map.where(page + 2), slow);
  EXPECT_TRUE(unmanaged_of(map).empty());
}

TEST(PageMap, PartsOfWhatIsManagedMayGo) {
  PageMap map(small_machine(20).topology);
  map.manage({page, page + 10});
  for (PageNumber i = 0; i < 10; ++i) map.touch(page + i, at(i));
  map.hand_out();
  map.release({page + 3, page + 5});
  EXPECT_EQ(map.where(page + 2), fast);
  EXPECT_EQ(map.where(page + 3), no_tier);
  EXPECT_EQ(map.where(page + 5), fast);
  map.touch(page + 4, at(20));
  EXPECT_EQ(unmanaged_of(map), std::vector<PageNumber>{page + 4}) << "somebody else is there now";
  map.release({page, page + 10});
  EXPECT_EQ(map.room(fast), Bytes(20 * 4096));
  map.touch(page, at(30));
  EXPECT_EQ(unmanaged_of(map), std::vector<PageNumber>{page});
}

}  // namespace
}  // namespace lbhm::emulator
