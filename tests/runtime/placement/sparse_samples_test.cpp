// Do samples that only watch cost the busiest lane no more than 3 % of its time?
#include "runtime/placement/sparse_samples.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(watching_period(samples, Nanoseconds(100'000), AccessCount(50), AccessCount(50)), AccessCount(500));
  EXPECT_EQ(watching_period(of_lanes({{1, 12}}), Nanoseconds(100'000), AccessCount(500), AccessCount(50)),
            AccessCount(500))
      << "it stays there";
}

TEST(WatchingPeriod, NeverDenserThanTheMachines) {
  EXPECT_EQ(watching_period(of_lanes({{0, 1}}), Nanoseconds(100'000), AccessCount(50), AccessCount(50)),
            AccessCount(50));
  EXPECT_EQ(watching_period({}, Nanoseconds(100'000), AccessCount(700), AccessCount(50)), AccessCount(50));
}

}  // namespace
}  // namespace lbhm::placement
