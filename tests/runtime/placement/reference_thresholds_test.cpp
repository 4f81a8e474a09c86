// Which pages does memory-optimizer move, given how often they were found accessed? And how long does it wait?
#include <gtest/gtest.h>

#include "runtime/placement/interval_fit.h"
#include "runtime/placement/reference_thresholds.h"

namespace lbhm::placement {
namespace {

constexpr std::size_t scans = 4;

PeriodLimits limits(std::size_t migration) {
  return {.migration = migration, .slack = 2, .fast_share = 0.5, .anti_thrash = 2};
}

TEST(ReferenceThresholds, InBalanceAsManyGoUpAsGoDown) {
  ReferenceHistogram pages(scans);
  pages.fast = {60, 0, 0, 0, 40};
  pages.slow = {60, 0, 0, 0, 40};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_EQ(chosen.hot, 4);
  EXPECT_EQ(chosen.hot_rest, 10u);
  EXPECT_EQ(chosen.cold, 0);
  EXPECT_EQ(chosen.cold_rest, 10u);
}

TEST(ReferenceThresholds, InBalanceOnlyPagesFoundInEveryScanAreHot) {
  ReferenceHistogram pages(scans);
  pages.fast = {100, 0, 0, 0, 0};
  pages.slow = {0, 0, 0, 100, 0};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_GT(chosen.hot, 4) << "none goes up";
  EXPECT_EQ(chosen.cold, -1) << "so none goes down";
}

TEST(ReferenceThresholds, HotAndColdAreKeptApart) {
  ReferenceHistogram pages(scans);
  pages.fast = {0, 0, 0, 100, 0};
  pages.slow = {0, 0, 0, 0, 100};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_EQ(chosen.hot, 4);
  EXPECT_EQ(chosen.cold, 2) << "3 is too near to 4";
  EXPECT_EQ(chosen.cold_rest, 0u);
}

TEST(ReferenceThresholds, WhileFastMemoryIsEmptyMoreGoUp) {
  ReferenceHistogram pages(scans);
  pages.slow = {100, 0, 0, 50, 50};
  EXPECT_TRUE(out_of_balance(pages, limits(10)));
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_EQ(chosen.hot, 4);
  EXPECT_EQ(chosen.hot_rest, 11u) << "limit 100 / 8 = 12.5, of it 1 - 1/16";
  EXPECT_EQ(chosen.cold, -1);
}

TEST(ReferenceThresholds, WhileFastMemoryHoldsTooManyMoreGoDown) {
  ReferenceHistogram pages(scans);
  pages.fast = {100, 0, 0, 0, 100};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(16));
  EXPECT_GT(chosen.hot, 4);
  EXPECT_EQ(chosen.cold, 0);
  EXPECT_EQ(chosen.cold_rest, 15u);
}

TEST(ReferenceThresholds, NothingIsDoneWithoutPages) {
  const ReferenceThresholds chosen = thresholds_of(ReferenceHistogram(scans), limits(10));
  EXPECT_GT(chosen.hot, 4);
}

TEST(IntervalFit, GoesThroughTheNearestPointsOnBothSides) {
  IntervalFit fit;
  EXPECT_FALSE(fit.estimate(50));
  fit.add(Nanoseconds(100), 20);
  fit.add(Nanoseconds(300), 80);
  fit.add(Nanoseconds(900), 100);
  EXPECT_NEAR(fit.estimate(50)->value, 200, 1e-9);
}

TEST(IntervalFit, WithOneSideOnlyItGrowsInProportionButWithinBounds) {
  IntervalFit fit;
  fit.add(Nanoseconds(100), 9);
  EXPECT_NEAR(fit.estimate(50)->value, 500, 1e-9);
  EXPECT_NEAR(fit.estimate(5000)->value, 1000, 1e-9);
  EXPECT_NEAR(fit.estimate(0.001)->value, 20, 1e-9);
}

}  // namespace
}  // namespace lbhm::placement
