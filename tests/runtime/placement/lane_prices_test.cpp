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

/// Four lanes; looks each 100 ns.
class LanePricesTest : public testing::Test {
 protected:
  static constexpr std::uint32_t lane_count = 4;
  static constexpr Nanoseconds turn{100};

  /// A look at what passed since the last one: lanes [0, working) worked, shifted by `first`, and the others waited.
  void look(std::uint32_t working, std::uint32_t first = 0) {
    now_ += turn;
    for (std::uint32_t i = 0; i < lane_count; ++i) {
      RunningLane& lane = lanes_[(first + i) % lane_count];
      lane.waits = i >= working;
      if (lane.waits) lane.waited += turn;
    }
    if (team_) team_->lanes = lanes_;
    prices_.look(team_, {}, now_, shortest_);
  }
  /// All lanes work for so many looks, then only the one that others wait for; then they pass a barrier.
  void round(int together, int alone, std::uint32_t last = 0) {
    for (int i = 0; i < together; ++i) look(lane_count);
    for (int i = 0; i < alone; ++i) look(1, last);
    next_round();
  }
  void next_round() {
    if (team_) team_->round = ++rounds_;
  }
  void region(std::uint32_t number) { team_ = RunningTeam{.region = number, .round = ++rounds_}; }
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
  std::uint64_t rounds_ = 0;
  std::optional<RunningTeam> team_ = RunningTeam{.region = 1};
  std::vector<RunningLane> lanes_ = std::vector<RunningLane>(lane_count);
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

TEST_F(LanePricesTest, AnotherLaneIsWorthMoreSoonAfterTheWorkWentToIt) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  for (int i = 0; i < 20; ++i) round(4, 6, 2);
  look(lane_count);
  EXPECT_GT(price(2), price(0));
  EXPECT_GT(price(0), price(1)) << "the next round may be as the first ones";
}

TEST_F(LanePricesTest, ALaneThatRestsForAWholeRoundWaitedForAllOfIt) {
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 4; ++k) look(3);  // without lane 3
    round(0, 6);
  }
  look(lane_count);
  EXPECT_LT(price(3), price(1)) << "which waited for a part of it";
}

TEST_F(LanePricesTest, ShortRoundsChangeNothing) {
  shortest_ = Nanoseconds(2000);
  for (int i = 0; i < 20; ++i) round(4, 6);
  look(lane_count);
  expect_equal();
  EXPECT_EQ(prices_.round_time().value, 0) << "none was told apart";
}

TEST_F(LanePricesTest, WithoutARegionAllThatTakeSamplesAreEqual) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  std::vector<AccessSample> samples(6);
  for (std::uint32_t i = 0; i < 6; ++i) samples[i].lane = LaneId(i / 2);
  prices_.look(std::nullopt, samples, now_ + turn, shortest_);
  EXPECT_DOUBLE_EQ(price(0), 1.0 / 3);
  EXPECT_DOUBLE_EQ(price(2), 1.0 / 3);
  prices_.look(std::nullopt, {}, now_ + 2.0 * turn, shortest_);
  EXPECT_DOUBLE_EQ(price(0), 1);
}

TEST_F(LanePricesTest, AnotherRegionHasItsOwnPrices) {
  for (int i = 0; i < 20; ++i) round(4, 6);
  region(2);
  look(lane_count);
  expect_equal();
  for (int i = 0; i < 20; ++i) round(4, 6, 3);
  look(lane_count);
  EXPECT_GT(price(3), 2 * price(0));
  region(1);
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
  region(2);
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
  EXPECT_THAT(waiting(1000), ElementsAre(near(1, 0.7), near(2, 0.7), near(3, 0.7)))
      << "300 ns are left of 1000: it was seen a look late that the round began";
  EXPECT_THAT(waiting(100), ElementsAre(near(1, 0), near(2, 0), near(3, 0)));
  for (int i = 0; i < 12; ++i) look(1);
  EXPECT_THAT(waiting(4000), ElementsAre(near(1, 0.525), near(2, 0.525), near(3, 0.525))) << "as long again: 1900";
  look(0);
  EXPECT_THAT(waiting(1000), IsEmpty()) << "there is nobody for whom they could wait";
  look(1);
  ASSERT_THAT(waiting(4000), SizeIs(3));
  region(2);
  look(lane_count);
  EXPECT_THAT(waiting(4000), IsEmpty()) << "in another region";
  look(1);
  ASSERT_THAT(waiting(4000), SizeIs(3));
  team_.reset();
  look(0);
  EXPECT_THAT(waiting(4000), IsEmpty());
}

}  // namespace
}  // namespace lbhm::placement
