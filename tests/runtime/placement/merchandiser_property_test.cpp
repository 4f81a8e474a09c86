// Algorithm 1: what must hold for any input.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

/// Tasks of 1 to 200 ns, some of which gain nothing or have no pages at all.
std::vector<TaskForecast> any_tasks(std::mt19937_64& random) {
  std::vector<TaskForecast> tasks(random() % 30);
  for (std::uint32_t lane = 0; lane < tasks.size(); ++lane) {
    const double fast = 1 + static_cast<double>(random() % 50);
    tasks[lane] = private_task(lane, fast * (1 + static_cast<double>(random() % 4)), fast, random() % 90);
  }
  return tasks;
}

Nanoseconds longest_of(const Budget& budget) {
  Nanoseconds longest{0};
  for (const TaskBudget& task : budget.tasks) longest = std::max(longest, task.predicted);
  return longest;
}

/// No distribution of any amount of fast memory lets the last task end before this.
Nanoseconds earliest_end(const std::vector<TaskForecast>& tasks) {
  Nanoseconds end{0};
  for (const TaskForecast& task : tasks) {
    end = std::max(end, task.accesses.total.value > 0 ? task.times.fast_only : task.times.slow_only);
  }
  return end;
}

TEST(MerchandiserProperty, KeepsTheLimits) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto tasks = any_tasks(random);
    const std::uint64_t capacity = random() % 1500;
    const auto budget = budget_of(tasks, capacity);
    ASSERT_EQ(budget.tasks.size(), tasks.size());
    std::uint64_t used = 0;
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
    }
    ASSERT_LE(used, capacity);
  }
}

TEST(MerchandiserProperty, FastMemoryIsLeftOnlyIfTheRegionCannotEndEarlier) {
  std::mt19937_64 random(6);
  int full = 0, left = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto tasks = any_tasks(random);
    const std::uint64_t capacity = random() % 1500;
    const auto budget = budget_of(tasks, capacity);
    Bytes used{0};
    for (const TaskBudget& task : budget.tasks) used += task.fast_bytes;
    if (used == test_pages(capacity)) {
      ++full;
    } else {
      ++left;
      ASSERT_NEAR(longest_of(budget).value, earliest_end(tasks).value, 1e-9);
    }
  }
  // Both ends of the algorithm were seen.
  EXPECT_GT(full, 100);
  EXPECT_GT(left, 100);
}

TEST(MerchandiserProperty, ATaskIsGivenMemoryOnlyWhileItIsTheLongest) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto tasks = any_tasks(random);
    const auto budget = budget_of(tasks, random() % 1500);
    const double longest = longest_of(budget).value;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const double step = (tasks[i].times.slow_only - tasks[i].times.fast_only).value / (TaskTimes::points - 1);
      // The longest time never grows, so a task that was the longest before its last step was at least as long as that.
      if (budget.tasks[i].fast_share > 0) ASSERT_GE(budget.tasks[i].predicted.value + step + 1e-9, longest);
    }
  }
}

}  // namespace
}  // namespace lbhm
