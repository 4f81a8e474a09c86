// What the policies that act at intervals share: scaled times, the list of managed pages, limits of rates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/linux_lists.h"
#include "tests/runtime/placement/fake_context.h"

namespace lbhm::placement {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x100000;
constexpr Bytes page{4096};

TEST(Scaled, TimesAndAmountsFollowTheFootprintAndSoRatesStay) {
  EXPECT_DOUBLE_EQ(scaled(Nanoseconds(2e9), GiB(400), GiB(4)).value, 2e7);
  EXPECT_EQ(scaled(MiB(256), GiB(400), GiB(100), page), MiB(64));
  EXPECT_EQ(scaled(MiB(256), GiB(400), MiB(1), page), page) << "never less than a page";
}

TEST(ProgramPages, RememberWhatAPolicyKnowsOfAPageWhileItIsThere) {
  fake::FakeMachine machine({8, 8});
  machine.put(base, 2, fast);
  machine.put(base + 8 * 4096, 2, slow);
  FakeContext context(machine);
  context.add(base, 2);
  context.add(base + 8 * 4096, 2);
  ProgramPages<int> pages;
  pages.refresh(context);
  ASSERT_EQ(pages.all().size(), 4u);
  EXPECT_EQ(pages.count(fast), 2u);
  EXPECT_EQ(pages.count(slow), 2u);
  pages.find(base + 9 * 4096)->state = 7;
  context.remove_all();
  context.add(base + 8 * 4096, 2);
  pages.refresh(context);
  ASSERT_EQ(pages.all().size(), 2u);
  EXPECT_EQ(pages.find(base + 9 * 4096)->state, 7);
  EXPECT_EQ(pages.find(base), nullptr);
}

TEST(ProgramPages, APageThatNobodyHasTouchedIsInNoTier) {
  fake::FakeMachine machine({8, 8});
  machine.map(base, 2);
  FakeContext context(machine);
  context.add(base, 2);
  ProgramPages<int> pages;
  pages.refresh(context);
  EXPECT_EQ(pages.touched(), 0u);
  machine.touch(base, 1);
  pages.refresh(context);
  EXPECT_EQ(pages.touched(), 1u);
}

TEST(ProgramPages, HoldUnmanagedPagesInTheOrderOfTheirFirstTouchAndObjectsByAddress) {
  fake::FakeMachine machine({8, 8});
  machine.put_unmanaged(base + 32 * 4096, 2, fast);
  machine.put_unmanaged(base, 1, slow);
  machine.put(base + 8 * 4096, 1, slow);
  FakeContext context(machine);
  context.add(base + 8 * 4096, 1);
  ProgramPages<int> pages;
  pages.refresh(context);
  std::vector<std::uintptr_t> addresses;
  for (const auto& each : pages.all()) addresses.push_back(each.address);
  EXPECT_THAT(addresses, testing::ElementsAre(base + 32 * 4096, base + 33 * 4096, base, base + 8 * 4096));
  pages.find(base)->state = 3;
  machine.put_unmanaged(base + 50 * 4096, 1, slow);
  pages.refresh(context);
  EXPECT_EQ(pages.find(base)->state, 3) << "what is known of a page stays when others come";
  EXPECT_EQ(pages.find(base + 33 * 4096)->tier, fast);
  EXPECT_EQ(pages.find(base + 34 * 4096), nullptr);
}

TEST(RateLimit, GrantsWhatTheRateAllowsAndSavesAtMostABurst) {
  RateLimit limit(BytesPerNanosecond(1), Nanoseconds(10 * 4096));
  EXPECT_EQ(limit.grant(Nanoseconds(0), 100, page), 0u);
  EXPECT_EQ(limit.grant(Nanoseconds(4 * 4096), 3, page), 3u);
  EXPECT_EQ(limit.grant(Nanoseconds(4 * 4096), 3, page), 1u);
  EXPECT_EQ(limit.grant(Nanoseconds(1e9), 100, page), 10u);
}

TEST(Watermark, CountsThePagesThatHaveToLeave) {
  fake::FakeMachine machine({100, 100});
  machine.put(base, 98, fast);
  EXPECT_EQ(pages_below_watermark(machine, fast, 0.02), 0u);
  EXPECT_EQ(pages_below_watermark(machine, fast, 0.05), 3u);
}

TEST(AddMove, NeighboursThatGoToOneTierBecomeOneMove) {
  MigrationPlan plan;
  add_move(plan, base, page, fast);
  add_move(plan, base + 4096, page, fast);
  add_move(plan, base + 8192, page, slow);
  ASSERT_EQ(plan.moves.size(), 2u);
  EXPECT_EQ(plan.moves[0].bytes, 2 * page);
}

TEST(AccessedPages, AreFalseOnAMachineThatCannotWatchPages) {
  fake::FakeMachine machine({4, 4});
  machine.put(base, 1, fast);
  const AccessedPages blind(machine, std::span(&base, 1));
  EXPECT_FALSE(blind[0]);
  machine.fake_observer().access(base);
  const AccessedPages first(machine, std::span(&base, 1));
  const AccessedPages second(machine, std::span(&base, 1));
  EXPECT_TRUE(first[0]);
  EXPECT_FALSE(second[0]);
}

TEST(ByTurns, BatchesOfBothKindsAlternateAndWhatIsLeftFollows) {
  const std::vector<std::uintptr_t> down = {4096, 8192, 12288};
  const std::vector<std::uintptr_t> up = {0x100000};
  fake::FakeMachine machine{{10, 10}};
  TierBelow below(machine, TierId(0));
  const MigrationPlan plan = by_turns(down, below, up, 2, Bytes(4096));
  ASSERT_EQ(plan.moves.size(), 3u);
  EXPECT_EQ(plan.moves[0].bytes, Bytes(8192)) << "neighbours are one move";
  EXPECT_EQ(plan.moves[1].to, TierId(0));
  EXPECT_EQ(plan.moves[2].address, 12288u);
}

TEST(HintScan, GoesThroughSlowPagesAtItsRateAndThenBeginsAnew) {
  using Page = ProgramPages<int>::Page;
  std::vector<Page> pages;
  for (std::uintptr_t i = 0; i < 10; ++i) pages.push_back({.address = i * 4096, .tier = TierId(i < 4 ? 0 : 1)});
  HintScan scan;
  const BytesPerNanosecond a_page_a_microsecond(4.096);
  const auto step = [&](double now) {
    return scan.step<int>(pages, Nanoseconds(now), a_page_a_microsecond, Bytes(4096));
  };
  EXPECT_THAT(step(2000).pages, testing::ElementsAre(4 * 4096, 5 * 4096)) << "fast pages are passed over";
  EXPECT_TRUE(step(2500).pages.empty());
  EXPECT_EQ(step(6000).pages.size(), 4u) << "the half page of before counts";
  const HintScan::Step last = step(7000);
  EXPECT_TRUE(last.pages.empty());
  EXPECT_TRUE(last.around);
  EXPECT_THAT(step(8000).pages, testing::ElementsAre(4 * 4096));
}

}  // namespace
}  // namespace lbhm::placement
