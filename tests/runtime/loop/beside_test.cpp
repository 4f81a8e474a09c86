// Plans that are made beside the program: when they come, and what if it has gone on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/loop/fake_loop.h"

namespace lbhm {
namespace {

using testing::Contains, testing::HasSubstr, testing::Not;

constexpr std::uint64_t object_pages = 16;
const char call = 0;

/// The second instance of a phase has begun, and waits for its plan.
class Beside : public testing::Test, protected FakeLoop {
 protected:
  Beside() : FakeLoop({object_pages, 1000}, true, true) {
    loop.begin(&call, std::vector{listed(used)});
    run_region(used, 100, Nanoseconds(1e6));
    loop.begin(&call, std::vector{listed(used)});
  }

  std::uint64_t fast_pages() {
    std::uint64_t fast = 0;
    for (std::uint64_t number = 0; number < object_pages; ++number)
      fast += machine.tier_of(used + number * page.value) == TierId(0) ? 1 : 0;
    return fast;
  }
  std::string report() {
    RunSummary run;
    run.machine = "fake";
    return loop.report(run);
  }

  std::uintptr_t used = make_object("used", object_pages);
};

TEST_F(Beside, TheProgramGoesOnUntilThePlanIsMade) {
  EXPECT_EQ(fast_pages(), 0u);
  loop.decide();
  EXPECT_EQ(fast_pages(), 0u) << "in virtual time deciding takes until the next call";
  loop.decide();
  EXPECT_EQ(fast_pages(), object_pages);
  run_region(used, 100, Nanoseconds(5e5));
  EXPECT_NE(report().find("\"predicted_ns\":"), std::string::npos);
}

TEST_F(Beside, InRealTimeThePlanIsThereWhenItIsMade) {
  machine.fake_execution().set_virtual_time(false);
  loop.decide();
  EXPECT_EQ(fast_pages(), object_pages);
}

TEST_F(Beside, APhaseThatEndsBeforeHasNoPlan) {
  run_region(used, 100, Nanoseconds(1e6));
  loop.close();
  loop.decide();
  loop.decide();
  EXPECT_EQ(fast_pages(), 0u);
}

TEST_F(Beside, AReaderIsToldThatNoPlanWasMadeThoughThePhaseCameAgain) {
  run_region(used, 100, Nanoseconds(1e6));
  EXPECT_THAT(loop.remarks(), Contains(HasSubstr("came again, but none was planned for")));
  EXPECT_THAT(loop.remarks(), Not(Contains(HasSubstr("came once"))));
}

TEST_F(Beside, APlanThatComesTooLateIsDropped) {
  loop.decide();
  loop.begin(&call, std::vector{listed(used)});
  loop.forget();
  loop.decide();
  EXPECT_EQ(fast_pages(), 0u);
}

TEST_F(Beside, PagesOfAnObjectThatWasFreedSinceStayWhereTheyAre) {
  loop.decide();
  objects.remove(used);
  loop.decide();
  EXPECT_EQ(fast_pages(), 0u);
}

}  // namespace
}  // namespace lbhm
