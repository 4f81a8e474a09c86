// Does a map of ranges say of each address what an array with one entry an address says?
#include "runtime/base/range_map.h"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <tuple>
#include <vector>

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int nothing = 0;
using Map = RangeMap<int>;
using Whole = std::tuple<std::uint64_t, std::uint64_t, int>;  // begin, end, value

std::vector<Whole> whole(const Map& map) {
  std::vector<Whole> all;
  for (const auto& [begin, range] : map) all.emplace_back(begin, range.end, range.value);
  return all;
}

std::vector<Whole> parts(const Map& map, std::uint64_t begin, std::uint64_t end) {
  std::vector<Whole> all;
  map.visit(begin, end, [&](auto from, auto to, int value) { all.emplace_back(from, to, value); });
  return all;
}

Map two_ranges() {
  Map map;
  map.set(10, 20, 1);
  map.set(30, 40, 2);
  return map;
}

TEST(RangeMap, WhatIsSetTakesThePlaceOfWhatWasThere) {
  Map map = two_ranges();
  map.set(15, 35, 3);
  EXPECT_THAT(whole(map), ElementsAre(Whole(10, 15, 1), Whole(15, 35, 3), Whole(35, 40, 2)));
}

TEST(RangeMap, ACutInTheMiddleLeavesTwoRanges) {
  Map map = two_ranges();
  map.cut(12, 15);
  EXPECT_THAT(whole(map), ElementsAre(Whole(10, 12, 1), Whole(15, 20, 1), Whole(30, 40, 2)));
}

TEST(RangeMap, WhatIsDroppedGoesAsAWhole) {
  Map map = two_ranges();
  map.drop(20, 30);
  EXPECT_EQ(map.size(), 2);
  map.drop(19, 31);
  EXPECT_THAT(whole(map), IsEmpty());
}

TEST(RangeMap, EqualNeighboursJoinOnBothSides) {
  Map map;
  map.join(10, 20, 1);
  map.join(30, 40, 1);
  map.join(20, 30, 1);
  map.join(40, 50, 2);
  EXPECT_THAT(whole(map), ElementsAre(Whole(10, 40, 1), Whole(40, 50, 2)));
}

TEST(RangeMap, AnEmptyRangeIsNowhere) {
  Map map = two_ranges();
  map.set(15, 15, 3);
  map.join(12, 11, 3);
  map.cut(35, 35);
  EXPECT_THAT(whole(map), ElementsAre(Whole(10, 20, 1), Whole(30, 40, 2)));
}

TEST(RangeMap, PartsAreThoseOfTheRangeThatIsAskedFor) {
  EXPECT_THAT(parts(two_ranges(), 15, 32), ElementsAre(Whole(15, 20, 1), Whole(30, 32, 2)));
  EXPECT_THAT(parts(two_ranges(), 20, 30), IsEmpty());
}

TEST(RangeMap, ARangeGoesFromMapToMapAsItIs) {
  Map map = two_ranges(), other;
  EXPECT_TRUE(map.extract(15).empty());
  EXPECT_EQ(other.insert(map.extract(30)), 2);
  EXPECT_THAT(whole(map), ElementsAre(Whole(10, 20, 1)));
  EXPECT_THAT(whole(other), ElementsAre(Whole(30, 40, 2)));
}

TEST(RangeMap, AgreesWithAnArrayAfterAnyChanges) {
  std::minstd_rand chance(1);
  Map map;
  std::array<int, 64> model{};
  const auto any = [&](unsigned below) { return static_cast<unsigned>(chance() % below); };
  for (int step = 0; step < 20'000; ++step) {
    const unsigned begin = any(64), end = begin + any(12);
    const int value = any(4) == 0 ? nothing : 1 + static_cast<int>(any(3));
    const bool joined = any(2) == 0;
    if (value == nothing)
      map.cut(begin, end);
    else
      joined ? map.join(begin, end, value) : map.set(begin, end, value);
    for (unsigned at = begin; at < std::min(end, 64u); ++at) model[at] = value;
    for (unsigned at = 0; at < 64; ++at) {
      const auto range = map.find(at);
      ASSERT_EQ(range == map.end() ? nothing : range->second.value, model[at]) << "step " << step << ", address " << at;
    }
    std::uint64_t last = 0;
    for (const auto& [from, range] : map) {
      ASSERT_LE(last, from);
      ASSERT_LT(from, range.end);
      last = range.end;
    }
  }
}

}  // namespace
}  // namespace lbhm
