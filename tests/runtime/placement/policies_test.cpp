// The table of policies and what each of them does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "runtime/placement/placement.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

std::unique_ptr<Policy> made(std::string_view name) {
  auto policy = make_policy(name);
  EXPECT_TRUE(policy.has_value()) << name;
  return policy ? std::move(*policy) : nullptr;
}

TEST(PolicyTable, EveryEntryMakesThePolicyOfItsName) {
  std::set<std::string_view> names;
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_EQ(made(entry.name)->name(), entry.name);
    EXPECT_FALSE(entry.sentence.empty());
  }
  EXPECT_THAT(names,
              IsSupersetOf({"slow-only", "fast-only", "first-touch", "lbhm", "merchandiser", "scatter", "memory-mode",
                            "memory-optimizer", "tpp", "memtis", "colloid", "soar", "sparta", "warpx-pm", "oracle"}));
}

TEST(PolicyTable, AnUnknownNameIsAnsweredWithTheNamesThatExist) {
  const auto policy = make_policy("magic");
  ASSERT_FALSE(policy.has_value());
  EXPECT_EQ(policy.error().code(), StatusCode::not_found);
  EXPECT_THAT(policy.error().message(), HasSubstr("'magic'"));
  EXPECT_THAT(policy.error().message(), HasSubstr("slow-only, fast-only, first-touch, lbhm, merchandiser, scatter"));
}

TEST(Policies, OrderOfTiersForAnyNumberOfThem) {
  const TierId t0(0), t1(1), t2(2);
  for (const char* name :
       {"fast-only", "first-touch", "lbhm", "memory-mode", "memory-optimizer", "tpp", "memtis", "colloid"}) {
    EXPECT_THAT(made(name)->first_touch_order(3), ElementsAre(t0, t1, t2)) << name;
  }
  // Algorithm 1 takes the times of the tasks in slow memory as its input, so merchandiser's base instance runs there.
  for (const char* name : {"slow-only", "merchandiser", "scatter", "oracle", "soar", "sparta", "warpx-pm"}) {
    EXPECT_THAT(made(name)->first_touch_order(3), ElementsAre(t2, t1, t0)) << name;
  }
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_THAT(entry.make()->first_touch_order(1), ElementsAre(t0)) << entry.name;
  }
}

TEST(Policies, MerchandiserForecastsAndReferencesIgnoreCapacity) {
  for (const PolicyEntry& entry : policy_table()) {
    const auto policy = entry.make();
    EXPECT_EQ(policy->uses_forecast(), entry.name == "merchandiser" || entry.name == "lbhm");
    EXPECT_EQ(policy->ignores_capacity(), entry.name == "fast-only" || entry.name == "scatter");
    EXPECT_EQ(policy->scatters(), entry.name == "scatter");
    EXPECT_EQ(policy->memory_mode(), entry.name == "memory-mode");
  }
}

TEST(Policies, MerchandiserGivesThePagesOfTheLongestTaskFastMemory) {
  ScopeForecast scope;
  scope.tasks = {private_task(0, 100, 50, 100), private_task(1, 400, 100, 100)};
  scope.objects = {0x100000, 0x900000};
  scope.fast_capacity = test_pages(40);
  const Decision decision = made("merchandiser")->decide(scope);
  ASSERT_EQ(decision.budget.tasks.size(), 2u);
  EXPECT_EQ(decision.budget.tasks[0].fast_bytes, Bytes(0));
  EXPECT_EQ(decision.budget.tasks[1].fast_bytes, test_pages(40));
  EXPECT_NEAR(decision.budget.tasks[1].predicted.value, 400 - 0.4 * 300, 1e-9);
  ASSERT_EQ(decision.plan.moves.size(), 1u);
  EXPECT_EQ(decision.plan.moves[0].address, 0x900000u);
  EXPECT_EQ(decision.plan.moves[0].bytes, test_pages(40));
  EXPECT_EQ(decision.plan.moves[0].to, TierId(0));
}

TEST(Policies, MerchandiserOnAnEmptyScopeDecidesNothing) {
  const Decision decision = made("merchandiser")->decide(ScopeForecast{});
  EXPECT_TRUE(decision.budget.tasks.empty());
  EXPECT_TRUE(decision.plan.moves.empty());
}

}  // namespace
}  // namespace lbhm
