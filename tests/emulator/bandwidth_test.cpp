#include "emulator/bandwidth.h"

#include <gtest/gtest.h>

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
