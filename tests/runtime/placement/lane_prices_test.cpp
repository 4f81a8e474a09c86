// What lanes' time is worth: rounds, who waits at their ends, and for how long they go on.
#include "runtime/placement/value/lane_prices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace lbhm::placement {
namespace {

using testing::DoubleNear, testing::ElementsAre, testing::IsEmpty, testing::Pair, testing::SizeIs;

/// Four lanes; looks each 100 ns, a sample each 10 ns of a lane that works.
class LanePricesTest : public testing::Test {
 protected:
  static constexpr std::uint32_t lane_count = 4;
  static constexpr Nanoseconds turn{100};

  /// A look at what passed since the last one: lanes [0, working) took samples, shifted by `first`.
  void look(std::uint32_t working, std::uint32_t first = 0) {
    std::vector<AccessSample> samples;
    for (int at = 5; at < turn.value; at += 10) {
      for (std::uint32_t i = 0; i < working; ++i) {
        AccessSample& sample = samples.emplace_back();
        sample.lane = LaneId((first + i) % lane_count);
        sample.time = now_ + Nanoseconds(at);
      }
    }
    now_ += turn;
    prices_.look(samples, running_, false, now_, turn, shortest_);
  }
  /// All lanes work for so many looks, then only the one that others wait for; then they pass a barrier.
  void round(int together, int alone, std::uint32_t last = 0) {
    for (int i = 0; i < together; ++i) look(lane_count);
    for (int i = 0; i < alone; ++i) look(1, last);
    if (running_) ++running_->barriers;
  }
  double price(std::uint32_t lane) const { return prices_.price(LaneId(lane)); }
  double sum() const {
    double all = 0;
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) all += price(lane);
    return all;
  }
  void expect_equal() const {
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) EXPECT_DOUBLE_EQ(price(lane), 0.25) << lane;
  }

  LanePrices prices_;
  std::optional<RunningRegion> running_ = RunningRegion{.number = 1, .barriers = 0};
  Nanoseconds now_, shortest_;
};

TEST_F(LanePricesTest, LanesThatEndTogetherHaveTheSamePrice) {
  for (int i = 0; i < 20; ++i) {
    round(5, 0);
    expect_equal();
    EXPECT_DOUBLE_EQ(sum(), 1);
  }
}

TEST_F(LanePricesTest, ALaneThatOthersWaitForIsWorthMore) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  look(lane_count);
  EXPECT_GT(price(0), 2 * price(1));
  EXPECT_DOUBLE_EQ(price(1), price(2));
  EXPECT_DOUBLE_EQ(price(1), price(3));
  EXPECT_NEAR(sum(), 1, 1e-9) << "all of them work";
}

TEST_F(LanePricesTest, ThoseThatWorkShareTheTimeOfThoseThatWait) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  for (int i = 0; i < 4; ++i) look(lane_count);
  const double together = price(0);
  for (int i = 0; i < 3; ++i) look(2);
  EXPECT_GT(price(0), together);
  EXPECT_GT(price(0), price(1));
  EXPECT_LE(price(0) + price(1), 1 + 1e-9);
  for (int i = 0; i < 3; ++i) look(1);
  EXPECT_DOUBLE_EQ(price(0), 1) << "the end is its";
}

TEST_F(LanePricesTest, ABarrierIsSeenWhereMostOfThoseThatWaitedWorkAgain) {
  for (int i = 0; i < 20; ++i) {
    round(4, 6);
    --running_->barriers;  // nobody says it
  }
  look(lane_count);
  EXPECT_GT(price(0), 2 * price(1));
  EXPECT_NEAR(prices_.round_time().value, 1000, 1);
}

TEST_F(LanePricesTest, AnotherLaneIsWorthMoreSoonAfterTheWorkWentToIt) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  for (int i = 0; i < 20; ++i) round(4, 6, 2);
  look(lane_count);
  EXPECT_GT(price(2), price(0));
  EXPECT_GT(price(0), price(1)) << "the next round may be as the first ones";
}

