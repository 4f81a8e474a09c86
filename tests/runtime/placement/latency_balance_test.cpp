// Colloid's controller.
#include <gtest/gtest.h>

#include "runtime/placement/daemons/latency_balance.h"

namespace lbhm::placement {
namespace {

LatencyBalance::Load load(double accesses, double latency) { return {AccessCount(accesses), Nanoseconds(latency)}; }
LatencyBalance balance() { return {Nanoseconds(80), Nanoseconds(300)}; }

TEST(LatencyBalance, GoesHalfWayToAllWhileTheFastTierIsFaster) {
  LatencyBalance b = balance();
  b.observe(load(20, 80), load(80, 300));
  EXPECT_TRUE(b.fast_is_faster());
  EXPECT_NEAR(b.shift(), (0.2 + 1) / 2 - 0.2, 1e-9);
}

TEST(LatencyBalance, EqualLatenciesNeedNoChange) {
  LatencyBalance b = balance();
  b.observe(load(50, 200), load(50, 205));
  EXPECT_EQ(b.shift(), 0);
}

TEST(LatencyBalance, SearchesBetweenTheSharesThatWereTooLowAndTooHigh) {
  LatencyBalance b = balance();
  b.observe(load(20'000, 80), load(80'000, 300));   // p_lo = 0.2
  b.observe(load(60'000, 500), load(40'000, 300));  // p_hi is about 0.6
  EXPECT_FALSE(b.fast_is_faster());
  EXPECT_NEAR(b.shift(), 0.2, 0.02);
}

TEST(LatencyBalance, FindsABalanceThatHasMoved) {
  LatencyBalance b = balance();
  b.observe(load(50, 80), load(50, 300));
  b.observe(load(50.4, 500), load(49.6, 300));  // p_lo and p_hi have met
  EXPECT_GT(b.shift(), 0.2) << "p_lo starts from 0 again";
}

TEST(LatencyBalance, AnIdleMachineMovesNothingAndAnIdleTierAnswersAtOnce) {
  LatencyBalance b = balance();
  b.observe({}, {});
  EXPECT_EQ(b.shift(), 0);
  b.observe({}, load(100, 300));
  EXPECT_TRUE(b.fast_is_faster());
  EXPECT_NEAR(b.shift(), 0.5, 1e-9);
}

}  // namespace
}  // namespace lbhm::placement
