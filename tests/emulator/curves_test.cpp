#include "emulator/description/curves.h"

#include <gtest/gtest.h>

namespace lbhm::emulator {
namespace {

Curves two_rows() {
  return Curves({0.5, 1}, {{.reads = 0.5, .bandwidth = 80, .latency = {2, 6}},
                           {.reads = 1, .bandwidth = 100, .latency = {1.2, 2}}});
}

TEST(Curves, AreLinearBetweenTheirRowsAndHeldBeyondThem) {
  EXPECT_DOUBLE_EQ(two_rows().bandwidth(0.5), 80);
  EXPECT_DOUBLE_EQ(two_rows().bandwidth(0.75), 90);
  EXPECT_DOUBLE_EQ(two_rows().bandwidth(1), 100);
  EXPECT_DOUBLE_EQ(two_rows().bandwidth(0), 80);
  EXPECT_DOUBLE_EQ(two_rows().latency(1, 0.2), 6);
}

TEST(Curves, AreLinearBetweenTheirUsesAndBeginWithTheIdleLatency) {
  EXPECT_DOUBLE_EQ(two_rows().latency(0, 0.5), 1);
  EXPECT_DOUBLE_EQ(two_rows().latency(0.25, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(two_rows().latency(0.5, 0.5), 2);
  EXPECT_DOUBLE_EQ(two_rows().latency(0.75, 0.5), 4);
  EXPECT_DOUBLE_EQ(two_rows().latency(0.75, 0.75), (4 + 1.6) / 2);
  EXPECT_DOUBLE_EQ(two_rows().latency(1, 1), 2);
  EXPECT_DOUBLE_EQ(two_rows().latency(2, 1), 2) << "the table's end";
}

TEST(Curves, AtRestIsWhereUseTimesLatencyIsWhatWasAskedFor) {
  EXPECT_NEAR(two_rows().at_rest(1, 0.5), 0.5, 1e-6) << "0.5 x 2";
  EXPECT_NEAR(two_rows().at_rest(0.75 * 4, 0.5), 0.75, 1e-6);
  EXPECT_DOUBLE_EQ(two_rows().at_rest(7, 0.5), 1) << "more than it can do";
}

TEST(Curves, OneRowHoldsForAllShares) {
  const Curves curves({1}, {{.reads = 0.7, .bandwidth = 50, .latency = {3}}});
  EXPECT_DOUBLE_EQ(curves.bandwidth(0.1), 50);
  EXPECT_DOUBLE_EQ(curves.latency(0.5, 0.9), 2);
}

}  // namespace
}  // namespace lbhm::emulator
