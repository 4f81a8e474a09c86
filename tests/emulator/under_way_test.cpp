// How many pages have loads under way at a time: by hand, and against counting every instant.
#include "emulator/parts/under_way.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace lbhm::emulator {
namespace {

TEST(UnderWay, OverlapsAreTimed) {
  UnderWay pages;
  pages.add(1, 0, 10);
  pages.add(2, 4, 12);
  pages.add(3, 6, 8);
  pages.add(4, 20, 21);
  EXPECT_EQ(pages.at_least(1), 13u);
  EXPECT_EQ(pages.at_least(2), 6u);
  EXPECT_EQ(pages.at_least(3), 2u);
  EXPECT_EQ(pages.at_least(4), 0u);
}

TEST(UnderWay, APageThatIsUnderWayAlreadyIsOne) {
  UnderWay pages;
  pages.add(7, 0, 10);
  pages.add(7, 2, 14);
  pages.add(7, 3, 5);  // an end that comes earlier changes nothing
  pages.add(8, 12, 13);
  EXPECT_EQ(pages.at_least(1), 14u);
  EXPECT_EQ(pages.at_least(2), 1u);
}

TEST(UnderWay, PropertyIsWhatCountingEveryInstantGives) {
  std::mt19937 random(3);
  UnderWay pages;
  std::vector<std::set<std::uint64_t>> at(4000);
  Picoseconds begin = 0;
  while (begin < 3900) {
    const std::uint64_t page = random() % 6;
    const Picoseconds end = begin + 1 + random() % 60;
    pages.add(page, begin, end);
    for (Picoseconds t = begin; t < end; ++t) at[t].insert(page);
    begin += random() % 20;
  }
  for (std::size_t number = 1; number <= UnderWay::most; ++number) {
    Picoseconds expected = 0;
    for (const auto& instant : at) expected += instant.size() >= number ? 1 : 0;
    EXPECT_EQ(pages.at_least(number), expected) << number;
  }
}

}  // namespace
}  // namespace lbhm::emulator
