// Huge pages: is a plan that names some of their pages carried out, counted and made room for as it happens?
#include <gtest/gtest.h>

#include <random>

#include "runtime/migration/migration.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/migration/page_plans.h"

namespace lbhm {
namespace {

using fake::FakeMachine;

constexpr std::uint64_t huge = 8;  // pages; page_at(0) begins a huge page

std::uint64_t pages_in(FakeMachine& machine, std::uint64_t first, std::uint64_t pages, TierId tier) {
  std::uint64_t count = 0;
  for (std::uint64_t n = first; n < first + pages; ++n) count += machine.tier_of(page_at(n)) == tier;
  return count;
}

TEST(Units, APageBringsAllOfItsHugePageAndTheReportSaysSo) {
  FakeMachine machine({100, 100});
  machine.put(page_at(0), 24, slow);
  machine.join(huge, {page_at(8)});
  const auto report = carry_out(machine, {{move_of(10, 2, fast), move_of(1, 1, fast)}}, {});
  EXPECT_EQ(report.moved, of_pages(huge + 1));
  EXPECT_EQ(pages_in(machine, 0, 24, fast), huge + 1);
}

TEST(Units, NoHugePageIsPaidForTwice) {
  FakeMachine machine({100, 100});
  machine.put(page_at(0), 16, slow);
  machine.join(huge, {page_at(0)});
  const auto report =
      carry_out(machine, {{move_of(5, 1, fast), move_of(9, 1, fast), move_of(2, 2, fast)}}, {}, {.batch_pages = 1});
  EXPECT_EQ(report.moved, of_pages(huge + 1));
  for (const auto& call : machine.moves()) EXPECT_TRUE(call.pages.size() == huge || call.pages.size() == 1);
}

TEST(Units, AHugePageIsNeverCutByABatch) {
  FakeMachine machine({100, 100});
  machine.put(page_at(0), 32, slow);
  machine.join(huge, {page_at(8), page_at(16)});
  EXPECT_EQ(carry_out(machine, {{move_of(5, 20, fast)}}, {}, {.batch_pages = 4}).moved, of_pages(3 + 16 + 1));
  for (const auto& call : machine.moves())
    EXPECT_EQ(std::ranges::count(call.pages, page_at(8)), std::ranges::count(call.pages, page_at(15)));
}

TEST(Units, WhereAPlanWantsItInTwoTiersTheFasterHasIt) {
  FakeMachine machine({100, 100});
  machine.put(page_at(0), 8, slow);
  machine.join(huge, {page_at(0)});
  const auto report = carry_out(machine, {{move_of(0, 4, slow), move_of(6, 1, fast), move_of(4, 2, slow)}}, {});
  EXPECT_EQ(pages_in(machine, 0, 8, fast), huge);
  EXPECT_EQ(report.moved, of_pages(huge));
}

TEST(Units, AFullTierIsNotExceededAndOnlyPlannedPagesFail) {
  FakeMachine machine({12, 100});
  machine.put(page_at(0), 16, slow);
  machine.join(huge, {page_at(0), page_at(8)});
  const auto report = carry_out(machine, {{move_of(0, 2, fast), move_of(8, 3, fast)}}, {});
  EXPECT_EQ(report.moved, of_pages(huge));
  EXPECT_EQ(report.failed, of_pages(3));
  EXPECT_EQ(pages_in(machine, 0, 16, fast), huge);
}

TEST(Units, EvictionCountsAllThatLeaves) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 8, fast);
  machine.put(page_at(8), 2, fast);
  machine.put(page_at(16), 3, slow);
  machine.join(huge, {page_at(0)});
  const auto report = carry_out(machine, {{move_of(16, 3, fast)}}, std::vector{candidate(0, 10, 1)});
  EXPECT_EQ(report.evicted, of_pages(huge));
  EXPECT_EQ(report.moved, of_pages(huge + 3));
  EXPECT_EQ(pages_in(machine, 0, 8, slow), huge);
}

TEST(Units, RoomIsMadeForAllOfAHugePage) {
  FakeMachine machine({10, 100});
  machine.put(page_at(20), 10, fast);
  machine.put(page_at(0), 8, slow);
  machine.join(huge, {page_at(0)});
  const auto report = carry_out(machine, {{move_of(3, 1, fast)}}, std::vector{candidate(20, 10, 1)});
  EXPECT_EQ(report.evicted, of_pages(huge));
  EXPECT_EQ(report.failed, Bytes(0));
  EXPECT_EQ(pages_in(machine, 0, 8, fast), huge);
}

