#include "emulator/base/address_range.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace lbhm::emulator {
namespace {

constexpr std::size_t page = 4096;

std::ptrdiff_t distance(const void* from, const void* to) {
  return static_cast<const char*>(to) - static_cast<const char*>(from);
}

TEST(AddressRange, BlocksLieInTheOrderInWhichTheyWereTaken) {
  AddressRange range;
  void* first = range.take(3 * page, page);
  void* second = range.take(page, page);
  EXPECT_EQ(distance(first, second), 3 * page);
}

TEST(AddressRange, DistancesAreThoseOfEveryOtherRange) {
  const auto distances = [](AddressRange& range) {
    std::vector<std::ptrdiff_t> all;
    void* first = range.take(page, page);
    for (const std::size_t alignment : {page, std::size_t{1} << 21, page, std::size_t{1} << 30}) {
      all.push_back(distance(first, range.take(5 * page, alignment)));
    }
    return all;
  };
  AddressRange one;
  AddressRange other;
  EXPECT_EQ(distances(one), distances(other));
}

TEST(AddressRange, BlocksAreAligned) {
  AddressRange range;
  range.take(page, page);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(range.take(page, 1 << 21)) % (1 << 21), 0u);
}

TEST(AddressRange, NeighboursThatWereGivenBackBecomeOneHoleOfZeroes) {
  AddressRange range;
  void* blocks[4];
  for (void*& block : blocks) {
    block = range.take(page, page);
    std::memset(block, 1, page);
  }
  range.give_back(blocks[0], page);
  range.give_back(blocks[2], page);
  range.give_back(blocks[1], page);
  void* again = range.take(3 * page, page);
  EXPECT_EQ(again, blocks[0]);
  const std::vector<char> zeroes(3 * page);
  EXPECT_EQ(std::memcmp(again, zeroes.data(), zeroes.size()), 0);
}

TEST(AddressRange, WhatIsTooLargeForItComesFromTheSystemOrNotAtAll) {
  AddressRange range;
  EXPECT_EQ(range.take(std::size_t{1} << 60, page), nullptr);
  EXPECT_EQ(range.take(~std::size_t{0} - page + 1, page), nullptr);
}

}  // namespace
}  // namespace lbhm::emulator
