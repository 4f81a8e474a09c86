#include "emulator/memory/bandwidth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lbhm::emulator {
namespace {

std::vector<Picoseconds> served(std::vector<Picoseconds> demands) {
  share_tier(demands);
  return demands;
}

TEST(ShareTier, OneCoreAloneGetsAllOfIt) { EXPECT_EQ(served({70}), std::vector<Picoseconds>({70})); }

TEST(ShareTier, EqualDemandsAreServedTogether) {
  EXPECT_EQ(served({10, 10, 10}), std::vector<Picoseconds>({30, 30, 30}));
}

TEST(ShareTier, SmallDemandsAreDoneFirstAndTheLastOneUsesTheWholeTier) {
  // Three share until 10 is served at 30; two share until 20 is served at 50; the last 30 are done alone at 80.
  EXPECT_EQ(served({50, 10, 20}), std::vector<Picoseconds>({80, 30, 50}));
}

TEST(ShareTier, WhoAsksForNothingIsServedAtOnce) {
  EXPECT_EQ(served({0, 40, 0}), std::vector<Picoseconds>({0, 40, 0}));
  EXPECT_TRUE(served({}).empty());
}

std::vector<Picoseconds> left(std::vector<Picoseconds> demands, Picoseconds duration) {
  serve_tier(demands, duration);
  return demands;
}

TEST(ServeTier, GivesTheSameToAllWhoStillAsk) {
  EXPECT_EQ(left({50, 10, 20}, 15), std::vector<Picoseconds>({45, 5, 15}));
  EXPECT_EQ(left({50, 10, 20}, 50), std::vector<Picoseconds>({30, 0, 0}));
}

TEST(ServeTier, LeavesNothingWhenTheTimeIsEnough) {
  EXPECT_EQ(left({50, 10, 20}, 80), std::vector<Picoseconds>({0, 0, 0}));
  EXPECT_EQ(left({50, 0}, 1000), std::vector<Picoseconds>({0, 0}));
}

TEST(ServeTier, WhatIsLeftIsDoneWhenItWouldHaveBeenDone) {
  const std::vector<Picoseconds> all{50, 10, 20};
  for (const Picoseconds time : {5, 12, 30, 44, 60}) {
    const std::vector<Picoseconds> rest = served(left(all, time));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Picoseconds before = served(all)[i];
      EXPECT_NEAR(static_cast<double>(rest[i]), static_cast<double>(before - std::min(before, time)), 3.0) << time;
    }
  }
}

TEST(LineCost, IsALineOverTheBandwidth) {
  const LineCost cost = line_cost({.name = "t",
                                   .capacity = {},
                                   .latency_sequential = {},
                                   .latency_random = {},
                                   .read_bandwidth = BytesPerNanosecond(32),
                                   .write_bandwidth = BytesPerNanosecond(16)});
  EXPECT_EQ(cost.read, 2000u);
  EXPECT_EQ(cost.write, 4000u);
}

}  // namespace
}  // namespace lbhm::emulator
