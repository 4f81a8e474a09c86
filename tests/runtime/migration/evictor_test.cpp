// Room in a full tier: who leaves, where to, and who must not.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "runtime/migration/migration.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/migration/page_plans.h"

namespace lbhm {
namespace {

using fake::FakeMachine;

TEST(Evictor, TheLeastUsedPagesLeaveAndNoMoreThanNeeded) {
  FakeMachine machine({6, 100});
  machine.put(page_at(0), 6, fast);
  machine.put(page_at(10), 3, slow);
  const std::vector candidates{candidate(0, 2, 50), candidate(2, 2, 1), candidate(4, 2, 7), candidate(10, 3, 90)};
  const auto report = carry_out(machine, {{move_of(10, 3, fast)}}, candidates);
  EXPECT_EQ(report.evicted, of_pages(3));
  EXPECT_EQ(report.moved, of_pages(6));
  EXPECT_EQ(report.failed, Bytes(0));
  for (std::uint64_t n : {0, 1, 5, 10, 11, 12}) EXPECT_EQ(machine.tier_of(page_at(n)), fast) << n;
  for (std::uint64_t n : {2, 3, 4}) EXPECT_EQ(machine.tier_of(page_at(n)), slow) << n;
}

TEST(Evictor, PagesLeaveForTheTiersAllowedOnly) {
  FakeMachine machine({2, 100, 100});
  machine.put(page_at(0), 2, fast);
  machine.put(page_at(10), 1, TierId(2));
  const std::vector candidates{candidate(0, 2, 1)};
  const std::vector<TierId> ends{fast, TierId(2)};
  carry_out(machine, {{move_of(10, 1, fast)}}, candidates, {.tiers = ends});
  EXPECT_EQ(machine.tier_of(page_at(10)), fast);
  EXPECT_EQ(machine.tier_of(page_at(0)), TierId(2));
}

TEST(Evictor, APlanThatFitsEvictsNothing) {
  FakeMachine machine({6, 100});
  machine.put(page_at(0), 3, fast);
  machine.put(page_at(10), 3, slow);
  EXPECT_EQ(carry_out(machine, {{move_of(10, 3, fast)}}, std::vector{candidate(0, 3, 0)}).evicted, Bytes(0));
}

TEST(Evictor, PagesOfThePlanNeverLeaveForEachOther) {
  FakeMachine machine({4, 100});
  machine.put(page_at(0), 4, fast);
  machine.put(page_at(10), 4, slow);
  // The plan wants pages 2, 3 (there already, cold) and 10 to 13: two of these do not fit.
  const std::vector candidates{candidate(0, 4, 0), candidate(10, 4, 5)};
  const auto report = carry_out(machine, {{move_of(10, 4, fast), move_of(2, 2, fast)}}, candidates);
  EXPECT_EQ(report.evicted, of_pages(2));
  EXPECT_EQ(report.failed, of_pages(2));
  EXPECT_NE(report.first_failure.find("full"), std::string::npos);
  for (std::uint64_t n : {2, 3, 10, 11}) EXPECT_EQ(machine.tier_of(page_at(n)), fast) << n;
}

TEST(Evictor, HotPagesOutsideThePlanMakeRoomToo) {
  FakeMachine machine({1, 100});
  machine.put(page_at(0), 1, fast);
  machine.put(page_at(10), 1, slow);
  carry_out(machine, {{move_of(10, 1, fast)}}, std::vector{candidate(0, 1, 1000)});
  EXPECT_EQ(machine.tier_of(page_at(10)), fast);
  EXPECT_EQ(machine.tier_of(page_at(0)), slow);
}

TEST(Evictor, GoesToTheNextSlowerTierWithRoom) {
  FakeMachine machine({4, 1, 100});
  machine.put(page_at(0), 4, fast);
  machine.put(page_at(10), 3, TierId(2));
  const auto report = carry_out(machine, {{move_of(10, 3, fast)}}, std::vector{candidate(0, 4, 1)});
  EXPECT_EQ(report.evicted, of_pages(3));
  EXPECT_EQ(machine.tier_of(page_at(0)), TierId(1));
  EXPECT_EQ(machine.tier_of(page_at(1)), TierId(2));
  EXPECT_EQ(machine.tier_of(page_at(2)), TierId(2));
}

TEST(Evictor, NothingLeavesWhenThereIsNoRoomBelow) {
  FakeMachine machine({2, 3});
  machine.put(page_at(0), 2, fast);
  machine.put(page_at(10), 3, slow);
  const auto report = carry_out(machine, {{move_of(10, 2, fast)}}, std::vector{candidate(0, 2, 0)});
  EXPECT_EQ(report.moved, Bytes(0));
  EXPECT_EQ(report.failed, of_pages(2));
  EXPECT_EQ(machine.tier_of(page_at(0)), fast);
  // The slowest tier has nothing below it.
  machine.put(page_at(20), 1, fast);
  EXPECT_EQ(carry_out(machine, {{move_of(20, 1, slow)}}, std::vector{candidate(10, 3, 0)}).failed, of_pages(1));
}

TEST(Evictor, CandidatesThatAreNotInTheTierOrCannotLeaveArePassedOver) {
  FakeMachine machine({2, 100});
  machine.put(page_at(0), 2, fast);
  machine.put(page_at(4), 2, slow);
  machine.put(page_at(10), 1, slow);
  machine.fail_page(page_at(0), PageStatus::busy);
  const std::vector candidates{candidate(4, 2, 0), candidate(7, 2, 0), candidate(0, 1, 1), candidate(1, 1, 2)};
  const auto report = carry_out(machine, {{move_of(10, 1, fast)}}, candidates);
  EXPECT_EQ(report.evicted, of_pages(1));
  EXPECT_EQ(machine.tier_of(page_at(0)), fast);
  EXPECT_EQ(machine.tier_of(page_at(1)), slow);
  EXPECT_EQ(machine.tier_of(page_at(10)), fast);
}

TEST(Evictor, APageOfUnknownUseGoesLast) {
  FakeMachine machine({2, 100});
  machine.put(page_at(0), 2, fast);
  machine.put(page_at(10), 1, slow);
  carry_out(machine, {{move_of(10, 1, fast)}}, std::vector{candidate(0, 1, std::nan("")), candidate(1, 1, 9)});
  EXPECT_EQ(machine.tier_of(page_at(0)), fast);
  EXPECT_EQ(machine.tier_of(page_at(1)), slow);
}

TEST(Evictor, PropertyEveryByteOfThePlanIsAccountedForAndTheColdestLeft) {
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t capacity = 1 + random() % 40, resident = random() % (capacity + 1);
    FakeMachine machine({capacity, 500});
    machine.put(page_at(0), resident, fast);
    machine.put(page_at(100), 50, slow);
    std::vector<EvictionCandidate> candidates;
    for (std::uint64_t n = 0; n < resident; ++n)
      candidates.push_back(candidate(n, 1, static_cast<double>(random() % 9)));
    const std::uint64_t wanted = random() % 51;
    const auto report = carry_out(machine, {{move_of(100, wanted, fast)}}, candidates,
                                  {.batch_pages = 1 + random() % 20, .retries = 2});

    const std::uint64_t arrived = std::min(wanted, capacity);
    const std::uint64_t left = arrived > capacity - resident ? arrived - (capacity - resident) : 0;
    ASSERT_EQ(report.evicted, of_pages(left));
    ASSERT_EQ(report.moved, of_pages(arrived + left));
    ASSERT_EQ(report.failed, of_pages(wanted - arrived));
    double hottest_gone = -1, coldest_kept = 100;
    for (std::uint64_t n = 0; n < resident; ++n) {
      const double heat = candidates[n].per_page.value;
      if (machine.tier_of(page_at(n)) == slow) {
        hottest_gone = std::max(hottest_gone, heat);
      } else {
        coldest_kept = std::min(coldest_kept, heat);
      }
    }
    ASSERT_LE(hottest_gone, coldest_kept);
  }
}

}  // namespace
}  // namespace lbhm
