// What the policies that act at intervals share: scaled times, the list of managed pages, limits of rates.
#include <gtest/gtest.h>

#include "runtime/placement/flow.h"
#include "runtime/placement/managed_pages.h"
#include "runtime/placement/scaled.h"
#include "tests/runtime/placement/around_fake.h"

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

TEST(ManagedPages, RememberWhatAPolicyKnowsOfAPageWhileItIsThere) {
  fake::FakeMachine machine({8, 8});
  machine.put(base, 2, fast);
  machine.put(base + 8 * 4096, 2, slow);
  FakeSurroundings around(machine);
  around.add(base, 2);
  around.add(base + 8 * 4096, 2);
  ManagedPages<int> pages;
  pages.refresh(around);
  ASSERT_EQ(pages.all().size(), 4u);
  EXPECT_EQ(pages.count(fast), 2u);
  EXPECT_EQ(pages.count(slow), 2u);
  pages.find(base + 9 * 4096)->state = 7;
  around.remove_all();
  around.add(base + 8 * 4096, 2);
  pages.refresh(around);
  ASSERT_EQ(pages.all().size(), 2u);
  EXPECT_EQ(pages.find(base + 9 * 4096)->state, 7);
  EXPECT_EQ(pages.find(base), nullptr);
}

TEST(ManagedPages, APageThatNobodyHasTouchedIsInNoTier) {
  fake::FakeMachine machine({8, 8});
  machine.map(base, 2);
  FakeSurroundings around(machine);
  around.add(base, 2);
  ManagedPages<int> pages;
  pages.refresh(around);
  EXPECT_EQ(pages.touched(), 0u);
  machine.touch(base, 1);
  pages.refresh(around);
  EXPECT_EQ(pages.touched(), 1u);
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

TEST(AccessedBits, AreFalseOnAMachineThatCannotWatchPages) {
  fake::FakeMachine machine({4, 4});
  machine.put(base, 1, fast);
  const AccessedBits blind(machine, std::span(&base, 1));
  EXPECT_FALSE(blind[0]);
  machine.fake_observer().access(base);
  const AccessedBits first(machine, std::span(&base, 1));
  const AccessedBits second(machine, std::span(&base, 1));
  EXPECT_TRUE(first[0]);
  EXPECT_FALSE(second[0]);
}

}  // namespace
}  // namespace lbhm::placement
