// Which pages are held back once tasks have reached their goals: by samples, by the forecast, by both.
#include <gtest/gtest.h>

#include "runtime/placement/budgets/task_goals.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t first = 0x100000, second = 0x900000, shared = 0x500000, elsewhere = 0x2000000;

/// Two tasks with ten pages each of an object of their own and ten that both use; both are to have 100 fast accesses.
class TaskGoalsTest : public testing::Test {
 protected:
  TaskGoalsTest() {
    phase.tasks = {forecast(straight(0, 100, 50), {extent(0, 0, 10, 100), extent(1, 0, 10, 100)}),
                   forecast(straight(1, 100, 50), {extent(1, 0, 10, 100), extent(2, 0, 10, 100)})};
    phase.objects = {first, shared, second};
    Budget budget{.tasks = std::vector<TaskBudget>(2)};
    for (std::uint32_t lane = 0; lane < 2; ++lane) {
      budget.tasks[lane].lane = LaneId(lane);
      budget.tasks[lane].fast_accesses = AccessCount(100);
    }
    goals = TaskGoals(phase, budget, objects);
  }
  void access(std::uint32_t lane, std::uintptr_t address, TierId tier, int times = 1) {
    for (int i = 0; i < times; ++i) {
      AccessSample sample;
      sample.address = address;
      sample.lane = LaneId(lane);
      sample.tier = tier;
      goals.count({&sample, 1}, AccessCount(10));
    }
  }
  /// Lane 0 has had its fast accesses.
  void lane_0_reaches_its_goal() { access(0, first, fast, 10); }

  PhaseForecast phase;
  std::vector<PlacedObject> objects{
      {first, test_pages(20), ""}, {second, test_pages(20), ""}, {shared, test_pages(20), ""}};
  TaskGoals goals;
};

TEST_F(TaskGoalsTest, WithoutGoalsNothingIsHeldBack) { EXPECT_FALSE(TaskGoals().holds_back(first)); }

TEST_F(TaskGoalsTest, AtFirstNothingIsHeldBack) {
  EXPECT_FALSE(goals.holds_back(first));
  EXPECT_FALSE(goals.reached(0));
}

TEST_F(TaskGoalsTest, ThePagesOfATaskAreHeldBackOnceItHasItsFastAccesses) {
  access(0, first, fast, 9);
  EXPECT_FALSE(goals.holds_back(first));
  access(0, first, fast);
  EXPECT_TRUE(goals.reached(0));
  EXPECT_TRUE(goals.holds_back(first));
  EXPECT_FALSE(goals.holds_back(second)) << "the other task's";
}

TEST_F(TaskGoalsTest, AccessesToSlowMemoryAndToOtherMemoryReachNoGoal) {
  access(0, first, slow, 100);
  access(0, elsewhere, fast, 100);
  access(7, first, fast, 100);  // no task of the forecast
  EXPECT_FALSE(goals.reached(0));
}

TEST_F(TaskGoalsTest, APageThatBothUseGoesUpUntilBothHaveReachedTheirGoals) {
  lane_0_reaches_its_goal();
  EXPECT_FALSE(goals.holds_back(shared));
  access(1, second, fast, 10);
  EXPECT_TRUE(goals.holds_back(shared));
}

TEST_F(TaskGoalsTest, ASampleSaysMoreThanTheForecastKnew) {
  lane_0_reaches_its_goal();
  access(1, first + 3 * 4096 + 64, slow);
  EXPECT_FALSE(goals.holds_back(first + 3 * 4096));
  EXPECT_TRUE(goals.holds_back(first + 4 * 4096));
}

TEST_F(TaskGoalsTest, APageOfWhichNobodyKnowsWhoUsesItIsNotHeldBack) {
  lane_0_reaches_its_goal();
  access(1, second, fast, 10);
  EXPECT_FALSE(goals.holds_back(first + 15 * 4096));
  EXPECT_FALSE(goals.holds_back(elsewhere));
  access(0, first + 15 * 4096, slow);
  EXPECT_TRUE(goals.holds_back(first + 15 * 4096));
}

TEST_F(TaskGoalsTest, AGoalOfNothingIsReachedFromTheStart) {
  Budget nothing{.tasks = std::vector<TaskBudget>(2)};
  nothing.tasks[1].lane = LaneId(1);
  EXPECT_TRUE(TaskGoals(phase, nothing, objects).holds_back(first));
}

}  // namespace
}  // namespace lbhm::placement
