// Do samples cost the busiest lane no more than their share of its time, and less once there are enough?
#include "runtime/placement/value/sample_thrift.h"

#include <gtest/gtest.h>

#include <vector>

namespace lbhm::placement {
namespace {

constexpr Nanoseconds interval{100'000}, turn{25'000};  // rates are of the last interval alone
constexpr std::uint64_t many_pages = 1000, few_pages = 10;

std::vector<AccessSample> of_lanes(std::initializer_list<std::pair<std::uint32_t, int>> counts) {
  std::vector<AccessSample> samples;
  for (const auto& [lane, count] : counts) {
    for (int i = 0; i < count; ++i) samples.emplace_back().lane = LaneId(lane);
  }
  return samples;
}

TEST(SampleThrift, TheBusiestLaneSpendsOneAndAHalfPercentOfItsTimeOnSamples) {
  SampleThrift thrift;
  // 120 samples of 250 ns in 100 us are 30 %.
  const auto samples = of_lanes({{0, 10}, {1, 120}, {2, 40}});
  EXPECT_EQ(thrift.next_period(samples, AccessCount(50), interval, turn, many_pages), AccessCount(1000));
}

TEST(SampleThrift, AThirdOfItOnceThereAreFourForEachPage) {
  SampleThrift thrift;
  const auto samples = of_lanes({{1, 120}});
  EXPECT_EQ(thrift.next_period(samples, AccessCount(50), interval, turn, few_pages), AccessCount(3000));
}

TEST(SampleThrift, SmallChangesOfThePeriodAreNotMade) {
  SampleThrift thrift;
  thrift.next_period(of_lanes({{1, 120}}), AccessCount(50), interval, turn, many_pages);
  EXPECT_EQ(thrift.next_period(of_lanes({{1, 7}}), AccessCount(1000), interval, turn, many_pages), std::nullopt);
}

TEST(SampleThrift, SamplesAreNeverDenserThanTheMachineTakesThem) {
  SampleThrift thrift;
  EXPECT_EQ(thrift.next_period(of_lanes({{0, 1}}), AccessCount(50), interval, turn, many_pages), std::nullopt);
  EXPECT_EQ(thrift.next_period({}, AccessCount(700), interval, turn, many_pages), AccessCount(50));
}

TEST(SampleThrift, AMachineWithoutSamplesIsNotAskedForAny) {
  SampleThrift thrift;
  EXPECT_EQ(thrift.next_period({}, AccessCount(0), interval, turn, many_pages), std::nullopt);
}

}  // namespace
}  // namespace lbhm::placement
