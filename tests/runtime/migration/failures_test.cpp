// What the operating system may answer instead of moving a page. The plan is never given up, and nothing hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "runtime/migration/migration.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/migration/page_plans.h"

namespace lbhm {
namespace {

using fake::FakeMachine;
using testing::AllOf;
using testing::HasSubstr;

TEST(MoveFailures, ABusyPageIsTriedAgain) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 4, slow);
  machine.fail_page(page_at(1), PageStatus::busy, 3);
  const auto report = carry_out(machine, {{move_of(0, 4, fast)}}, {}, {.batch_pages = 100, .retries = 3});
  EXPECT_EQ(report.moved, of_pages(4));
  EXPECT_EQ(report.failed, Bytes(0));
  ASSERT_EQ(machine.moves().size(), 4u);
  EXPECT_EQ(machine.moves()[1].pages, std::vector{page_at(1)});
}

TEST(MoveFailures, APageThatStaysBusyStaysWhereItIs) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 4, slow);
  machine.fail_page(page_at(1), PageStatus::busy);
  const auto begin = std::chrono::steady_clock::now();
  const auto report = carry_out(machine, {{move_of(0, 4, fast)}}, {}, {.batch_pages = 100, .retries = 3});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(report.moved, of_pages(3));
  EXPECT_EQ(report.failed, of_pages(1));
  EXPECT_EQ(machine.tier_of(page_at(1)), slow);
  EXPECT_EQ(machine.moves().size(), 4u);
  EXPECT_THAT(report.first_failure,
              AllOf(HasSubstr("page 0x10001000"), HasSubstr("tier 0 (tier0)"), HasSubstr("busy")));
}

TEST(MoveFailures, WhatIsNotPermittedOrNotMappedIsNotTriedAgain) {
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 2, slow);
  machine.fail_all(PageStatus::denied);
  const auto denied = carry_out(machine, {{move_of(0, 2, fast)}}, {});
  EXPECT_EQ(denied.failed, of_pages(2));
  EXPECT_EQ(machine.moves().size(), 1u);
  EXPECT_THAT(denied.first_failure, AllOf(HasSubstr("permit"), HasSubstr("CAP_SYS_NICE")));

  const auto unmapped = carry_out(machine, {{move_of(50, 1, fast)}}, {});
  EXPECT_EQ(unmapped.failed, of_pages(1));
  EXPECT_EQ(machine.moves().size(), 2u);
  EXPECT_THAT(unmapped.first_failure, HasSubstr("no memory is mapped there"));
}

TEST(MoveFailures, ATierThatStaysFullDoesNotEmptyIt) {
  // ENOMEM although there is room: evicting more and more would not help.
  FakeMachine machine({10, 100});
  machine.put(page_at(0), 10, fast);
  machine.put(page_at(20), 1, slow);
  machine.fail_page(page_at(20), PageStatus::full);
  const auto report =
      carry_out(machine, {{move_of(20, 1, fast)}}, std::vector{candidate(0, 10, 0)}, {.batch_pages = 8, .retries = 3});
  EXPECT_EQ(report.failed, of_pages(1));
  EXPECT_LE(report.evicted, of_pages(4));
  EXPECT_THAT(report.first_failure, HasSubstr("LBHM_FAST_CAPACITY"));
}

TEST(MoveFailures, OneOfEachKindLeavesTheOthersAlone) {
  FakeMachine machine({3, 100});
  machine.put(page_at(0), 6, slow);
  machine.fail_page(page_at(0), PageStatus::denied);
  machine.fail_page(page_at(1), PageStatus::busy, 1);
  machine.unmap(page_at(2), 1);
  const auto report = carry_out(machine, {{move_of(0, 6, fast)}}, {});
  EXPECT_EQ(report.failed, of_pages(3));  // denied, unmapped, and the busy one: when it was ready, the tier was full
  EXPECT_EQ(report.moved, of_pages(3));
  EXPECT_THAT(report.first_failure, HasSubstr("permit"));
  for (std::uint64_t n : {3, 4, 5}) EXPECT_EQ(machine.tier_of(page_at(n)), fast);
}

TEST(MoveFailures, ATierThatTheMachineDoesNotHaveIsNotAskedFor) {
  FakeMachine machine({3, 100});
  machine.put(page_at(0), 2, slow);
  const auto report = carry_out(machine, {{move_of(0, 2, TierId(7))}}, {});
  EXPECT_EQ(report.failed, of_pages(2));
  EXPECT_TRUE(machine.moves().empty());
  EXPECT_THAT(report.first_failure, AllOf(HasSubstr("tier 7"), HasSubstr("'fake' has only 2")));
}

}  // namespace
}  // namespace lbhm