TEST_F(LanePricesTest, ALaneThatRestsForAWholeRoundWaitedForAllOfIt) {
  for (int i = 0; i < 20; ++i) {
    round(5, 0);
    for (int k = 0; k < 4; ++k) look(3);  // without lane 3
    round(0, 6);
  }
  look(lane_count);
  EXPECT_LE(price(3), price(1)) << "which waited for a part of it";
}

TEST_F(LanePricesTest, ShortRoundsChangeNothing) {
  shortest_ = Nanoseconds(2000);
  for (int i = 0; i < 20; ++i) round(4, 6);
  look(lane_count);
  expect_equal();
  EXPECT_EQ(prices_.round_time().value, 0) << "none was told apart";
}

TEST_F(LanePricesTest, WithoutARegionAllAreEqual) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  running_.reset();
  look(lane_count);
  expect_equal();
  for (int i = 0; i < 20; ++i) round(4, 6);
  look(lane_count);
  expect_equal();
}

TEST_F(LanePricesTest, AnotherRegionHasItsOwnPrices) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  running_ = RunningRegion{.number = 2, .barriers = 0};
  look(lane_count);
  expect_equal();
  for (int i = 0; i < 20; ++i) round(4, 6, 3);
  look(lane_count);
  EXPECT_GT(price(3), 2 * price(0));
  running_ = RunningRegion{.number = 1, .barriers = 50};
  look(lane_count);
  EXPECT_GT(price(0), 2 * price(3)) << "the first one's are kept";
}

TEST_F(LanePricesTest, TheTimeOfARoundIsTheMean) {
  EXPECT_EQ(prices_.round_time(), Nanoseconds());
  for (int i = 0; i < 40; ++i) i % 2 ? round(4, 6) : round(12, 18);
  look(lane_count);
  EXPECT_NEAR(prices_.round_time().value, 2000, 300);
}

TEST_F(LanePricesTest, ItIsTheMeanWhereNobodyWaitsToo) {
  for (int i = 0; i < 40; ++i) i % 2 ? round(10, 0) : round(30, 0);
  look(lane_count);
  EXPECT_NEAR(prices_.round_time().value, 2000, 300);
}

TEST_F(LanePricesTest, ItIsTheMeanOfAllRegions) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  running_ = RunningRegion{.number = 2, .barriers = 0};
  round(40, 0);
  look(lane_count);
  EXPECT_LT(prices_.round_time().value, 2000) << "one long round of many";
}

TEST_F(LanePricesTest, WhoWaitsDoesSoUntilTheRoundEnds) {
  const auto waiting = [&](double horizon) { return prices_.waiting(Nanoseconds(horizon)); };
  EXPECT_THAT(waiting(1000), IsEmpty());
  for (int i = 0; i < 20; ++i) round(4, 6);
  for (int i = 0; i < 4; ++i) look(lane_count);
  EXPECT_THAT(waiting(1000), IsEmpty()) << "all of them work";
  for (int i = 0; i < 4; ++i) look(1);
  const auto near = [](std::uint32_t lane, double use) { return Pair(LaneId(lane), DoubleNear(use, 0.01)); };
  EXPECT_THAT(waiting(1000), ElementsAre(near(1, 0.8), near(2, 0.8), near(3, 0.8))) << "200 ns are left of 1000";
  EXPECT_THAT(waiting(100), ElementsAre(near(1, 0), near(2, 0), near(3, 0)));
  for (int i = 0; i < 12; ++i) look(1);
  EXPECT_THAT(waiting(4000), ElementsAre(near(1, 0.5), near(2, 0.5), near(3, 0.5))) << "as long again: 2000";
  look(0);
  look(0);
  look(0);
  EXPECT_THAT(waiting(1000), IsEmpty()) << "there is nobody for whom they could wait";
  look(1);
  ASSERT_THAT(waiting(4000), SizeIs(3));
  running_ = RunningRegion{.number = 2, .barriers = 0};
  look(1);
  EXPECT_THAT(waiting(4000), IsEmpty()) << "in another region";
  running_.reset();
  look(0);
  EXPECT_THAT(waiting(4000), IsEmpty());
}

}  // namespace
}  // namespace lbhm::placement
