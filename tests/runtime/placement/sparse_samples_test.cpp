// Do samples that only watch cost the busiest lane no more than 3 % of its time, and less once there are enough?
#include "runtime/placement/heat/sparse_samples.h"

#include <gtest/gtest.h>

#include "tests/fake/fake_machine.h"

namespace lbhm::placement {
namespace {

std::vector<AccessSample> of_lanes(std::initializer_list<std::pair<std::uint32_t, int>> counts) {
  std::vector<AccessSample> samples;
  for (const auto& [lane, count] : counts) {
    for (int i = 0; i < count; ++i) samples.emplace_back().lane = LaneId(lane);
  }
  return samples;
}

TEST(WatchingPeriod, TheBusiestLaneSpendsThreePercentOnSamples) {
  // 120 samples of 250 ns in 100 us are 30 %.
  const auto samples = of_lanes({{0, 10}, {1, 120}, {2, 40}});
  EXPECT_EQ(watching_period(samples, Nanoseconds(100'000), AccessCount(50), AccessCount(50), watching_share),
            AccessCount(500));
  EXPECT_EQ(
      watching_period(of_lanes({{1, 12}}), Nanoseconds(100'000), AccessCount(500), AccessCount(50), watching_share),
      AccessCount(500))
      << "it stays there";
}

TEST(WatchingPeriod, NeverDenserThanTheMachines) {
  EXPECT_EQ(watching_period(of_lanes({{0, 1}}), Nanoseconds(100'000), AccessCount(50), AccessCount(50), watching_share),
            AccessCount(50));
  EXPECT_EQ(watching_period({}, Nanoseconds(100'000), AccessCount(700), AccessCount(50), watching_share),
            AccessCount(50));
}

TEST(SampleThrift, FourSamplesForEachPageAreEnoughUntilItBeginsAnew) {
  fake::FakeMachine machine({{100, 100}});
  machine.put(0x100000, 50, TierId(0));  // a footprint of 50 pages
  SampleThrift thrift;
  EXPECT_FALSE(thrift.enough(120, machine));
  EXPECT_FALSE(thrift.enough(80, machine));
  EXPECT_TRUE(thrift.enough(1, machine));
  thrift.begin();
  EXPECT_FALSE(thrift.enough(200, machine));
}

}  // namespace
}  // namespace lbhm::placement
