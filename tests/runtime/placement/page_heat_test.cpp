// Extents of all tasks become runs of pages that the same tasks use alike.
#include "runtime/placement/heat/page_heat.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

TaskForecast uses(std::vector<ExtentEstimate> extents) { return forecast(straight(0, 2, 1), std::move(extents)); }

struct Expected {
  std::uint32_t slot;
  std::uint64_t first, pages;
  double per_page;
  std::vector<std::size_t> users;
};

void expect_runs(const placement::HeatMap& map, const std::vector<Expected>& expected) {
  ASSERT_EQ(map.runs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(map.runs[i].slot.value, expected[i].slot);
    EXPECT_EQ(map.runs[i].first.value, expected[i].first);
    EXPECT_EQ(map.runs[i].pages, expected[i].pages);
    EXPECT_DOUBLE_EQ(map.runs[i].per_page.value, expected[i].per_page);
    std::vector<std::size_t> users;
    for (const auto& user : map.users_of(map.runs[i])) users.push_back(user.task);
    EXPECT_EQ(users, expected[i].users);
  }
}

TEST(PageHeat, OverlapsAreCutAtEveryBorder) {
  //  page    0 1 2 3 4 5 6 7
  //  task 0  2 2 2 2 . . . .
  //  task 1  . . 1 1 1 1 . .
  const auto map = placement::merge_extents(std::vector{uses({extent(0, 0, 4, 8)}), uses({extent(0, 2, 4, 4)})});
  expect_runs(map, {{0, 0, 2, 2, {0}}, {0, 2, 2, 3, {0, 1}}, {0, 4, 2, 1, {1}}});
}

TEST(PageHeat, GapsObjectsAndExtentsWithoutAccesses) {
  const auto map =
      placement::merge_extents(std::vector{uses({extent(0, 5, 1, 7), extent(2, 0, 2, 2)}),
                                           uses({extent(0, 0, 3, 0), extent(1, 9, 1, 1), extent(2, 0, 2, 4)})});
  expect_runs(map, {{0, 5, 1, 7, {0}}, {1, 9, 1, 1, {1}}, {2, 0, 2, 3, {0, 1}}});
}

TEST(PageHeat, NobodyUsesAnything) {
  EXPECT_TRUE(placement::merge_extents({}).runs.empty());
  EXPECT_TRUE(placement::merge_extents(std::vector{uses({}), uses({extent(0, 0, 5, 0)})}).runs.empty());
}

TEST(PageHeat, ItsSizeDoesNotDependOnTheNumberOfPages) {
  for (std::uint64_t pages : {1ULL, 1000ULL, 1ULL << 40}) {
    std::vector<TaskForecast> tasks;
    for (int i = 0; i < 24; ++i) tasks.push_back(uses({extent(0, 0, pages, 1), extent(0, pages, pages, 2)}));
    const auto map = placement::merge_extents(tasks);
    EXPECT_EQ(map.runs.size(), 2u);
    EXPECT_EQ(map.users.size(), 48u);
  }
}

}  // namespace
}  // namespace lbhm
