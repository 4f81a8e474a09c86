#include "emulator/parts/prefetcher.h"

#include <gtest/gtest.h>

#include <vector>

namespace lbhm::emulator {
namespace {

std::vector<Prefetcher::Prediction> walk(Prefetcher& prefetcher, std::int64_t stride, int steps, Picoseconds pace) {
  std::vector<Prefetcher::Prediction> predictions;
  for (int i = 0; i < steps; ++i) {
    const auto line = static_cast<LineId>(100'000 + i * stride);
    predictions.push_back(prefetcher.observe(7, line, 1000 + static_cast<Picoseconds>(i) * pace));
  }
  return predictions;
}

TEST(Prefetcher, AStrideIsTrustedAfterTwoRepeats) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  const auto seen = walk(prefetcher, 3, 6, 10);
  // The first difference appears at step 1, its repeats at 2 and 3.
  EXPECT_FALSE(seen[2].covered);
  EXPECT_TRUE(seen[3].covered);
}

TEST(Prefetcher, TheHeadStartGrowsUntilItsDistance) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  const auto seen = walk(prefetcher, 1, 12, 10);
  EXPECT_EQ(seen[3].head_start, 10u);
  EXPECT_EQ(seen[4].head_start, 20u);
  EXPECT_EQ(seen[6].head_start, 40u);
  EXPECT_EQ(seen[11].head_start, 40u);
}

TEST(Prefetcher, AnUnevenPaceCountsAsItWas) {
  Prefetcher prefetcher({.distance = 2, .maximum_stride = 32});
  LineId line = 500;
  for (Picoseconds time : {1000, 1100, 1200, 1300, 1400}) prefetcher.observe(1, line++, time);
  EXPECT_EQ(prefetcher.observe(1, line, 1401).head_start, 101u);  // asked for two steps ago, at 1300
}

TEST(Prefetcher, ATurnOrAJumpLosesTheStride) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  walk(prefetcher, 2, 8, 10);
  EXPECT_FALSE(prefetcher.observe(7, 5'000, 2000).covered);
}

TEST(Prefetcher, StridesDownwardsAreStrides) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  const auto seen = walk(prefetcher, -1, 6, 10);
  EXPECT_TRUE(seen[5].covered);
  EXPECT_TRUE(seen[5].neighbour);
}

TEST(Prefetcher, AStrideBeyondItsReachIsNeverCovered) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  for (const auto& prediction : walk(prefetcher, 33, 20, 10)) EXPECT_FALSE(prediction.covered);
}

TEST(Prefetcher, SitesThatShareAnEntryPushEachOtherOut) {
  Prefetcher prefetcher({.distance = 4, .maximum_stride = 32});
  for (LineId i = 0; i < 20; ++i) {
    EXPECT_FALSE(prefetcher.observe(5, 1000 + i, i * 10).covered);
    EXPECT_FALSE(prefetcher.observe(5 + 1024, 9000 + i, i * 10 + 5).covered);
  }
}

}  // namespace
}  // namespace lbhm::emulator
