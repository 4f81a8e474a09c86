// Plans that made a phase slower are taken back.
#include "runtime/placement/layouts/best_layout.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

constexpr std::uintptr_t object = 1ULL << 40;
constexpr AccessCount usual(1000);

PageRange pages(std::uint64_t first, std::uint64_t count) {
  return {object + first * test_page.value, test_pages(count)};
}

BestLayout::Ended took(double time, AccessCount accesses = usual, bool settled = true) {
  return {.time = Nanoseconds(time), .accesses = accesses, .settled = settled};
}

/// The instance before took so long; this one begins with these pages in fast memory.
bool begins(BestLayout& best, double before, std::vector<PageRange> fast, AccessCount accesses = usual) {
  return best.begins({{object}, std::move(fast)}, took(before, accesses));
}

/// Two of them, for during one the copies of its plan may have taken time.
bool begins_twice(BestLayout& best, double before, const std::vector<PageRange>& fast, AccessCount accesses = usual) {
  begins(best, before, fast, accesses);
  return begins(best, before, fast, accesses);
}

/// The first instance took 100, with pages 0 to 9.
BestLayout after_a_good_one() {
  BestLayout best;
  begins(best, 0, {pages(0, 10)}, AccessCount(0));
  EXPECT_FALSE(begins(best, 100, {pages(50, 10)}));
  return best;
}

TEST(BestLayout, APlanThatHarmedTwiceIsTakenBack) {
  BestLayout best = after_a_good_one();
  ASSERT_FALSE(begins(best, 120, {pages(50, 10)})) << "its copies took time, too";
  ASSERT_TRUE(begins(best, 120, {pages(50, 10)}));
  PhaseForecast phase;
  phase.placement.tiers = {{pages(5, 10)}};
  EXPECT_EQ(best.fast()[0].address, pages(0, 10).address);
  const MigrationPlan back = best.back(phase);
  ASSERT_EQ(back.moves.size(), 2u);
  EXPECT_EQ(back.moves[0].to, phase.slowest);
  EXPECT_EQ(back.moves[0].address, pages(10, 5).address);
  EXPECT_EQ(back.moves[1].to, phase.fast);
  EXPECT_EQ(back.moves[1].address, pages(0, 5).address);
}

TEST(BestLayout, APlanThatHelpedIsTheBestFromThenOn) {
  BestLayout best = after_a_good_one();
  EXPECT_FALSE(begins(best, 80, {pages(60, 10)}));
  EXPECT_TRUE(begins_twice(best, 100, {pages(60, 10)})) << "100 was good before";
  EXPECT_EQ(best.fast()[0].address, pages(50, 10).address);
}

TEST(BestLayout, TimesThatDifferByChanceChangeNothing) {
  BestLayout best = after_a_good_one();
  EXPECT_FALSE(begins_twice(best, 104, {pages(50, 10)}));
}

TEST(BestLayout, SlowInstancesThatDoNotFollowEachOtherAreChance) {
  BestLayout best = after_a_good_one();
  EXPECT_FALSE(begins(best, 120, {pages(50, 10)}));
  EXPECT_FALSE(begins(best, 100, {pages(50, 10)}));
  EXPECT_FALSE(begins(best, 120, {pages(50, 10)}));
}

TEST(BestLayout, ItsPagesStayUntilTheProgramDoesSomethingElse) {
  BestLayout best = after_a_good_one();
  EXPECT_TRUE(begins_twice(best, 120, {pages(0, 10)}));
  EXPECT_TRUE(begins(best, 100, {pages(0, 10)}));
  EXPECT_TRUE(begins(best, 110, {pages(0, 10)}));
  EXPECT_TRUE(begins(best, 130, {pages(0, 10)})) << "the copies of the way back took time";
  EXPECT_FALSE(begins(best, 130, {pages(0, 10)}));
}

TEST(BestLayout, AnInstanceInWhichPagesMovedIsNotTheBest) {
  BestLayout best = after_a_good_one();
  EXPECT_FALSE(best.begins({{object}, std::vector{pages(60, 10)}}, took(80, usual, false)));
  ASSERT_FALSE(begins_twice(best, 100, {pages(60, 10)})) << "as good as the first";
  EXPECT_TRUE(begins_twice(best, 120, {pages(60, 10)}));
  EXPECT_EQ(best.fast()[0].address, pages(0, 10).address) << "whose pages made those 80 nobody knows";
}

TEST(BestLayout, PagesCanBeToldLaterAndWithoutThemNothingIsSaid) {
  for (const bool told : {true, false}) {
    BestLayout best;
    best.begins({{object}, {}}, took(0, AccessCount(0)));
    EXPECT_TRUE(best.wants_pages());
    if (told) best.pages_are({pages(0, 10)});
    best.begins({{object}, std::vector{pages(50, 10)}}, took(100, usual, told));
    EXPECT_EQ(begins_twice(best, 120, {pages(50, 10)}), told);
  }
}

TEST(BestLayout, WhereNoPageMovedTheyWereWhereTheyAre) {
  BestLayout best;
  best.begins({{object}, {}}, took(0, AccessCount(0)));
  begins(best, 100, {pages(0, 10)});
  EXPECT_TRUE(begins_twice(best, 120, {pages(50, 10)}));
  EXPECT_EQ(best.fast()[0].address, pages(0, 10).address);
}

TEST(BestLayout, OtherWorkOtherObjectsAndOtherPhasesBetweenSayNothing) {
  BestLayout best = after_a_good_one();
  EXPECT_FALSE(begins_twice(best, 300, {pages(50, 10)}, usual * 3.0)) << "three times the accesses";
  best = after_a_good_one();
  EXPECT_FALSE(begins_twice(best, 300, {pages(50, 10)}, AccessCount(0)))
      << "another phase between, or nothing is counted";
  best = after_a_good_one();
  begins(best, 300, {pages(50, 10)});
  EXPECT_FALSE(best.begins({{object + 1}, std::vector<PageRange>()}, took(300)));
}

}  // namespace
}  // namespace lbhm::placement
