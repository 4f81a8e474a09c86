// Which pages a budget means: examples by hand, and agreement with a page-by-page reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

constexpr std::uintptr_t first_object = 1ULL << 40;
constexpr std::uintptr_t stride = 1ULL << 32;

PhaseForecast phase_of(std::vector<TaskForecast> tasks, std::uint64_t capacity_pages, std::uint32_t slots = 3) {
  PhaseForecast phase;
  phase.tasks = std::move(tasks);
  for (std::uint32_t slot = 0; slot < slots; ++slot) phase.objects.push_back(first_object + slot * stride);
  phase.page = test_page;
  phase.room = test_pages(capacity_pages);
  return phase;
}

Budget goals(std::vector<double> accesses) {
  Budget budget;
  for (double a : accesses) {
    TaskBudget task{};
    task.fast_accesses = AccessCount(a);
    budget.tasks.push_back(task);
  }
  return budget;
}

/// slot, first page, pages
using Move = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

std::vector<Move> moves_of(const MigrationPlan& plan) {
  std::vector<Move> moves;
  for (const PageMove& move : plan.moves) {
    EXPECT_EQ(move.to, TierId(0));
    const std::uintptr_t offset = move.address - first_object;
    moves.emplace_back(offset / stride, offset % stride / test_page.value, move.bytes.value / test_page.value);
  }
  return moves;
}

TaskForecast uses(std::vector<ExtentEstimate> extents) { return forecast(straight(0, 2, 1), std::move(extents)); }

TEST(SelectPages, HottestFirstUntilTheGoalIsReached) {
  const auto phase = phase_of({uses({extent(0, 0, 10, 10), extent(0, 20, 5, 50), extent(1, 0, 4, 20)})}, 100);
  // 50 at 10 a page, then 12 of 20 at 5 a page: 3 pages.
  EXPECT_EQ(moves_of(select_pages(phase, goals({62}), TierId(0))), (std::vector<Move>{{0, 20, 5}, {1, 0, 3}}));
}

TEST(SelectPages, APageMovesWhileOneOfItsTasksIsBelowItsGoal) {
  // Slot 0 is shared by both tasks and hottest. Task 0 is done after 1 page of it, task 1 wants 3.
  const auto phase =
      phase_of({uses({extent(0, 0, 10, 100), extent(1, 0, 10, 90)}), uses({extent(0, 0, 10, 100)})}, 100);
  EXPECT_EQ(moves_of(select_pages(phase, goals({10, 30}), TierId(0))), (std::vector<Move>{{0, 0, 3}}));
  // What task 0 got through the shared pages counts for it: 30 of 39 there, 1 page of its own.
  EXPECT_EQ(moves_of(select_pages(phase, goals({39, 30}), TierId(0))), (std::vector<Move>{{0, 0, 4}}));
  EXPECT_TRUE(select_pages(phase, goals({0, 0}), TierId(0)).moves.empty());
}

TEST(SelectPages, StopsWhenFastMemoryIsFull) {
  const auto phase = phase_of({uses({extent(0, 0, 10, 100), extent(1, 0, 10, 50)})}, 12);
  EXPECT_EQ(moves_of(select_pages(phase, goals({150}), TierId(0))), (std::vector<Move>{{0, 0, 10}, {1, 0, 2}}));
  EXPECT_TRUE(select_pages(phase_of({uses({extent(0, 0, 10, 100)})}, 0), goals({100}), TierId(0)).moves.empty());
}

TEST(SelectPages, NeighboursOfOneObjectBecomeOneMove) {
  const auto phase =
      phase_of({uses({extent(0, 0, 2, 2), extent(0, 2, 2, 20), extent(0, 4, 2, 10), extent(1, 6, 1, 9)})}, 9);
  // All are wanted. Slot 0: 32 accesses on 6 pages, 5.3 a page: less than the page of slot 1.
  EXPECT_EQ(moves_of(select_pages(phase, goals({41}), TierId(0))), (std::vector<Move>{{1, 6, 1}, {0, 0, 6}}));
}