TEST(Units, WhatIsTooLittleForAHugePageIsRoomAllTheSame) {
  FakeMachine machine({15, 100});
  machine.put(page_at(24), 10, fast);
  machine.put(page_at(0), 16, slow);
  machine.join(huge, {page_at(0)});
  // The five free pages are not enough for the huge page: three more leave, not eight.
  const auto report = carry_out(machine, {{move_of(0, 8, fast)}}, std::vector{candidate(24, 10, 1)});
  EXPECT_EQ(report.evicted, of_pages(3));
  EXPECT_EQ(pages_in(machine, 0, 8, fast), huge);
}

TEST(Units, AColdPageDoesNotPutOutTheHotOnesAroundIt) {
  FakeMachine machine({16, 100});
  machine.put(page_at(0), 16, fast);
  machine.put(page_at(20), 1, slow);
  machine.join(huge, {page_at(0), page_at(8)});
  // The coldest page is in the block that is the hotter one.
  const std::vector candidates{candidate(0, 1, 0), candidate(1, 7, 100), candidate(8, 8, 5)};
  carry_out(machine, {{move_of(20, 1, fast)}}, candidates);
  EXPECT_EQ(pages_in(machine, 0, 8, fast), huge);
  EXPECT_EQ(pages_in(machine, 8, 8, slow), huge);
}

TEST(Units, HugePagesThatThePlanNamesStay) {
  FakeMachine machine({16, 100});
  machine.put(page_at(0), 16, fast);
  machine.put(page_at(24), 8, slow);
  machine.join(huge, {page_at(0), page_at(8), page_at(24)});
  const std::vector candidates{candidate(0, 8, 0), candidate(8, 8, 5)};
  carry_out(machine, {{move_of(2, 1, fast), move_of(24, 1, fast)}}, candidates);
  EXPECT_EQ(pages_in(machine, 0, 8, fast), huge);
  EXPECT_EQ(pages_in(machine, 24, 8, fast), huge);
  EXPECT_EQ(pages_in(machine, 8, 8, slow), huge);
}

TEST(Units, PropertyTheReportIsWhatMovedAndTheTierIsNeverExceeded) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t capacity = 8 + random() % 60;
    FakeMachine machine({capacity, 1000});
    std::vector<EvictionCandidate> candidates;
    std::vector<TierId> before;
    std::uint64_t used = 0;
    for (std::uint64_t block = 0; block < 20; ++block) {
      const bool in_fast = random() % 2 == 0 && used + huge <= capacity;
      used += in_fast ? huge : 0;
      machine.put(page_at(block * huge), huge, in_fast ? fast : slow);
      if (random() % 3 != 0) machine.join(huge, {page_at(block * huge)});
      before.insert(before.end(), huge, in_fast ? fast : slow);
    }
    for (std::uint64_t n = 0; n < 160; n += 5) candidates.push_back(candidate(n, 5, static_cast<double>(random() % 9)));
    MigrationPlan plan;
    for (int move = 0; move < 6; ++move)
      plan.moves.push_back(move_of(random() % 150, 1 + random() % 10, random() % 4 ? fast : slow));

    const auto report = carry_out(machine, plan, candidates, {.batch_pages = 1 + random() % 20, .retries = 2});
    std::uint64_t up = 0, down = 0;
    for (std::uint64_t n = 0; n < 160; ++n) {
      up += before[n] == slow && machine.tier_of(page_at(n)) == fast;
      down += before[n] == fast && machine.tier_of(page_at(n)) == slow;
    }
    ASSERT_LE(pages_in(machine, 0, 160, fast), capacity);
    ASSERT_GE(report.moved, of_pages(up + down));
    ASSERT_LE(report.evicted, report.moved);
    // Pages that several moves of a plan want in different tiers may go to and fro.
    const bool one_way = std::ranges::all_of(plan.moves, [](const PageMove& move) { return move.to == fast; });
    if (one_way) ASSERT_EQ(report.moved, of_pages(up + down));
    if (one_way) ASSERT_EQ(report.evicted, of_pages(down));
  }
}

}  // namespace
}  // namespace lbhm
