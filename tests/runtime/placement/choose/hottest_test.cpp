// Do hotset and thermos take the sites that the paper's sentences name? Tables worked out by hand, then chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

constexpr TierId fast{0}, slow{1}, slowest{2};

struct Site {
  std::uint64_t pages;
  double worth;
};

Problem two_tiers(const std::vector<Site>& sites, std::uint64_t pages) {
  Problem problem{.units = {}, .capacities = {Bytes(4096) * pages, GiB(1)}};
  for (const Site& site : sites)
    problem.units.push_back({.bytes = Bytes(4096) * site.pages,
                             .worth = {Nanoseconds(site.worth), Nanoseconds(0)},
                             .born = {},
                             .dies = Nanoseconds(1)});
  return problem;
}

using Tiers = std::vector<TierId>;

// Worth by page: 10, 8, 5, 3. Together 2 + 3 + 4 + 2 pages.
const std::vector<Site> table{{2, 20}, {3, 24}, {4, 20}, {2, 6}};

TEST(HotsetTest, StopsJustPastTheCapacity) {
  EXPECT_EQ(hotset(two_tiers(table, 4)).tiers, (Tiers{fast, fast, slow, slow})) << "2 + 3 is past 4";
  EXPECT_EQ(hotset(two_tiers(table, 1)).tiers, (Tiers{fast, slow, slow, slow})) << "2 is past 1";
  EXPECT_EQ(hotset(two_tiers(table, 6)).tiers, (Tiers{fast, fast, fast, slow})) << "2 + 3 is not past 6, with 4 it is";
  EXPECT_EQ(hotset(two_tiers(table, 5)).tiers, (Tiers{fast, fast, fast, slow})) << "5 is not past 5";
}

TEST(HotsetTest, TakesTheHotSiteThatTheKnapsackLeavesOutForItsSize) {
  const Problem problem = two_tiers({{10, 100}, {4, 36}, {4, 36}}, 9);
  EXPECT_EQ(optimum(problem).tiers, (Tiers{slow, fast, fast}));
  EXPECT_EQ(hotset(problem).tiers, (Tiers{fast, slow, slow}));
}

TEST(ThermosTest, WhatFitsIsTaken) {
  EXPECT_EQ(thermos(two_tiers(table, 11)).tiers, (Tiers{fast, fast, fast, fast}));
  EXPECT_EQ(thermos(two_tiers(table, 5)).tiers, (Tiers{fast, fast, slow, slow}));
}

TEST(ThermosTest, WhatDoesNotFitIsTakenOnlyIfItIsWorthMoreThanTheHottestItMayDisplace) {
  // Capacity 4: the second site is over by 1 page. It may displace the first one, worth 20, and is worth 24. The third
  // one would be over by 5, which are the first two, worth 44; the last one by 3, which are the first two as well.
  EXPECT_EQ(thermos(two_tiers(table, 4)).tiers, (Tiers{fast, fast, slow, slow}));
  // Worth 20 it would not be worth more.
  EXPECT_EQ(thermos(two_tiers({{2, 20}, {3, 20}, {4, 20}, {2, 6}}, 4)).tiers, (Tiers{fast, slow, slow, fast}));
}

TEST(ThermosTest, AWarmGiantDoesNotCrowdOutTheHotOnesButAHotGiantHasItsPart) {
  // 8 small hot sites of one page, worth 10 each, and a giant of 100 pages; the capacity is 10 pages.
  std::vector<Site> sites(8, Site{1, 10});
  sites.push_back({100, 79});
  EXPECT_EQ(thermos(two_tiers(sites, 10)).tiers.back(), slow) << "over by 98 pages: all eight, worth 80";
  EXPECT_EQ(hotset(two_tiers(sites, 10)).tiers.back(), fast) << "hotset takes it";
  sites.back().worth = 81;
  EXPECT_EQ(thermos(two_tiers(sites, 10)).tiers.back(), fast);
}

TEST(ThermosTest, TheHottestSiteIsTakenHoweverLargeItIs) {
  EXPECT_EQ(thermos(two_tiers({{100, 1000}, {1, 5}}, 10)).tiers, (Tiers{fast, slow}));
}

