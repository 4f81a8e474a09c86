// Eq. 1: the paper's own example, and how counts spread over an object of another size.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "model/model.h"

namespace lbhm {
namespace {

constexpr Bytes page{4096};

PageCount count_at(std::uint32_t slot, std::uint64_t index, double count) {
  return {ObjectSlot(slot), PageIndex(index), AccessCount(count)};
}

TaskProfile profile_of(std::vector<PageCount> counts) {
  TaskProfile profile;
  profile.lane = LaneId(3);
  profile.pages = std::move(counts);
  return profile;
}

Bytes pages(std::uint64_t n) { return Bytes(n * page.value); }

TEST(EstimatedAccesses, ExampleOfSection4) {
  // A stream of integers over 128 bytes takes 2 accesses, over 192 bytes 3, so alpha is 1.
  EXPECT_DOUBLE_EQ(estimated_accesses(AccessCount(2), Bytes(128), Bytes(192), 1).value, 3);
}

TEST(EstimatedAccesses, AlphaDivides) {
  EXPECT_DOUBLE_EQ(estimated_accesses(AccessCount(100), Bytes(1000), Bytes(4000), 2).value, 200);
  EXPECT_DOUBLE_EQ(estimated_accesses(AccessCount(100), Bytes(1000), Bytes(4000), 0.5).value, 800);
}

TEST(EstimatedAccesses, NonsenseIsNeverNanOrNegative) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(estimated_accesses(AccessCount(5), Bytes(0), Bytes(10), 1).value, 0);
  for (double alpha : {0.0, -1.0, nan, inf}) {
    EXPECT_EQ(estimated_accesses(AccessCount(5), Bytes(10), Bytes(20), alpha).value, 10) << alpha;
  }
  for (double count : {-3.0, nan}) EXPECT_EQ(estimated_accesses(AccessCount(count), Bytes(10), Bytes(10), 1).value, 0);
  EXPECT_TRUE(std::isfinite(estimated_accesses(AccessCount(inf), Bytes(1), Bytes(~0ULL), 1e-300).value));
}

TEST(EstimateAccesses, WhatLayInTheMiddleIsExpectedInTheMiddle) {
  const TaskProfile profile = profile_of({count_at(0, 1, 10), count_at(0, 2, 30)});
  const auto estimate = estimate_accesses(profile, {{pages(4)}}, {{pages(8)}}, {}, page);
  EXPECT_EQ(estimate.lane, LaneId(3));
  EXPECT_DOUBLE_EQ(estimate.total.value, 80);
  ASSERT_EQ(estimate.extents.size(), 2u);
  EXPECT_EQ(estimate.extents[0].first.value, 2u);
  EXPECT_EQ(estimate.extents[0].pages, 2u);
  EXPECT_DOUBLE_EQ(estimate.extents[0].count.value, 20);
  EXPECT_EQ(estimate.extents[1].first.value, 4u);
  EXPECT_EQ(estimate.extents[1].pages, 2u);
  EXPECT_DOUBLE_EQ(estimate.extents[1].count.value, 60);
}

TEST(EstimateAccesses, NeighboursAreTakenTogetherInAtMostSoManyRuns) {
  TaskProfile profile;
  for (std::uint64_t i = 0; i < 12; ++i) profile.pages.push_back(count_at(0, i, 1));
  const auto estimate = estimate_accesses(profile, {{pages(12)}}, {{pages(12)}}, {}, page, 3);
  ASSERT_EQ(estimate.extents.size(), 3u);
  for (const auto& extent : estimate.extents) {
    EXPECT_EQ(extent.pages, 4u);
    EXPECT_DOUBLE_EQ(extent.count.value, 4);
  }
}

TEST(EstimateAccesses, APageOfAnObjectThatKeptItsSizeLiesInItsOwnExtent) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto estimate = estimate_accesses(profile_of({count_at(0, i, 1)}), {{pages(10)}}, {{pages(10)}}, {}, page, 4);
    ASSERT_EQ(estimate.extents.size(), 1u);
    EXPECT_LE(estimate.extents[0].first.value, i);
    EXPECT_GT(estimate.extents[0].first.value + estimate.extents[0].pages, i);
  }
}

