// Does a map of pages hold what a std::map holds, whatever is asked for?
#include "runtime/placement/value/by_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace lbhm::placement {
namespace {

constexpr std::uintptr_t page = 4096;

using Pages = std::vector<std::pair<std::uintptr_t, int>>;

Pages in(const ByPage<int>& map, std::uintptr_t begin, std::uintptr_t end) {
  Pages found;
  map.visit(begin, end, [&](std::uintptr_t address, int value) { found.emplace_back(address, value); });
  return found;
}

TEST(ByPage, BordersNeedNotBeThoseOfPages) {
  ByPage<int> map;
  for (int i = 62; i < 67; ++i) *map.try_emplace(static_cast<std::uintptr_t>(i) * page).first = i;
  EXPECT_THAT(in(map, 63 * page, 64 * page + 1),
              testing::ElementsAre(testing::Pair(63 * page, 63), testing::Pair(64 * page, 64)));
  EXPECT_THAT(in(map, 63 * page + 1, 65 * page), testing::ElementsAre(testing::Pair(64 * page, 64)));
  EXPECT_THAT(in(map, 64 * page, 64 * page), testing::IsEmpty());
  EXPECT_THAT(in(map, 0, UINTPTR_MAX), testing::SizeIs(5));
}

TEST(ByPage, AValueKeepsItsPlaceAndOneThatWasErasedIsGone) {
  ByPage<int> map;
  int* const value = map.try_emplace(7 * page).first;
  *value = 3;
  for (std::uintptr_t other = 100; other < 1000; ++other) map.try_emplace(other * page);
  EXPECT_EQ(map.try_emplace(7 * page), std::pair(value, false));
  map.erase_if(7 * page, 8 * page, [](std::uintptr_t, int) { return true; });
  const auto [anew, fresh] = map.try_emplace(7 * page);
  EXPECT_TRUE(fresh);
  EXPECT_EQ(*anew, 0);
}

TEST(ByPage, HoldsWhatAMapHolds) {
  std::mt19937_64 chance(1);
  ByPage<int> map;
  std::map<std::uintptr_t, int> other;
  for (int step = 0; step < 20'000; ++step) {
    const std::uintptr_t address = chance() % 1000 * page, end = address + chance() % 200 * page + chance() % page;
    if (chance() % 8 > 0) {
      *map.try_emplace(address).first = step;
      other[address] = step;
    } else {
      const auto gone = [&](std::uintptr_t, int value) { return value % 3 > 0; };
      map.erase_if(address, end, gone);
      std::erase_if(other, [&](const auto& each) {
        return each.first >= address && each.first < end && gone(each.first, each.second);
      });
    }
    ASSERT_EQ(in(map, address, end), Pages(other.lower_bound(address), other.lower_bound(end))) << step;
  }
}

}  // namespace
}  // namespace lbhm::placement
