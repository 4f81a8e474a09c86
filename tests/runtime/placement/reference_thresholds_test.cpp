// Which pages does memory-optimizer move, given how often they were found accessed? And how long does it wait?
#include <gtest/gtest.h>

#include "runtime/placement/scans/accessed_scans.h"

namespace lbhm::placement {
namespace {

constexpr std::size_t scans = 4;

PeriodLimits limits(std::size_t migration) { return {.migration = migration, .fast_share = 0.5, .anti_thrash = 2}; }

TEST(ReferenceThresholds, InBalanceAsManyGoUpAsGoDown) {
  ReferenceHistogram pages(scans);
  pages.fast = {60, 0, 0, 0, 40};
  pages.slow = {60, 0, 0, 0, 40};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_EQ(chosen.hot, 4);
  EXPECT_EQ(chosen.hot_rest, 5u);
  EXPECT_EQ(chosen.cold, 0);
  EXPECT_EQ(chosen.cold_rest, 5u);
}

TEST(ReferenceThresholds, TheHottestGoUpEvenIfNoScanButAFewFoundThem) {
  ReferenceHistogram pages(scans);
  pages.fast = {100, 0, 0, 0, 0};
  pages.slow = {90, 0, 8, 2, 0};
  ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_TRUE(chosen.promotes(3));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(chosen.promotes(2)) << "so that it is five";
  EXPECT_FALSE(chosen.promotes(2));
  EXPECT_FALSE(chosen.promotes(0));
  EXPECT_TRUE(chosen.demotes(0));
  EXPECT_FALSE(chosen.demotes(1));
}

TEST(ReferenceThresholds, FewHotPagesDisplaceAsFew) {
  ReferenceHistogram pages(scans);
  pages.fast = {100, 0, 0, 0, 0};
  pages.slow = {98, 0, 0, 0, 2};
  const ReferenceThresholds chosen = thresholds_of(pages, limits(10));
  EXPECT_EQ(chosen.hot_rest, 2u);
  EXPECT_EQ(chosen.cold_rest, 2u);
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
  const ReferenceThresholds chosen = thresholds_of(pages, limits(16));
  EXPECT_EQ(chosen.hot, 4);
  EXPECT_EQ(chosen.hot_rest, 15u) << "limit 16, of it 1 - 1/16";
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

TEST(ScanInterval, GrowsWhileTooFewAreFoundButNotBeyondItsLimit) {
  ScanInterval interval;
  const ScanInterval::Limits limits{.first = Nanoseconds(100), .longest = Nanoseconds(500)};
  interval.scanned(Nanoseconds(1000), {.found = 3, .target = 8}, limits);
  EXPECT_EQ(interval.value(), Nanoseconds(100)) << "nothing is known of the first scan's wait";
  interval.scanned(Nanoseconds(1100), {.found = 3, .target = 8}, limits);
  EXPECT_EQ(interval.value(), Nanoseconds(200));
  interval.scanned(Nanoseconds(1300), {.found = 1, .target = 80}, limits);
  EXPECT_EQ(interval.value(), Nanoseconds(500));
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