TEST(HottestTest, WithThreeTiersWhatIsLeftIsChosenAmongForTheNext) {
  const auto site = [](std::uint64_t pages, double first, double second) {
    return Unit{.bytes = Bytes(4096) * pages,
                .worth = {Nanoseconds(first), Nanoseconds(second), Nanoseconds(0)},
                .born = {},
                .dies = Nanoseconds(1)};
  };
  // Against the second tier they gain 10, 12, 8 on 1, 2, 2 pages: 10, 6, 4 a page. Two pages fit: the first; the second
  // is over by one page, displaces the first and is worth more (12 > 10); the third is over by 3: 22.
  // Of the rest one page fits into the second tier: the third, over by 1, displaces nobody.
  const Problem problem{.units = {site(1, 20, 10), site(2, 24, 12), site(2, 16, 8), site(1, 1, 0.5)},
                        .capacities = {Bytes(4096) * 2, Bytes(4096), GiB(1)}};
  EXPECT_EQ(thermos(problem).tiers, (Tiers{fast, fast, slow, slowest}));
  EXPECT_EQ(hotset(problem).tiers, (Tiers{fast, fast, slow, slowest}));
}

TEST(HottestTest, WithoutRoomOrWorthNothingIsFastAndFixedUnitsTakeTheirRoom) {
  for (const auto method : {hotset, thermos}) {
    EXPECT_EQ(method(two_tiers({{1, 1}, {2, 2}}, 0)).tiers, (Tiers{slow, slow}));
    EXPECT_EQ(method(two_tiers({{1, 0}, {2, -1}}, 9)).tiers, (Tiers{slow, slow}));
    EXPECT_TRUE(method(two_tiers({}, 1)).tiers.empty());
    Problem problem = two_tiers({{3, 9}, {2, 0}}, 2);
    problem.units[1].fixed = fast;
    EXPECT_EQ(method(problem).tiers, (Tiers{slow, fast}));
  }
}

struct Sums {
  std::uint64_t pages = 0, last = 0;  ///< of those in fast memory; of the coldest of them
  double worth = 0, coldest = 1e300, hottest_left = 0;
};

Sums sums(const std::vector<Site>& sites, const Choice& choice) {
  Sums sums;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double by_page = sites[i].worth / static_cast<double>(sites[i].pages);
    if (choice.tiers[i] == slow) {
      sums.hottest_left = std::max(sums.hottest_left, by_page);
      continue;
    }
    sums.pages += sites[i].pages;
    sums.worth += sites[i].worth;
    if (by_page < sums.coldest) sums.coldest = by_page, sums.last = sites[i].pages;
  }
  return sums;
}

TEST(HottestTest, HotsetIsAPrefixOverByOneSiteAndThermosTakesWhatFitsInThatOrder) {
  std::mt19937_64 random(7);
  for (int instance = 0; instance < 500; ++instance) {
    std::vector<Site> sites(1 + random() % 40);
    // Distinct worths by page: no ties.
    for (std::size_t i = 0; i < sites.size(); ++i) {
      sites[i].pages = 1 + random() % 50;
      sites[i].worth =
          static_cast<double>(sites[i].pages) * (static_cast<double>(random() % 1000) + 0.001 * double(i) + 1);
    }
    const std::uint64_t capacity = 1 + random() % 300;
    const Problem problem = two_tiers(sites, capacity);
    const Sums hot = sums(sites, hotset(problem));
    const bool all = hot.hottest_left == 0;
    EXPECT_GT(hot.coldest, hot.hottest_left);
    EXPECT_TRUE(all || hot.pages > capacity);
    EXPECT_LE(hot.pages - hot.last, capacity);
    EXPECT_GE(hot.worth, optimum(problem).tiers.empty() ? 0 : sums(sites, optimum(problem)).worth * 0.999999)
        << "it has more room than the knapsack, and the hottest first";
    std::vector<std::size_t> order(sites.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, std::greater(),
                      [&](std::size_t i) { return sites[i].worth / static_cast<double>(sites[i].pages); });
    const Choice chosen = thermos(problem);
    std::uint64_t pages = 0;
    for (const std::size_t i : order) {
      pages += sites[i].pages;
      if (pages > capacity) break;
      EXPECT_EQ(chosen.tiers[i], fast);
    }
  }
}

}  // namespace
}  // namespace lbhm::choose
