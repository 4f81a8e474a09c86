// Does a program that plans for ever keep its memory, and does the report know what it leaves out?
#include "runtime/engine/plan_log.h"

#include <gtest/gtest.h>

namespace lbhm::engine {
namespace {

PlanRecord of_instance(std::uint32_t instance) {
  PlanRecord record;
  record.instance = instance;
  return record;
}

TEST(PlanLog, KeepsTheFirstPlans) {
  PlanLog log;
  for (std::uint32_t i = 0; i < PlanLog::kept_plans; ++i) EXPECT_EQ(log.add(of_instance(i)), i);
  EXPECT_EQ(log.left_out(), 0u);
  EXPECT_EQ(log.add(of_instance(7)), std::nullopt);
  EXPECT_EQ(log.records().size(), PlanLog::kept_plans);
  EXPECT_EQ(log.left_out(), 1u);
}

TEST(PlanLog, AKeptPlanCanBeCompletedLater) {
  PlanLog log;
  const auto number = log.add(of_instance(3));
  ASSERT_NE(log.kept(number), nullptr);
  log.kept(number)->running_error = 0.5;
  EXPECT_EQ(log.records().front().running_error, 0.5);
}

TEST(PlanLog, APlanThatIsOnlyCountedHasNoRecord) { EXPECT_EQ(PlanLog().kept(std::nullopt), nullptr); }

}  // namespace
}  // namespace lbhm::engine
