#include "emulator/base/address_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace lbhm::emulator {
namespace {

constexpr std::size_t page = 4096;

std::ptrdiff_t distance(const void* from, const void* to) {
  return static_cast<const char*>(to) - static_cast<const char*>(from);
}

std::uint64_t addresses_of_process() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * page;
}

TEST(AddressRange, BlocksLieInTheOrderInWhichTheyWereTaken) {
  AddressRange range;
  void* first = range.take(AddressRange::everybodys, 3 * page, page);
  void* second = range.take(AddressRange::everybodys, page, page);
  EXPECT_EQ(distance(first, second), 3 * page);
}

TEST(AddressRange, DistancesAreThoseOfEveryOtherRange) {
  const auto distances = [](AddressRange& range) {
    std::vector<std::ptrdiff_t> all;
    void* first = range.take(AddressRange::everybodys, page, page);
    for (const std::size_t alignment : {page, std::size_t{1} << 21, page, std::size_t{1} << 30}) {
      all.push_back(distance(first, range.take(AddressRange::everybodys, 5 * page, alignment)));
    }
    return all;
  };
  AddressRange one;
  AddressRange other;
  EXPECT_EQ(distances(one), distances(other));
}

TEST(AddressRange, BlocksAreAligned) {
  AddressRange range;
  range.take(AddressRange::everybodys, page, page);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(range.take(AddressRange::everybodys, page, 1 << 21)) % (1 << 21), 0u);
}

TEST(AddressRange, NeighboursThatWereGivenBackBecomeOneHoleOfZeroes) {
  AddressRange range;
  void* blocks[4];
  for (void*& block : blocks) {
    block = range.take(AddressRange::everybodys, page, page);
    std::memset(block, 1, page);
  }
  range.give_back(blocks[0], page);
  range.give_back(blocks[2], page);
  range.give_back(blocks[1], page);
  void* again = range.take(AddressRange::everybodys, 3 * page, page);
  EXPECT_EQ(again, blocks[0]);
  const std::vector<char> zeroes(3 * page);
  EXPECT_EQ(std::memcmp(again, zeroes.data(), zeroes.size()), 0);
}

TEST(AddressRange, WhatIsTooLargeForItComesFromTheSystemOrNotAtAll) {
  AddressRange range;
  EXPECT_EQ(range.take(AddressRange::everybodys, std::size_t{1} << 60, page), nullptr);
  EXPECT_EQ(range.take(AddressRange::everybodys, ~std::size_t{0} - page + 1, page), nullptr);
}

TEST(AddressRange, WhereALaneGetsABlockHangsOnThisLaneAlone) {
  constexpr auto one = AddressRange::Part{1}, other = AddressRange::Part{2};
  AddressRange racing, alone;
  std::vector<std::ptrdiff_t> with, without;
  void* const begin = racing.take(one, page, page);
  void* const begin_alone = alone.take(one, page, page);
  for (int i = 0; i < 4; ++i) {
    void* const of_other = racing.take(other, page, page);
    racing.take(AddressRange::everybodys, page, page);
    with.push_back(distance(begin, racing.take(one, page, page)));
    without.push_back(distance(begin_alone, alone.take(one, page, page)));
    racing.give_back(of_other, page);
  }
  EXPECT_EQ(with, without);
}

TEST(AddressRange, WhatAnotherLaneGaveBackIsToBeHadWhenAllAreAtOnePoint) {
  AddressRange range;
  void* const block = range.take(1, page, page);
  range.give_back(block, page, true);
  EXPECT_NE(range.take(1, page, page), block);
  range.settle();
  EXPECT_EQ(range.take(1, page, page), block);
}

TEST(AddressRange, GivenUpItHoldsNoAddressesButThoseInUse) {
  const std::uint64_t before = addresses_of_process();
  AddressRange range;
  auto* const block = static_cast<char*>(range.take(AddressRange::everybodys, page, page));
  range.give_back(range.take(1, page, page), page, true);
  block[0] = 1;
  EXPECT_GT(addresses_of_process(), before + (std::uint64_t{1} << 39));
  range.give_up();
  range.settle();
  EXPECT_LT(addresses_of_process(), before + (std::uint64_t{1} << 20));
  EXPECT_EQ(block[0], 1);
  void* const next = range.take(AddressRange::everybodys, page, page);
  EXPECT_NE(next, nullptr);
  range.give_back(next, page);
  range.give_back(block, page);
}

TEST(AddressRange, LanesWithoutAPartGetNothing) {
  AddressRange range;
  EXPECT_EQ(range.take(100'000, page, page), nullptr);
  EXPECT_EQ(range.take(1, std::size_t{1} << 40, page), nullptr);
}

/// Against a search through all holes.
TEST(AddressRange, TheLowestHoleThatIsLargeEnoughIsTaken) {
  AddressRange range;
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t bytes = (1 + i * 7 % 11) * page;
    blocks.emplace_back(static_cast<char*>(range.take(AddressRange::everybodys, bytes, page)), bytes);
  }
  std::map<char*, char*> holes{{blocks.back().first + blocks.back().second, nullptr}};
  const auto free = [&](std::pair<char*, std::size_t> block) {
    range.give_back(block.first, block.second);
    char *first = block.first, *last = block.first + block.second;
    for (auto hole = holes.begin(); hole != holes.end();) {
      const bool before = hole->second == first, behind = hole->first == last;
      if (before) first = hole->first;
      if (behind) last = hole->second;
      hole = before || behind ? holes.erase(hole) : std::next(hole);
    }
    holes[first] = last;
  };
  for (std::size_t i = 0; i < 200; i += 3) free(blocks[i]);
  for (std::size_t i = 1; i < 200; i += 6) free(blocks[i]);
  for (std::size_t i = 0; i < 60; ++i) {
    const std::size_t bytes = (1 + i % 17) * page;
    const auto fits = [&](const auto& hole) {
      return !hole.second || hole.second - hole.first >= std::ptrdiff_t(bytes);
    };
    const auto lowest = std::find_if(holes.begin(), holes.end(), fits);
    const auto [first, last] = *lowest;
    ASSERT_EQ(range.take(AddressRange::everybodys, bytes, page), first) << i;
    holes.erase(lowest);
    if (first + bytes != last) holes[first + bytes] = last;
  }
}

}  // namespace
}  // namespace lbhm::emulator
