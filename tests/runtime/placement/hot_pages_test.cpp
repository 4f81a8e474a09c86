// What MEMTIS's kernel threads know of pages: counters, bins, thresholds, the sampling budget.
#include <gtest/gtest.h>

#include "runtime/placement/daemons/memtis_daemon.h"

namespace lbhm::placement {
namespace {

constexpr std::uintptr_t base = 0x100000;
constexpr Bytes page{4096};

PageCounters counters_of(std::uint64_t pages, std::uint64_t newborn = 0) {
  PageCounters counters;
  const PlacedObject object{.address = base, .bytes = page * pages, .name = {}};
  counters.follow({&object, 1}, page, newborn);
  return counters;
}

TEST(PageCounters, BinsAreExponential) {
  EXPECT_EQ(PageCounters::bin_of(0), 0u);
  EXPECT_EQ(PageCounters::bin_of(1), 1u);
  EXPECT_EQ(PageCounters::bin_of(2), 1u);
  EXPECT_EQ(PageCounters::bin_of(3), 2u);
  EXPECT_EQ(PageCounters::bin_of(512), 9u) << "one sample of a page of 4 KiB";
  EXPECT_EQ(PageCounters::bin_of(1u << 20), 15u) << "the last bin holds all above";
  for (unsigned bin = 0; bin < PageCounters::bins; ++bin) {
    EXPECT_EQ(PageCounters::bin_of(PageCounters::count_in(bin)), bin);
  }
}

TEST(PageCounters, ASampleCountsForThePageThatItFallsInto) {
  PageCounters counters = counters_of(2);
  EXPECT_TRUE(counters.count(base + 4096 + 17));
  EXPECT_FALSE(counters.count(base + 2 * 4096)) << "behind the object";
  EXPECT_FALSE(counters.count(base - 1));
  EXPECT_EQ(counters.total(), PageCounters::per_sample);
  EXPECT_EQ(counters.histogram()[9], 1u);
}

TEST(PageCounters, CoolingHalvesAndMovesPagesDownABin) {
  PageCounters counters = counters_of(1);
  counters.count(base);
  counters.cool();
  EXPECT_EQ(counters.histogram()[9], 0u);
  EXPECT_EQ(counters.histogram()[8], 1u);
  EXPECT_EQ(counters.total(), PageCounters::per_sample / 2);
}

TEST(PageCounters, ANewPageIsInNoBinUntilItIsSampled) {
  PageCounters counters = counters_of(3, PageCounters::count_in(4));
  counters.appear(base);
  counters.appear(base);
  counters.appear(base + 4096);
  EXPECT_EQ(counters.total(), 0u);
  counters.count(base);
  EXPECT_EQ(counters.total(), PageCounters::per_sample + PageCounters::count_in(4));
  counters.cool();
  counters.count(base + 4096);
  EXPECT_EQ(counters.total(), (PageCounters::per_sample + PageCounters::count_in(4)) / 2 + PageCounters::per_sample +
                                  PageCounters::count_in(3))
      << "its newness cools as well";
}

TEST(PageCounters, AnObjectThatIsReplacedLosesWhatWasCounted) {
  PageCounters counters = counters_of(1);
  counters.count(base);
  const PlacedObject same{.address = base, .bytes = page, .name = {}};
  counters.follow({&same, 1}, page, 0);
  EXPECT_EQ(counters.total(), PageCounters::per_sample) << "it was not replaced";
  counters.forget(base);
  counters.follow({&same, 1}, page, 0);
  EXPECT_EQ(counters.total(), 0u);
  EXPECT_EQ(counters.histogram()[9], 0u);
}

TEST(HotThreshold, AsManyOfTheHottestBinsAsFitAreHot) {
  HotThreshold threshold;
  std::array<std::uint64_t, PageCounters::bins> histogram{};
  histogram[12] = 10;
  histogram[10] = 20;
  histogram[9] = 50;
  threshold.adapt(histogram, 40);
  EXPECT_EQ(threshold.hot(), 10u);
  EXPECT_EQ(threshold.warm(), 10u) << "hot pages fill 3/4 of the fast memory: nothing is warm";
  histogram[10] = 10;
  threshold.adapt(histogram, 40);
  EXPECT_EQ(threshold.warm(), 9u) << "with room left, the bin below is warm";
}

TEST(HotThreshold, FallsOneBinAfterACoolingAndNeverWithoutOne) {
  HotThreshold threshold;
  std::array<std::uint64_t, PageCounters::bins> histogram{};
  histogram[9] = 50;
  threshold.adapt(histogram, 40);
  ASSERT_EQ(threshold.hot(), 10u);
  histogram[9] = 30;
  threshold.adapt(histogram, 40);
  EXPECT_EQ(threshold.hot(), 10u);
  threshold.cooled();
  threshold.adapt(histogram, 40);
  EXPECT_EQ(threshold.hot(), 9u);
}

TEST(SampleBudget, AThreadThatNeedsTooMuchTimeTakesFewerSamplesAndLaterMoreAgain) {
  SampleBudget budget;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(budget.admit()) << "it begins with all";
  budget.adjust(Nanoseconds(1e6));  // 100 us of a millisecond: 10 %
  EXPECT_LT(budget.share(), 0.7);
  int admitted = 0;
  for (int i = 0; i < 1000; ++i) admitted += budget.admit() ? 1 : 0;
  EXPECT_NEAR(admitted, 1000 * budget.share(), 1);
  budget.adjust(Nanoseconds(1e9));
  EXPECT_EQ(budget.share(), 1);
}

}  // namespace
}  // namespace lbhm::placement
