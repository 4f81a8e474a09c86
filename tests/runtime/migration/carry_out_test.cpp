// Plans that meet no trouble: batches, order, the report.
#include <gtest/gtest.h>

#include "runtime/migration/migration.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/migration/page_plans.h"

namespace lbhm {
namespace {

using fake::FakeMachine;

TEST(CarryOut, MovesPagesToTheirTiersAndCountsThem) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 20, slow);
  const auto report = carry_out(machine, {{move_of(3, 2, fast), move_of(10, 4, fast)}}, {});
  EXPECT_EQ(report.moved, of_pages(6));
  EXPECT_EQ(report.evicted + report.placed + report.failed, Bytes(0));
  EXPECT_EQ(report.first_failure, "");
  for (std::uint64_t n = 0; n < 20; ++n) {
    const bool planned = (n >= 3 && n < 5) || (n >= 10 && n < 14);
    EXPECT_EQ(machine.tier_of(page_at(n)), planned ? fast : slow) << n;
  }
}

TEST(CarryOut, PagesThatAreThereOrNotTouchedYetAreNotCopied) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 2, fast);
  machine.map(page_at(2), 3);
  const auto report = carry_out(machine, {{move_of(0, 5, fast)}}, {});
  EXPECT_EQ(report.moved, Bytes(0));
  EXPECT_EQ(report.placed, of_pages(3));
  EXPECT_EQ(report.failed, Bytes(0));
  machine.touch(page_at(2), 3);
  EXPECT_EQ(machine.tier_of(page_at(4)), fast);
}

TEST(CarryOut, BatchesKeepTheOrderOfThePlanAndSpanMovesToOneTier) {
  FakeMachine machine({10, 100, 100});
  machine.put(page_at(0), 10, slow);
  const MigrationPlan plan{{move_of(6, 1, fast), move_of(0, 4, fast), move_of(9, 1, TierId(2))}};
  const auto report = carry_out(machine, plan, {}, {.batch_pages = 3, .retries = 0});
  EXPECT_EQ(report.moved, of_pages(6));
  ASSERT_EQ(machine.moves().size(), 3u);
  EXPECT_EQ(machine.moves()[0].pages, (std::vector{page_at(6), page_at(0), page_at(1)}));
  EXPECT_EQ(machine.moves()[1].pages, (std::vector{page_at(2), page_at(3)}));
  EXPECT_EQ(machine.moves()[2].pages, (std::vector{page_at(9)}));
  EXPECT_EQ(machine.moves()[2].to, TierId(2));
}

TEST(CarryOut, WhatTheTimeDoesNotSufficeForIsLeftInOrder) {
  FakeMachine machine({100, 100});
  machine.put(page_at(0), 20, slow);
  MigrationPlan left;
  const auto report = carry_out(machine, {{move_of(10, 5, fast), move_of(0, 4, fast)}}, {},
                                {.batch_pages = 3, .most_time = std::chrono::nanoseconds(1)}, &left);
  EXPECT_EQ(report.moved, of_pages(3));
  EXPECT_EQ(report.left, of_pages(6));
  ASSERT_EQ(left.moves.size(), 2u);
  EXPECT_EQ(left.moves[0].address, page_at(13));
  EXPECT_EQ(left.moves[0].bytes, of_pages(2));
  EXPECT_EQ(left.moves[1].address, page_at(0));
  const auto rest = carry_out(machine, left, {}, {.most_time = std::chrono::hours(1)});
  EXPECT_EQ(rest.moved, of_pages(6));
  EXPECT_EQ(rest.left, Bytes(0));
}

TEST(CarryOut, ABatchOfNoPagesMeansOnePage) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 2, slow);
  EXPECT_EQ(carry_out(machine, {{move_of(0, 2, fast)}}, {}, {.batch_pages = 0, .retries = 3}).moved, of_pages(2));
  EXPECT_EQ(machine.moves().size(), 2u);
}

TEST(CarryOut, AnEmptyPlanAsksTheMachineForNothing) {
  FakeMachine machine({10, 100});
  const auto report = carry_out(machine, {}, std::vector{candidate(0, 5, 1)});
  EXPECT_EQ(report.moved + report.placed + report.failed, Bytes(0));
  EXPECT_TRUE(machine.moves().empty());
}

}  // namespace
}  // namespace lbhm