TEST(SelectPages, EqualHeatGoesByAddress) {
  const auto phase = phase_of({uses({extent(0, 3, 1, 5), extent(0, 7, 1, 5), extent(1, 0, 1, 5)})}, 2);
  EXPECT_EQ(moves_of(select_pages(phase, goals({15}), TierId(0))), (std::vector<Move>{{0, 3, 1}, {0, 7, 1}}));
}

TEST(SelectPages, FractionsReachTheirGoalsInWholePages) {
  // 0.1 * 3 is a little more than 0.3: that must not cost a fourth page.
  const auto phase = phase_of({uses({extent(0, 0, 10, 1)})}, 100);
  EXPECT_EQ(moves_of(select_pages(phase, goals({0.1 * 3}), TierId(0))), (std::vector<Move>{{0, 0, 3}}));
}

TEST(SelectPages, MissingGoalsAndUnknownObjectsMoveNothing) {
  const auto phase = phase_of({uses({extent(0, 0, 10, 100)}), uses({extent(9, 0, 10, 100)})}, 100);
  EXPECT_TRUE(select_pages(phase, Budget{}, TierId(0)).moves.empty());
  EXPECT_TRUE(select_pages(phase, goals({0, 100}), TierId(0)).moves.empty());
}

/// One task's whole accesses to each page, for the reference.
using Heat = std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<double>>;

/// Section 6, literally: one page after the other.
std::set<std::pair<std::uint32_t, std::uint64_t>> page_by_page(const Heat& heat, const std::vector<double>& goal,
                                                               std::uint64_t capacity) {
  std::vector<std::pair<double, std::pair<std::uint32_t, std::uint64_t>>> order;
  for (const auto& [page, by_task] : heat) {
    double sum = 0;
    for (double h : by_task) sum += h;
    if (sum > 0) order.emplace_back(-sum, page);
  }
  std::sort(order.begin(), order.end());
  std::vector<double> tally(goal.size());
  std::set<std::pair<std::uint32_t, std::uint64_t>> chosen;
  for (const auto& [cold, page] : order) {
    const auto& by_task = heat.at(page);
    bool wanted = false;
    for (std::size_t t = 0; t < goal.size(); ++t) wanted = wanted || (by_task[t] > 0 && tally[t] < goal[t]);
    if (!wanted || chosen.size() == capacity) continue;
    for (std::size_t t = 0; t < goal.size(); ++t) tally[t] += by_task[t];
    chosen.insert(page);
  }
  return chosen;
}

TEST(SelectPages, PropertyAgreesWithPageByPage) {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t task_count = 1 + random() % 5;
    Heat heat;
    std::vector<TaskForecast> tasks;
    std::vector<double> goal;
    for (std::size_t t = 0; t < task_count; ++t) {
      std::vector<ExtentEstimate> extents;
      for (std::uint32_t slot = 0; slot < 3; ++slot) {
        for (std::uint64_t page = random() % 4; page < 40;) {
          const std::uint64_t pages = 1 + random() % 8;
          const auto per_page = static_cast<double>(random() % 6);
          extents.push_back(extent(slot, page, pages, per_page * static_cast<double>(pages)));
          for (std::uint64_t p = page; p < page + pages; ++p) {
            heat[{slot, p}].resize(task_count);
            heat[{slot, p}][t] += per_page;
          }
          page += pages + random() % 3;
        }
      }
      tasks.push_back(uses(extents));
      goal.push_back(static_cast<double>(random() % 200));
    }
    const std::uint64_t capacity = random() % 120;
    const auto plan = select_pages(phase_of(tasks, capacity), goals(goal), TierId(0));
    std::set<std::pair<std::uint32_t, std::uint64_t>> actual;
    for (const auto& [slot, first, pages] : moves_of(plan)) {
      for (std::uint64_t p = first; p < first + pages; ++p) ASSERT_TRUE(actual.emplace(slot, p).second);
    }
    ASSERT_EQ(actual, page_by_page(heat, goal, capacity));
  }
}

}  // namespace
}  // namespace lbhm
