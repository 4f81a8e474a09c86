// Algorithm 1: runs by hand, and the ends that the paper does not spell out.
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

void expect_task(const TaskBudget& task, double share, std::uint64_t pages, double predicted) {
  EXPECT_NEAR(task.fast_share, share, 1e-9);
  EXPECT_EQ(task.fast_bytes, test_pages(pages));
  EXPECT_NEAR(task.predicted.value, predicted, 1e-9);
}

TEST(MerchandiserBudget, TheLongestTaskGrowsUntilItIsNoLongerTheLongest) {
  // A: 200 to 100 in steps of 5, B: 150 to 75 in steps of 3.75; a step is 5 pages of 100.
  // A takes 10 steps (50 pages) and reaches 150 = B. Tie: A takes one more, 145. B takes one, 146.25: fast memory is
  // full.
  const auto budget = budget_of({private_task(0, 200, 100, 100), private_task(1, 150, 75, 100)}, 60);
  ASSERT_EQ(budget.tasks.size(), 2u);
  expect_task(budget.tasks[0], 0.55, 55, 145);
  expect_task(budget.tasks[1], 0.05, 5, 146.25);
  EXPECT_NEAR(budget.tasks[0].fast_accesses.value, 550, 1e-9);
  EXPECT_EQ(budget.tasks[1].lane, LaneId(1));
}

TEST(MerchandiserBudget, ATaskStopsAsSoonAsItIsNoLongerThanTheSecond) {
  // Task 1 reaches exactly the 150 of task 0 with 50 pages and stops there; the lower lane has the next turn.
  const auto budget = budget_of({private_task(0, 150, 75, 100), private_task(1, 200, 100, 100)}, 55);
  expect_task(budget.tasks[0], 0.05, 5, 146.25);
  expect_task(budget.tasks[1], 0.5, 50, 150);
}

TEST(MerchandiserBudget, TheStepThatWouldOverflowIsTrimmedToWholePages) {
  const auto budget = budget_of({private_task(0, 200, 100, 100)}, 12);
  expect_task(budget.tasks[0], 0.12, 12, 188);
  // Half a page does not count.
  const Budget half =
      merchandiser_budget(std::vector{private_task(0, 200, 100, 100)}, test_page, Bytes(4096 * 12 + 2048));
  expect_task(half.tasks[0], 0.12, 12, 188);
}

TEST(MerchandiserBudget, ASingleTaskTakesWhatHelpsIt) {
  expect_task(budget_of({private_task(0, 200, 100, 40)}, 1000).tasks[0], 1, 40, 100);
}

TEST(MerchandiserBudget, ItEndsWhenTheLongestTaskHasAllThatItNeeds) {
  // A stays the longest even with all its pages: what B could gain would not make the region end earlier.
  const auto budget = budget_of({private_task(0, 500, 400, 20), private_task(1, 100, 50, 20)}, 30);
  expect_task(budget.tasks[0], 1, 20, 400);
  expect_task(budget.tasks[1], 0, 0, 100);
}

TEST(MerchandiserBudget, WhenItEndsTheOthersKeepWhatTheyNeededSoFar) {
  // A: 200 to 100 in steps of 5, B: 180 to 160 in steps of 1; a step is 1 page of 20. They take turns down to 160 = A =
  // B: 8 steps of A, all 20 of B. A has the lower lane and takes one more, 155. Then B is the longest, and it ends with
  // 71 pages free.
  const auto budget = budget_of({private_task(0, 200, 100, 20), private_task(1, 180, 160, 20)}, 100);
  expect_task(budget.tasks[0], 0.45, 9, 155);
  expect_task(budget.tasks[1], 1, 20, 160);
}

TEST(MerchandiserBudget, WhereATaskThatCannotGrowIsPassedOverTheOthersUseFastMemoryUp) {
  // The first and the last of those above: A has all that helps it and stays the longest; B takes what is left.
  const std::vector tasks{private_task(0, 500, 400, 20), private_task(1, 100, 50, 20)};
  const Budget budget = merchandiser_budget(tasks, test_page, test_pages(30), GrownOut::is_passed_over);
  expect_task(budget.tasks[0], 1, 20, 400);
  expect_task(budget.tasks[1], 0.5, 10, 75);
  const Budget plenty = merchandiser_budget(tasks, test_page, test_pages(100), GrownOut::is_passed_over);
  expect_task(plenty.tasks[1], 1, 20, 50);
}

TEST(MerchandiserBudget, ATaskThatGainsNothingGetsNothing) {
  // As the longest it ends the algorithm at once.
  const auto longest = budget_of({private_task(0, 500, 500, 20), private_task(1, 100, 50, 20)}, 30);
  expect_task(longest.tasks[0], 0, 0, 500);
  expect_task(longest.tasks[1], 0, 0, 100);
  // As the quicker one it ends it when the other has come down to it: 500 to 50 in steps of 22.5.
  const auto second = budget_of({private_task(0, 100, 100, 20), private_task(1, 500, 50, 20)}, 30);
  expect_task(second.tasks[0], 0, 0, 100);
  expect_task(second.tasks[1], 0.9, 18, 95);
}

TEST(MerchandiserBudget, ATaskBoundByBandwidthStopsAtTheBestMix) {
  TaskForecast task = private_task(0, 400, 100, 100);
  for (std::size_t point = 0; point < TaskTimes::points; ++point) {
    const double r = TaskTimes::share(point);
    task.times.curve[point] = Nanoseconds(std::max(400 * (1 - r), 100 * r));
  }
  expect_task(budget_of({task}, 1000).tasks[0], 0.8, 80, 80);
}

TEST(MerchandiserBudget, OfEqualTasksTheLowestLaneGrowsFirst) {
  const auto budget = budget_of({private_task(0, 100, 50, 20), private_task(1, 100, 50, 20)}, 1);
  expect_task(budget.tasks[0], 0.05, 1, 97.5);
  expect_task(budget.tasks[1], 0, 0, 100);
}

TEST(MerchandiserBudget, NothingToGive) {
  EXPECT_TRUE(budget_of({}, 100).tasks.empty());
  expect_task(budget_of({private_task(0, 200, 100, 100)}, 0).tasks[0], 0, 0, 200);
  expect_task(merchandiser_budget(std::vector{private_task(0, 200, 100, 100)}, Bytes(0), Bytes(9)).tasks[0], 0, 0, 200);
  expect_task(budget_of({forecast(straight(0, 200, 100), {})}, 100).tasks[0], 0, 0, 200);
  expect_task(budget_of({forecast(straight(0, 200, 100), {extent(0, 0, 50, 0)})}, 100).tasks[0], 0, 0, 200);
}

}  // namespace
}  // namespace lbhm
