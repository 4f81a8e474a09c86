// Which pages does the market exchange, and when does it stop?
#include "runtime/placement/value/page_market.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm::placement {
namespace {

constexpr std::uintptr_t page = 4096, hot = 0x100000, cold = 0x900000;
constexpr TierId fast{0}, slow{1};
constexpr Nanoseconds a_while{1000};

/// Ten pages of fast memory, full of an object that nobody uses; as many of another one in slow memory.
class PageMarketTest : public testing::Test {
 protected:
  PageMarketTest() {
    machine_.put(cold, 10, fast);
    machine_.put(hot, 10, slow);
    context_.add(hot, 10, SiteId{1});
    context_.add(cold, 10, SiteId{2});
    // First touch would have it like that.
    residents_.follow(context_, 10, 1, 0);
    values_.follow(residents_.extents());
  }
  /// So much of what the pages of the hot object are worth in a while comes again, and nothing of the cold one.
  void use_hot(double worth, int pages = 10, int looks = 60) {
    for (int look = 0; look < looks; ++look) {
      for (int i = 0; i < pages; ++i) values_.add(hot + static_cast<std::uintptr_t>(i) * page, worth, 0);
      values_.look(a_while, a_while, 0);
    }
  }
  MigrationPlan trade() {
    PageMarket market(values_, residents_, chosen_, terms_);
    return market.trade(machine_);
  }
  static std::uint64_t pages_to(const MigrationPlan& plan, TierId tier) {
    std::uint64_t pages = 0;
    for (const PageMove& move : plan.moves) pages += move.to == tier ? move.bytes.value / page : 0;
    return pages;
  }

  fake::FakeMachine machine_{{10, 100}};
  FakeContext context_{machine_};
  Residents residents_;
  PageValues values_;
  RangeMap<bool> chosen_;
  PageMarket::Terms terms_{.page = Bytes(page), .exchange = 100, .horizon = a_while, .account = 1e6};
};

TEST_F(PageMarketTest, WhatIsUsedComesForWhatIsNot) {
  use_hot(500);
  const MigrationPlan plan = trade();
  EXPECT_EQ(pages_to(plan, fast), 10u);
  EXPECT_EQ(pages_to(plan, slow), 10u);
  EXPECT_EQ(plan.moves.front().to, slow) << "room comes first";
}

TEST_F(PageMarketTest, NothingMovesThatCostsMoreThanItGains) {
  use_hot(80);
  EXPECT_TRUE(trade().moves.empty());
}

TEST_F(PageMarketTest, WhatIsPlannedComesThoughItGainsLittleToMove) {
  use_hot(80);
  chosen_.set(cold, cold + 10 * page, false);
  chosen_.set(hot, hot + 3 * page, true);
  chosen_.set(hot + 3 * page, hot + 10 * page, false);
  terms_.trust = 1;
  const MigrationPlan plan = trade();
  EXPECT_EQ(pages_to(plan, slow), 3u);
  ASSERT_EQ(pages_to(plan, fast), 3u);
  EXPECT_EQ(plan.moves.back().address, hot);
}

TEST_F(PageMarketTest, WhatSamplesSayOfPlannedPagesCountsAsPredictionsMiss) {
  use_hot(5000);
  chosen_.set(cold, cold + 10 * page, true);
  chosen_.set(hot, hot + 10 * page, false);
  terms_.trust = 1;
  EXPECT_TRUE(trade().moves.empty()) << "predictions are right";
  terms_.trust = 0.9;  // worth 500, less the way there and back
  EXPECT_EQ(pages_to(trade(), fast), 10u);
  terms_.trust = 0.96;  // 200, less the same: under the price of an exchange
  EXPECT_TRUE(trade().moves.empty());
}

TEST_F(PageMarketTest, PagesOfALaneThatWaitsMakeRoomForThoseOfALaneThatWorks) {
  for (int look = 0; look < 60; ++look) {
    for (int i = 0; i < 10; ++i) {
      values_.add(cold + static_cast<std::uintptr_t>(i) * page, 500, 0, LaneId(1));
      values_.add(hot + static_cast<std::uintptr_t>(i) * page, 500, 0, LaneId(2));
    }
    values_.look(a_while, a_while, 0);
  }
  EXPECT_TRUE(trade().moves.empty()) << "they are used alike";
  values_.look(Nanoseconds(1), a_while, 0, {{LaneId(1), 0.25}});
  EXPECT_EQ(pages_to(trade(), fast), 10u);
}

TEST_F(PageMarketTest, TheAccountPaysForMovesAndTheirWayBack) {
  use_hot(500);
  terms_.account = 3 * 2 * terms_.exchange;  // of three pages and three that leave: there and back
  EXPECT_EQ(pages_to(trade(), fast), 3u);
  terms_.account += terms_.exchange;
  EXPECT_EQ(pages_to(trade(), slow), 3u) << "none leaves for which none can come";
  terms_.account = 0;
  EXPECT_TRUE(trade().moves.empty());
}

TEST_F(PageMarketTest, EverythingGoesHomeWhenTheAccountCannotPayForTheWayBack) {
  use_hot(500);
  context_.migrate(trade());
  residents_.follow(context_, 10, values_.looks() + 1, values_.window());
  ASSERT_EQ(residents_.away(), 20u);
  terms_.account = 20 * terms_.exchange / 2 - 1;
  context_.migrate(trade());
  EXPECT_EQ(machine_.tier_of(cold), fast);
  EXPECT_EQ(machine_.tier_of(hot), slow);
}

TEST_F(PageMarketTest, APoorAccountStillPaysForTheWayHome) {
  use_hot(500);
  context_.migrate(trade());
  residents_.follow(context_, 10, values_.looks() + 1, values_.window());
  for (int look = 0; look < 200; ++look) values_.look(a_while, a_while, 0);  // nobody uses it any more
  for (int look = 0; look < 60; ++look) {
    values_.add(cold, 900, 0);
    values_.look(a_while, a_while, 0);
  }
  terms_.account = 20 * terms_.exchange / 2 + 1;
  EXPECT_GE(pages_to(trade(), fast), 1u);
}

TEST_F(PageMarketTest, AFreePlaceNeedsOneCopyOnly) {
  machine_.unmap(cold, 4);
  residents_.follow(context_, 10, values_.looks() + 1, values_.window());
  use_hot(80);
  const MigrationPlan plan = trade();
  EXPECT_EQ(pages_to(plan, fast), 4u);
  EXPECT_EQ(pages_to(plan, slow), 0u);
}

TEST_F(PageMarketTest, RoomIsMadeForPagesThatWillAppearAndBeUsed) {
  for (int look = 0; look < 60; ++look) {
    values_.born(SiteId{3}, 2);
    values_.add_birth(SiteId{3}, 1000);
    values_.look(a_while, a_while, 0);
  }
  terms_.reserve = 5;
  EXPECT_NEAR(static_cast<double>(pages_to(trade(), slow)), 2, 1);
  terms_.reserve = 1;
  EXPECT_LE(pages_to(trade(), slow), 1u);
}

}  // namespace
}  // namespace lbhm::placement
