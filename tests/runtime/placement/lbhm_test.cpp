// The policy lbhm at its looks on the fake machine.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/runtime/placement/fake_context.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

constexpr TierId fastest{0}, slowest{1};
constexpr std::uintptr_t hot_pages = 5, warm = 0x100000, unused = 0x900000, page_size = 4096;

/// 100 pages of fast memory, full of an object that nobody uses; 100 pages of another one are in slow memory. One lane
/// waits for few hot pages: what all of its time is worth pays for their copies, and not for those of 100 pages.
class LbhmTest : public testing::Test {
 protected:
  LbhmTest() {
    machine_.put(unused, 100, fastest);
    machine_.put(warm, 100, slowest);
    context_.add(warm, 100, SiteId{1});
    context_.add(unused, 100, SiteId{2});
    machine_.fake_samples().set_period(AccessCount(1000));
    machine_.divide_bandwidths(100);
    machine_.set_tier_use({{}, {}});  // they rest
  }
  void sample(std::uintptr_t address, double latency = 200) {
    machine_.fake_samples().add({.address = address,
                                 .lane = LaneId(0),
                                 .tier = machine_.tier_of(address),
                                 .latency = Nanoseconds(latency),
                                 .time = now_ += Nanoseconds(10'000)});
  }
  void look() {
    machine_.fake_execution().set_clock(now_ += Nanoseconds(100'000));
    policy_->on_interval(context_);
  }
  /// The first pages of the object get 20 samples each before each look.
  void use(std::uintptr_t object, int looks, std::uintptr_t pages = hot_pages) {
    for (int i = 0; i < looks; ++i) {
      for (std::uintptr_t number = 0; number < 100; ++number) sample(object + number % pages * page_size);
      look();
    }
  }
  std::uint64_t fast_pages(std::uintptr_t object) {
    std::uint64_t pages = 0;
    for (std::uintptr_t i = 0; i < hot_pages; ++i) pages += machine_.tier_of(object + i * page_size) == fastest ? 1 : 0;
    return pages;
  }

  fake::FakeMachine machine_{{100, 400}};
  FakeContext context_{machine_};
  std::unique_ptr<Policy> policy_ = std::move(*make_policy("lbhm"));
  Nanoseconds now_;
};

TEST_F(LbhmTest, WhatIsUsedComesToFastMemory) {
  use(warm, 60);
  EXPECT_EQ(fast_pages(warm), hot_pages);
}

TEST_F(LbhmTest, PagesThatAreUsedTooLittleForTheirCopiesStay) {
  use(warm, 60, 100);
  EXPECT_EQ(fast_pages(warm), 0u);
}

TEST_F(LbhmTest, WhatIsUsedThereStays) {
  use(unused, 60);
  EXPECT_EQ(fast_pages(unused), hot_pages);
  for (const auto& move : machine_.moves())
    for (const std::uintptr_t page : move.pages) EXPECT_GE(page, unused + hot_pages * page_size);
}

TEST_F(LbhmTest, WithoutSamplesNothingMoves) {
  for (int i = 0; i < 20; ++i) look();
  EXPECT_TRUE(machine_.moves().empty());
}

TEST_F(LbhmTest, AProgramThatReturnsToWhatFirstTouchHadGetsItBack) {
  use(warm, 60);
  ASSERT_EQ(fast_pages(warm), hot_pages);
  use(unused, 300);
  EXPECT_EQ(fast_pages(unused), hot_pages);
}

TEST_F(LbhmTest, PagesThatCannotMoveAreNoTrouble) {
  for (std::uintptr_t i = 0; i < 100; ++i)
    machine_.fail_page(warm + i * page_size, PageStatus::busy, fake::FakeMachine::always);
  use(warm, 60);
  EXPECT_EQ(fast_pages(warm), 0u);
}

TEST_F(LbhmTest, ObjectsMayComeAndGo) {
  for (int round = 0; round < 10; ++round) {
    use(warm, 5);
    context_.remove_all();
    look();
    context_.add(warm, 100, SiteId{1});
    if (round % 2 == 0) context_.add(unused, 100, SiteId{3});
  }
}

TEST_F(LbhmTest, SaysWhatPagesWereWorthAndWhereTheyLay) {
  EXPECT_TRUE(policy_->worths().empty());
  use(warm, 60);
  const std::vector<SiteWorth> worths = policy_->worths();
  ASSERT_EQ(worths.size(), 2u);
  const SiteWorth &used = worths[0], &rest = worths[1];
  EXPECT_EQ(used.site, SiteId{1});
  EXPECT_DOUBLE_EQ(used.pages, 100);
  EXPECT_GT(used.fast_pages, 0);
  EXPECT_LT(used.fast_pages, hot_pages) << "they were slow at first";
  EXPECT_GT(used.worth, 0);
  EXPECT_EQ(rest.site, SiteId{2});
  EXPECT_EQ(rest.worth, 0);
  EXPECT_GT(rest.fast_pages, 90);
}

TEST_F(LbhmTest, APlanGivesBudgetsToTheSlowestTask) {
  PhaseForecast phase;
  phase.tasks = {private_task(0, 2000, 1000, 100), private_task(1, 4000, 1000, 100)};
  phase.objects = {warm, unused};
  phase.bytes = {test_pages(100), test_pages(100)};
  phase.page = test_page;
  phase.room = test_pages(100);
  phase.placement.tiers.resize(2);
  const Decision decision = policy_->on_phase({.objects = {}, .machine = machine_.topology(), .forecast = &phase});
  ASSERT_EQ(decision.budget.tasks.size(), 2u);
  EXPECT_GT(decision.budget.tasks[1].fast_share, decision.budget.tasks[0].fast_share);
}

}  // namespace
}  // namespace lbhm
