// Background plans: batch by batch, the latest plan only, no harm when the system refuses.
#include "runtime/migration/mover.h"

#include <gtest/gtest.h>

#include "tests/fake/fake_machine.h"

namespace lbhm {
namespace {

constexpr std::uintptr_t memory = 1ULL << 40;
constexpr Bytes page{4096};

class MoverTest : public ::testing::Test {
 protected:
  MoverTest() : machine({1000, 1000}) {
    machine.put(memory, 500, TierId(1));
    EXPECT_TRUE(mover.start(machine).ok());
  }
  static MigrationPlan plan(std::uint64_t first, std::uint64_t pages, TierId to) {
    return {{{memory + first * page.value, page * pages, to}}};
  }
  std::uint64_t in_fast() {
    std::uint64_t fast = 0;
    for (std::uint64_t i = 0; i < 500; ++i) fast += machine.tier_of(memory + i * page.value) == TierId(0);
    return fast;
  }

  fake::FakeMachine machine;
  Mover mover;
};

TEST_F(MoverTest, MovesAPlanInBatches) {
  mover.replace(plan(0, 500, TierId(0)));
  EXPECT_EQ(in_fast(), 0u);
  machine.run_daemons();
  const std::uint64_t first = in_fast();
  EXPECT_GT(first, 0u);
  EXPECT_LT(first, 500u);
  for (int i = 0; i < 20; ++i) machine.run_daemons();
  EXPECT_EQ(in_fast(), 500u);
  EXPECT_EQ(mover.moved(), page * 500);
}

TEST_F(MoverTest, ANewPlanTakesThePlaceOfTheOldOne) {
  mover.replace(plan(0, 500, TierId(0)));
  machine.run_daemons();
  const std::uint64_t before = in_fast();
  mover.replace({});
  for (int i = 0; i < 20; ++i) machine.run_daemons();
  EXPECT_EQ(in_fast(), before);
}

TEST_F(MoverTest, PagesThatCannotMoveStay) {
  machine.fail_all(PageStatus::denied);
  mover.replace(plan(0, 10, TierId(0)));
  for (int i = 0; i < 3; ++i) machine.run_daemons();
  EXPECT_EQ(in_fast(), 0u);
  EXPECT_EQ(mover.moved(), Bytes(0));
}

TEST_F(MoverTest, ReportsWhatBecameOfAllPlans) {
  machine.fail_all(PageStatus::denied);
  mover.replace(plan(0, 500, TierId(0)));
  machine.run_daemons();
  const Bytes first_batch = mover.report().moves.failed;
  EXPECT_GT(first_batch, Bytes(0));
  EXPECT_EQ(mover.report().moves.left, page * 500 - first_batch);
  mover.replace(plan(0, 10, TierId(0)));
  const BackgroundReport report = mover.report();
  EXPECT_EQ(report.planned, page * 510);
  EXPECT_EQ(report.forgotten, page * 500 - first_batch);
  EXPECT_EQ(report.moves.left, page * 10);
  EXPECT_NE(report.moves.first_failure, "");
}

TEST_F(MoverTest, MakesRoomButNotAmongThePagesOfItsPlan) {
  fake::FakeMachine small({400, 1000});
  small.put(memory, 400, TierId(0));
  small.put(memory + 400 * page.value, 200, TierId(1));
  Mover evicting;
  ASSERT_TRUE(evicting.start(small).ok());
  // The first 300 pages are in fast memory and stay, the last 100 come; 100 that the plan does not name make room.
  MigrationPlan whole = plan(400, 100, TierId(0));
  whole.moves.push_back({memory, page * 300, TierId(0)});
  evicting.replace(whole, {{.address = memory, .bytes = page * 400, .per_page = AccessCount(0)}});
  for (int i = 0; i < 20; ++i) small.run_daemons();
  for (std::uint64_t i = 0; i < 500; ++i)
    EXPECT_EQ(small.tier_of(memory + i * page.value), TierId(i >= 300 && i < 400 ? 1 : 0)) << i;
  EXPECT_EQ(evicting.report().moves.evicted, page * 100);
}

TEST(MoverThatEvicts, LooksAtEachCandidateOnce) {
  constexpr std::uint64_t pages = 20'000;
  fake::FakeMachine full({pages, 2 * pages});
  full.put(memory, pages, TierId(0));
  full.put(memory + pages * page.value, pages, TierId(1));
  Mover mover;
  ASSERT_TRUE(mover.start(full).ok());
  mover.replace({{{memory + pages * page.value, page * pages, TierId(0)}}},
                {{.address = memory, .bytes = page * pages, .per_page = AccessCount(0)}});
  for (int i = 0; i < 400; ++i) full.run_daemons();
  EXPECT_EQ(mover.report().moves.evicted, page * pages);
  EXPECT_EQ(full.room(TierId(0)), Bytes(0));
  EXPECT_LE(full.asked_where(), pages);
}

}  // namespace
}  // namespace lbhm
