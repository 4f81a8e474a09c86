// Moves that bring nothing end, and those that do harm are undone.
#include "runtime/placement/gain_watch.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

using Verdict = GainWatch::Verdict;
constexpr std::uint64_t fast_pages = 4;

/// So many samples, this share of them of fast memory.
std::vector<AccessSample> samples(int count, double share) {
  std::vector<AccessSample> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].tier = static_cast<double>(i) < share * count ? TierId(0) : TierId(1);
  return all;
}

MigrationPlan exchange(std::uint64_t up, std::uint64_t down, std::uint64_t pages) {
  MigrationPlan plan;
  plan.moves.push_back({.address = test_page.value * down, .bytes = test_pages(pages), .to = TierId(1)});
  plan.moves.push_back({.address = test_page.value * up, .bytes = test_pages(pages), .to = TierId(0)});
  return plan;
}

TEST(GainWatch, MovesThatHelpGoOn) {
  GainWatch watch;
  for (double share = 0.2; share < 0.9; share += 0.1) {
    EXPECT_EQ(watch.judge(samples(500, share), fast_pages), Verdict::go_on);
    watch.moving(exchange(100, 0, fast_pages), test_page);
  }
}

TEST(GainWatch, MovesThatHarmAreUndone) {
  GainWatch watch;
  ASSERT_EQ(watch.judge(samples(200, 0.9), fast_pages), Verdict::go_on);
  watch.moving(exchange(100, 0, 3), test_page);
  ASSERT_EQ(watch.judge(samples(200, 0.55), fast_pages), Verdict::undo);
  const MigrationPlan back = watch.undone(test_page, TierId(1));
  ASSERT_EQ(back.moves.size(), 2u);
  EXPECT_EQ(back.moves[0].address, test_page.value * 100);  // what came leaves first: its room is needed
  EXPECT_EQ(back.moves[0].to, TierId(1));
  EXPECT_EQ(back.moves[1].address, 0u);
  EXPECT_EQ(back.moves[1].to, TierId(0));
  EXPECT_EQ(back.moves[1].bytes, test_pages(3));
}

TEST(GainWatch, PagesThatCameAndWentAreNotUndone) {
  GainWatch watch;
  watch.moving(exchange(100, 0, 2), test_page);
  watch.moving(exchange(0, 100, 2), test_page);
  EXPECT_TRUE(watch.undone(test_page, TierId(1)).moves.empty());
}

TEST(GainWatch, MovesThatBringNothingEnd) {
  GainWatch watch;
  ASSERT_EQ(watch.judge(samples(5000, 0.5), fast_pages), Verdict::go_on);
  int rounds = 0;
  for (Verdict verdict = Verdict::go_on; verdict == Verdict::go_on && rounds < 20; ++rounds) {
    watch.moving(exchange(100 + 2 * fast_pages * static_cast<std::uint64_t>(rounds), 0, fast_pages), test_page);
    verdict = watch.judge(samples(5000, 0.5), fast_pages);
    if (verdict != Verdict::go_on) EXPECT_EQ(verdict, Verdict::stop);
  }
  EXPECT_LE(rounds, 2);
}

TEST(GainWatch, FewSamplesSayNothing) {
  GainWatch watch;
  ASSERT_EQ(watch.judge(samples(20, 0.9), fast_pages), Verdict::go_on);
  watch.moving(exchange(100, 0, fast_pages), test_page);
  EXPECT_EQ(watch.judge(samples(20, 0.1), fast_pages), Verdict::go_on);
}

TEST(GainWatch, EqualSharesDifferByNoError) {
  EXPECT_DOUBLE_EQ(rise({.fast = 50, .all = 100}, {.fast = 50, .all = 100}), 0);
  EXPECT_GT(rise({.fast = 50, .all = 100}, {.fast = 80, .all = 100}), 4);
  EXPECT_EQ(rise({}, {.fast = 80, .all = 100}), 0);
}

}  // namespace
}  // namespace lbhm::placement