TEST(EstimateAccesses, AShrunkenObjectKeepsItsShareOfTheAccesses) {
  TaskProfile profile;
  for (std::uint64_t i = 0; i < 100; ++i) profile.pages.push_back(count_at(0, i, 2));
  const auto estimate = estimate_accesses(profile, {{pages(100)}}, {{pages(3)}}, {}, page);
  ASSERT_EQ(estimate.extents.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(estimate.extents[i].first.value, i);
    EXPECT_EQ(estimate.extents[i].pages, 1u);
  }
  EXPECT_DOUBLE_EQ(estimate.total.value, 200 * 3 / 100.0);
}

TEST(EstimateAccesses, AlphaBySlotAndSlotsThatAreGone) {
  const TaskProfile profile = profile_of({count_at(0, 0, 8), count_at(1, 0, 8), count_at(2, 0, 8), count_at(7, 0, 8)});
  const std::vector<Bytes> base{pages(1), pages(1), pages(1)}, now{pages(1), Bytes(0), pages(2)};
  const auto estimate = estimate_accesses(profile, base, now, {{1.0, 1.0, 4.0}}, page);
  ASSERT_EQ(estimate.extents.size(), 2u);
  EXPECT_EQ(estimate.extents[0].slot.value, 0u);
  EXPECT_DOUBLE_EQ(estimate.extents[0].count.value, 8);
  EXPECT_EQ(estimate.extents[1].slot.value, 2u);
  EXPECT_DOUBLE_EQ(estimate.extents[1].count.value, 4);
  EXPECT_DOUBLE_EQ(estimate.total.value, 12);
}

TEST(EstimateAccesses, PagesWithoutSamplesAreNoPagesOfTheTask) {
  const TaskProfile profile = profile_of({count_at(0, 0, 0), count_at(0, 9, 1)});
  const auto estimate = estimate_accesses(profile, {{pages(10)}}, {{pages(10)}}, {}, page);
  ASSERT_EQ(estimate.extents.size(), 1u);
  EXPECT_EQ(estimate.extents[0].first.value, 9u);
}

TEST(EstimateAccesses, NothingToEstimate) {
  const TaskProfile profile = profile_of({count_at(0, 0, 1)});
  EXPECT_TRUE(estimate_accesses(profile, {}, {}, {}, page).extents.empty());
  EXPECT_TRUE(estimate_accesses(profile, {{pages(1)}}, {{pages(1)}}, {}, Bytes(0)).extents.empty());
  EXPECT_TRUE(estimate_accesses(profile, {{pages(1)}}, {{pages(1)}}, {}, page, 0).extents.empty());
  EXPECT_TRUE(estimate_accesses(TaskProfile{}, {{pages(1)}}, {{pages(1)}}, {}, page).extents.empty());
}

/// An object of which every page was sampled: its extents must cover the new object once and keep the sum of Eq. 1.
TEST(EstimateAccesses, PropertyCoversEveryPageOnceAndKeepsTheSum) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const Bytes base(1 + random() % (700 * page.value)), now(1 + random() % (700 * page.value));
    const std::uint64_t runs = 1 + random() % 300;
    const double alpha = 0.25 + static_cast<double>(random() % 100) / 25;
    TaskProfile profile;
    double sum = 0;
    for (std::uint64_t i = 0; i * page.value < base.value; ++i) {
      const auto count = static_cast<double>(1 + random() % 1000);
      profile.pages.push_back(count_at(0, i, count));
      sum += count;
    }
    const auto estimate = estimate_accesses(profile, {{base}}, {{now}}, {{alpha}}, page, runs);
    std::uint64_t next = 0;
    double total = 0;
    for (const auto& extent : estimate.extents) {
      ASSERT_EQ(extent.first.value, next);
      ASSERT_GT(extent.pages, 0u);
      next += extent.pages;
      total += extent.count.value;
    }
    ASSERT_EQ(next, (now.value + page.value - 1) / page.value);
    ASSERT_LE(estimate.extents.size(), runs);
    ASSERT_NEAR(total / (sum * (now / base) / alpha), 1, 1e-12);
    ASSERT_NEAR(total / estimate.total.value, 1, 1e-12);
  }
}

}  // namespace
}  // namespace lbhm
