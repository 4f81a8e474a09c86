// Algorithm 1: runs by hand, the ends that the paper does not spell out, and what must hold for any input.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "lbhm/placement.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

Budget budget_of(const std::vector<TaskForecast>& tasks, std::uint64_t pages) {
  return merchandiser_budget(tasks, test_page, test_pages(pages));
}

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

TEST(MerchandiserBudget, ATaskAtItsEndLeavesTheRestToTheOthers) {
  // A stays the longest even with all its pages: B grows then, although the last task finishes no earlier for it.
  const auto budget = budget_of({private_task(0, 500, 400, 20), private_task(1, 100, 50, 20)}, 30);
  expect_task(budget.tasks[0], 1, 20, 400);
  expect_task(budget.tasks[1], 0.5, 10, 75);
}

TEST(MerchandiserBudget, ATaskThatGainsNothingGetsNothing) {
  const auto budget = budget_of({private_task(0, 500, 500, 20), private_task(1, 100, 50, 20)}, 30);
  expect_task(budget.tasks[0], 0, 0, 500);
  expect_task(budget.tasks[1], 1, 20, 50);
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

TEST(MerchandiserBudget, PropertyKeepsTheLimitsAndWastesNothing) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<TaskForecast> tasks;
    const std::size_t count = random() % 30;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const double fast = 1 + static_cast<double>(random() % 50);
      tasks.push_back(private_task(lane, fast * (1 + static_cast<double>(random() % 4)), fast, random() % 90));
    }
    const std::uint64_t capacity = random() % 1500;
    const auto budget = budget_of(tasks, capacity);
    ASSERT_EQ(budget.tasks.size(), tasks.size());
    std::uint64_t used = 0;
    bool all_grown_out = true;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const TaskBudget& task = budget.tasks[i];
      ASSERT_GE(task.fast_share, 0);
      ASSERT_LE(task.fast_share, 1);
      ASSERT_LE(task.predicted, tasks[i].times.slow_only);
      ASSERT_NEAR(task.predicted.value, time_at(tasks[i].times, task.fast_share).value, 1e-9);
      const std::uint64_t pages = task.fast_bytes.value / test_page.value;
      ASSERT_GE(static_cast<double>(pages) + 1e-6,
                task.fast_share * static_cast<double>(tasks[i].accesses.extents[0].pages));
      used += pages;
      const bool gains = tasks[i].times.fast_only < tasks[i].times.slow_only && tasks[i].accesses.total.value > 0;
      all_grown_out = all_grown_out && (!gains || task.fast_share == 1);
    }
    ASSERT_LE(used, capacity);
    ASSERT_TRUE(used == capacity || all_grown_out) << "fast memory was left although a task would gain from it";
  }
}

TEST(MerchandiserBudget, PropertyNoTaskWasGivenMemoryThatALongerOneLacked) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<TaskForecast> tasks;
    for (std::uint32_t lane = 0; lane < 12; ++lane) {
      tasks.push_back(private_task(lane, 100 + static_cast<double>(random() % 200), 50, 100));
    }
    const auto budget = budget_of(tasks, random() % 1200);
    // Before its last step (at most 12.5 long) a task was the longest of those that could still grow.
    double longest = 0;
    for (const TaskBudget& task : budget.tasks) {
      if (task.fast_share < 1) longest = std::max(longest, task.predicted.value);
    }
    for (const TaskBudget& task : budget.tasks) {
      if (task.fast_share > 0) ASSERT_GE(task.predicted.value + 12.5 + 1e-9, longest);
    }
  }
}

}  // namespace
}  // namespace lbhm
