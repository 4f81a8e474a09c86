// Moves that bring nothing end, and those that do harm are undone.
#include "runtime/placement/gains/gain_watch.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

using Verdict = GainWatch::Verdict;
using Ends = GainWatch::Ends;
constexpr std::uint64_t fast_pages = 4, came = 100, left = 0, other = 500;

/// So many samples of the pages at these numbers, in turn.
std::vector<AccessSample> samples(int count, std::initializer_list<std::uint64_t> pages) {
  std::vector<AccessSample> all;
  while (static_cast<int>(all.size()) < count) {
    for (const std::uint64_t page : pages) all.emplace_back().address = test_page.value * page + 64;
  }
  return all;
}

MigrationPlan exchange(std::uint64_t up, std::uint64_t down, std::uint64_t pages) {
  MigrationPlan plan;
  plan.moves.push_back({.address = test_page.value * down, .bytes = test_pages(pages), .to = TierId(1)});
  plan.moves.push_back({.address = test_page.value * up, .bytes = test_pages(pages), .to = TierId(0)});
  return plan;
}

TEST(QueueShare, IsTheWaitingBeyondThatOfAnIdleTier) {
  QueueShare queue;
  EXPECT_EQ(queue.value(), 0) << "nothing was sampled";
  const auto sample = [](double latency, std::uint8_t tier) {
    AccessSample one;
    one.tier = TierId(tier);
    one.latency = Nanoseconds(latency);
    return one;
  };
  // 100 of 1000 ns are queueing; what a prefetch shortened did not queue; fast memory has a queue of its own.
  const std::vector<AccessSample> seen{sample(400, 1), sample(400, 1), sample(200, 1), sample(900, 0)};
  queue.add(seen, TierId(1), Nanoseconds(350));
  EXPECT_DOUBLE_EQ(queue.value(), 0.1);
  queue.fade(0.5);
  EXPECT_DOUBLE_EQ(queue.value(), 0.1) << "the past counts less, for itself it stays what it was";
  queue.add(std::vector{sample(500, 1)}, TierId(1), Nanoseconds(500));
  EXPECT_DOUBLE_EQ(queue.value(), 0.05);
}

class Watch : public testing::Test {
 protected:
  Verdict judge(int count, std::initializer_list<std::uint64_t> pages, Ends ends = Ends::shown_worthless) {
    return watch.judge(samples(count, pages), fast_pages, test_page, ends);
  }
  /// Pages `left` and some behind it are fast.
  GainWatch watch = [] {
    GainWatch started;
    started.start({test_page.value * (left + 3), test_page.value * (left + 2), test_page.value * (left + 1), left});
    return started;
  }();
};

TEST_F(Watch, NothingIsSaidBeforeAnythingMoved) { EXPECT_EQ(judge(5000, {left}), Verdict::go_on); }

TEST_F(Watch, MovesThatHelpGoOn) {
  watch.moving(exchange(came, left, fast_pages), test_page);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(judge(500, {came, came + 1, left, other}), Verdict::go_on);
}

TEST_F(Watch, TellsHowMuchMovesBring) {
  EXPECT_FALSE(watch.brings(0.1)) << "nothing moved";
  watch.moving(exchange(came, left, fast_pages), test_page);
  judge(400, {came, other, other, other});
  EXPECT_TRUE(watch.brings(0.2));
  EXPECT_FALSE(watch.brings(0.3));
  judge(100, {left});
  EXPECT_FALSE(watch.brings(0.1)) << "as much was lost";
}

TEST_F(Watch, MovesThatHarmAreUndone) {
  watch.moving(exchange(came, left, 3), test_page);
  ASSERT_EQ(judge(100, {left, left + 1, came}), Verdict::undo);
  const MigrationPlan back = watch.undone(test_page, TierId(1));
  ASSERT_EQ(back.moves.size(), 2u);
  EXPECT_EQ(back.moves[0].address, test_page.value * came);  // what came leaves first: its room is needed
  EXPECT_EQ(back.moves[0].to, TierId(1));
  EXPECT_EQ(back.moves[1].address, test_page.value * left);
  EXPECT_EQ(back.moves[1].to, TierId(0));
  EXPECT_EQ(back.moves[1].bytes, test_pages(3));
}

TEST_F(Watch, WhatIsUndoneGoesBackInTheOrderInWhichItMoved) {
  watch.moving(exchange(came + 5, left + 2, 1), test_page);
  watch.moving(exchange(came, left, 1), test_page);
  const MigrationPlan back = watch.undone(test_page, TierId(1));
  ASSERT_EQ(back.moves.size(), 4u);
  EXPECT_EQ(back.moves[0].address, test_page.value * (came + 5)) << "not by address";
  EXPECT_EQ(back.moves[2].address, test_page.value * (left + 2));
}

TEST_F(Watch, AProgramThatGoesToOtherPagesIsNoHarm) {
  watch.moving(exchange(came, left, 3), test_page);
  EXPECT_EQ(judge(100, {came}), Verdict::go_on);
  EXPECT_EQ(judge(800, {other}), Verdict::go_on);
}

TEST_F(Watch, PagesThatCameAndWentAreNotUndone) {
  watch.moving(exchange(came, left, 2), test_page);
  watch.moving(exchange(left, came, 2), test_page);
  EXPECT_TRUE(watch.undone(test_page, TierId(1)).moves.empty());
}

TEST_F(Watch, PagesOfNewObjectsAreOthers) {
  watch.moving(exchange(came, left, 2), test_page);
  watch.forget(test_page.value * left, test_pages(2));
  EXPECT_EQ(judge(100, {left}), Verdict::go_on);
  EXPECT_EQ(watch.undone(test_page, TierId(1)).moves.size(), 1u);
}

TEST_F(Watch, PagesThatAppearedInTheRoomThatWasMadeMayLeave) {
  watch.moving(exchange(came, left, 2), test_page);
  watch.moving(exchange(came + 2, other, 2), test_page);
  EXPECT_EQ(judge(200, {other}), Verdict::go_on);
}

TEST_F(Watch, MovesThatBringNothingEnd) {
  watch.moving(exchange(came, left, fast_pages), test_page);
  EXPECT_EQ(judge(5000, {other}), Verdict::stop);
}

TEST_F(Watch, MovesWithoutProofEndWhereTheyHaveToShowWhatTheyBring) {
  watch.moving(exchange(came, left, fast_pages), test_page);
  EXPECT_EQ(judge(20, {other}), Verdict::go_on) << "twenty samples show nothing, neither this nor that";
  EXPECT_EQ(judge(0, {}, Ends::not_shown_worth), Verdict::stop);
}

TEST_F(Watch, MovesThatHelpGoOnThereToo) {
  watch.moving(exchange(came, left, fast_pages - 1), test_page);
  EXPECT_EQ(judge(40, {came}, Ends::not_shown_worth), Verdict::go_on);
  watch.moving(exchange(came + 8, left + 8, 1), test_page);
  EXPECT_EQ(judge(40, {other}, Ends::not_shown_worth), Verdict::go_on) << "half of all accesses are enough";
}

TEST_F(Watch, FewSamplesSayNothing) {
  watch.moving(exchange(came, left, fast_pages), test_page);
  EXPECT_EQ(judge(4, {left}), Verdict::go_on);
  EXPECT_EQ(judge(100, {other}), Verdict::go_on);
}

}  // namespace
}  // namespace lbhm::placement
