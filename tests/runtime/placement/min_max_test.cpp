// Is a plan worth its copies?
#include "runtime/placement/layouts/min_max.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

class MinMaxTest : public ::testing::Test {
 protected:
  MinMaxTest() {
    phase.tasks = {private_task(0, 200, 100, 10), private_task(1, 400, 100, 10)};
    phase.objects = {1ULL << 40, 2ULL << 40};
    phase.page = test_page;
    phase.room = test_pages(10);
    map = merge_extents(phase.tasks);
  }
  MinMax choose(double copy_cost) {
    Cover cover(phase, map);
    const Layout layout(phase, map);
    return min_max(phase, cover, layout, Nanoseconds(copy_cost));
  }

  PhaseForecast phase;
  HeatMap map;
};

TEST_F(MinMaxTest, AllTasksEndTogether) {
  const MinMax best = choose(0);
  EXPECT_EQ(best.before, Nanoseconds(400));
  // 10 pages: x for task 0, 10 - x for task 1; 200 - 10 x = 400 - 30 (10 - x) has no whole solution, 2 and 8 are best.
  EXPECT_EQ(best.chosen.pages, (std::vector<std::uint64_t>{2, 8}));
  EXPECT_NEAR(best.end.value, 180, 1e-6);
}

TEST_F(MinMaxTest, ASearchThatIsCutOffHasAPlanThatGains) {
  Cover cover(phase, map);
  const Layout layout(phase, map);
  const MinMax none = min_max(phase, cover, layout, Nanoseconds(0), 0);
  EXPECT_LE(none.chosen.count, 10u);
  EXPECT_LE(none.end, none.before);
  const std::uint64_t looks = cover.looks();
  const MinMax some = min_max(phase, cover, layout, Nanoseconds(0), looks + 100);
  EXPECT_LT(some.end, some.before);
  EXPECT_LT(cover.looks(), looks + 200) << "it ends soon after";
}

TEST_F(MinMaxTest, NothingMovesWhenItCostsMoreThanItGains) {
  const MinMax best = choose(31);  // a page of task 1 gains 30
  EXPECT_EQ(best.end, best.before);
  EXPECT_EQ(best.chosen.pages, (std::vector<std::uint64_t>{0, 0}));
}

TEST_F(MinMaxTest, TheMoreInstancesThePagesServeTheMoreTheyMayCost) {
  phase.instances = 4;
  EXPECT_LT(choose(31).end, Nanoseconds(210));
}

TEST_F(MinMaxTest, OnlyMovesThatPayAreMade) {
  // Until both take 200 each copy gains 30, then both tasks need pages and two copies gain 15 together.
  const MinMax best = choose(20);
  EXPECT_EQ(best.chosen.pages[0], 0u);
  EXPECT_GE(best.chosen.pages[1], 6u);
}

TEST_F(MinMaxTest, TheRegionThatGainsMoreForAPageComesFirst) {
  // Two regions of one lane each: a page saves 0.1 in the first, 0.3 in the second; there is room for one of them.
  phase.tasks = {private_task(0, 200, 100, 1000), private_task(1, 400, 100, 1000)};
  phase.tasks[1].region = 1;
  phase.room = test_pages(1000);
  map = merge_extents(phase.tasks);
  const MinMax best = choose(0);
  EXPECT_EQ(best.before, Nanoseconds(600));
  EXPECT_LT(best.chosen.pages[0], 10u);
  EXPECT_NEAR(best.end.value, 300, 2);
}

TEST_F(MinMaxTest, APageThatServesTwoRegionsCountsForBoth) {
  // Object 0 is used in both regions, 20 + 20 a page; object 1 in the first only, 30 a page.
  phase.tasks = {forecast(straight(0, 700, 200), {extent(0, 0, 1000, 200), extent(1, 0, 1000, 300)}),
                 forecast(straight(0, 300, 100), {extent(0, 0, 1000, 200)})};
  phase.tasks[1].region = 1;
  phase.room = test_pages(1000);
  map = merge_extents(phase.tasks);
  const MinMax best = choose(0);
  EXPECT_GT(best.chosen.pages[0], 990u);
  EXPECT_NEAR(best.end.value, 600, 4);
}

TEST_F(MinMaxTest, WhereFastMemoryDoesNotHelpNothingMoves) {
  phase.tasks = {private_task(0, 100, 100, 10), private_task(1, 100, 100, 10)};
  map = merge_extents(phase.tasks);
  EXPECT_EQ(choose(0.001).chosen.pages, (std::vector<std::uint64_t>{0, 0}));
}

TEST_F(MinMaxTest, WhatIsLeftOfFastMemoryIsForPagesThatNeedNoCopy) {
  // The second object's pages save more. 3 pages of the first are there, 2 of the second have yet to appear.
  const auto at = [&](std::uint32_t slot, std::uint64_t pages) {
    return PageRange{phase.objects[slot], test_page * pages};
  };
  phase.room = test_pages(12);
  phase.placement = {.tiers = {{at(0, 3)}}, .untouched = {at(1, 2)}};
  const Layout layout(phase, map);
  const Cover cover(phase, map);
  const auto filled = [&](std::vector<std::uint64_t> pages, double worth_copying) {
    Chosen chosen = cover.nothing();
    for (std::size_t run = 0; run < pages.size(); ++run) cover.add(run, pages[run], chosen);
    fill(cover, layout, worth_copying, chosen);
    return chosen.pages;
  };
  EXPECT_EQ(filled({0, 1}, 100), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(filled({0, 10}, 100), (std::vector<std::uint64_t>{2, 10}));
  EXPECT_EQ(filled({0, 0}, 20), (std::vector<std::uint64_t>{2, 10})) << "the hot ones are worth a copy";
}

}  // namespace
}  // namespace lbhm::placement
