// Which pages does the plan choose at the prices of tasks?
#include "runtime/placement/value/task_prices.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/forecasts.h"

namespace lbhm::placement {
namespace {

class TaskPricesTest : public testing::Test {
 protected:
  TaskPricesTest() {
    phase_.tasks = {private_task(0, 2000, 1000, 100), private_task(1, 4000, 1000, 100)};
    phase_.objects = {1ULL << 40, 2ULL << 40};
    phase_.bytes = {test_pages(100), test_pages(100)};
    phase_.page = test_page;
    phase_.room = test_pages(100);
    phase_.placement.tiers.resize(2);
  }
  std::uint64_t chosen_of(const PricedPlan& plan, std::size_t object) const {
    std::uint64_t pages = 0;
    plan.chosen.visit(phase_.objects[object], phase_.objects[object] + phase_.bytes[object].value,
                      [&](std::uintptr_t begin, std::uintptr_t end, bool chosen) {
                        pages += chosen ? (end - begin) / test_page.value : 0;
                      });
    return pages;
  }
  PhaseForecast phase_;
};

TEST_F(TaskPricesTest, TasksEndTogetherAsFarAsPredictionsAreRight) {
  const PricedPlan plan = price_pages(phase_);
  EXPECT_EQ(chosen_of(plan, 0) + chosen_of(plan, 1), 100u);
  // 2000 - 10 x = 4000 - 30 (100 - x): x = 25.
  EXPECT_NEAR(static_cast<double>(chosen_of(plan, 0)), 25, 5);
  EXPECT_NEAR(plan.budget.tasks[0].predicted.value, plan.budget.tasks[1].predicted.value, 200);
}

TEST_F(TaskPricesTest, TheLessPredictionsAreRightTheMoreGoesToWhoGainsMost) {
  phase_.prediction_error = 1;
  EXPECT_GT(chosen_of(price_pages(phase_), 1), 85u);
}

TEST_F(TaskPricesTest, PagesStayWhereCopiesCostMoreThanTheyGain) {
  phase_.placement.tiers[0] = {{1ULL << 40, test_pages(100)}};
  phase_.page_move = Nanoseconds(1000);
  EXPECT_EQ(chosen_of(price_pages(phase_), 0), 100u);
  phase_.instances = 1000;
  EXPECT_GT(chosen_of(price_pages(phase_), 1), 60u) << "many rounds pay for them";
}

TEST_F(TaskPricesTest, OfEqualPagesThoseThatAreThereAreChosen) {
  phase_.placement.tiers[0] = {{(2ULL << 40) + 50 * test_page.value, test_pages(50)}};
  const PricedPlan plan = price_pages(phase_);
  EXPECT_TRUE(plan.chosen.find((2ULL << 40) + 99 * test_page.value)->second.value);
  EXPECT_TRUE(plan.chosen.find((2ULL << 40) + 50 * test_page.value)->second.value);
}

TEST_F(TaskPricesTest, APhaseOfTwoRegionsServesBoth) {
  phase_.tasks[1].region = 1;
  const PricedPlan plan = price_pages(phase_);
  EXPECT_GT(chosen_of(plan, 1), 90u) << "a page of the second task gains three times as much";
  EXPECT_NEAR(plan.time.value, 2000 + 1000, 150);
}

TEST_F(TaskPricesTest, NoRoomAndNoTasksAreNoTrouble) {
  phase_.room = Bytes(0);
  EXPECT_EQ(chosen_of(price_pages(phase_), 1), 0u);
  phase_.tasks.clear();
  EXPECT_TRUE(price_pages(phase_).budget.tasks.empty());
}

}  // namespace
}  // namespace lbhm::placement
