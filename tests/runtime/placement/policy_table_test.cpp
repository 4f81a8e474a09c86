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
using testing::IsEmpty;
using testing::IsSupersetOf;

std::unique_ptr<Policy> made(std::string_view name) {
  auto policy = make_policy(name);
  EXPECT_TRUE(policy.has_value()) << name;
  return policy ? std::move(*policy) : nullptr;
}

Topology of_tiers(std::size_t count) {
  Topology machine;
  machine.tiers.resize(count);
  for (std::size_t tier = 0; tier < count; ++tier)
    machine.tiers[tier].latency_random = Nanoseconds(100 * static_cast<double>(tier + 1));
  return machine;
}

Decision on_phase(std::string_view name, const PhaseForecast& phase) {
  const Topology machine = of_tiers(2);
  return made(name)->on_phase({.objects = {}, .machine = machine, .forecast = &phase});
}

TEST(PolicyTable, EveryEntryMakesThePolicyOfItsName) {
  std::set<std::string_view> names;
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_EQ(made(entry.name)->name(), entry.name);
    EXPECT_FALSE(entry.sentence.empty());
  }
  EXPECT_THAT(names, IsSupersetOf({"slow-only", "fast-only",    "first-touch",      "lbhm",       "merchandiser",
                                   "scatter",   "memory-mode",  "memory-optimizer", "tpp",        "memtis",
                                   "colloid",   "soar",         "sparta",           "warpx-pm",   "oracle",
                                   "h2m-fcfs",  "h2m-initial",  "h2m-lifetime",     "h2m-phases", "lbhm-offline",
                                   "sicm",      "sicm-offline", "interleave",       "hybridtier", "alto",
                                   "pact"}));
}

TEST(PolicyTable, AnUnknownNameIsAnsweredWithTheNamesThatExist) {
  const auto policy = make_policy("magic");
  ASSERT_FALSE(policy.has_value());
  EXPECT_EQ(policy.error().code(), StatusCode::not_found);
  EXPECT_THAT(policy.error().message(), HasSubstr("'magic'"));
  EXPECT_THAT(policy.error().message(), HasSubstr("first-touch, lbhm, merchandiser, merchandiser-once, scatter"));
}

TEST(PolicyTable, PartsThatAPolicyDoesNotHaveCannotBeLeftOut) {
  EXPECT_TRUE(make_policy("merchandiser", {.without = "goals,thermostat"}).has_value());
  const auto policy = make_policy("merchandiser", {.without = "goals,doubt"});
  ASSERT_FALSE(policy.has_value());
  EXPECT_EQ(policy.error().code(), StatusCode::invalid_argument);
  EXPECT_THAT(policy.error().message(),
              HasSubstr("LBHM_WITHOUT: policy merchandiser has no part 'doubt' to leave out"));
  EXPECT_FALSE(make_policy("tpp", {.without = "costs"}).has_value());
}

TEST(Policies, LbhmLooksAtPagesWhileTheProgramRunsWhereThereAreTwoMemories) {
  Topology as_fast = of_tiers(2);
  as_fast.tiers[1].latency_random = as_fast.tiers[0].latency_random;
  EXPECT_TRUE(made("lbhm")->needs(of_tiers(2)).interval.has_value());
  EXPECT_TRUE(made("lbhm")->needs(as_fast).interval.has_value()) << "fast memory may have more bandwidth all the same";
  EXPECT_FALSE(made("lbhm")->needs(of_tiers(1)).interval.has_value());
}

TEST(Policies, OrderOfTiersForAnyNumberOfThem) {
  const TierId t0(0), t1(1), t2(2);
  for (const char* name : {"fast-only", "first-touch", "lbhm", "merchandiser", "memory-mode", "memory-optimizer", "tpp",
                           "memtis", "colloid", "interleave", "hybridtier", "alto", "pact"}) {
    EXPECT_THAT(made(name)->needs(of_tiers(3)).first_touch, ElementsAre(t0, t1, t2)) << name;
  }
  // Algorithm 1 takes the times of the tasks in slow memory as its input, so merchandiser-once has its base instance
  // there.
  for (const char* name :
       {"slow-only", "merchandiser-once", "scatter", "oracle", "soar", "sparta", "warpx-pm", "h2m-fcfs"}) {
    EXPECT_THAT(made(name)->needs(of_tiers(3)).first_touch, ElementsAre(t2, t1, t0)) << name;
  }
  for (const PolicyEntry& entry : policy_table()) {
    EXPECT_THAT(made(entry.name)->needs(of_tiers(1)).first_touch, ElementsAre(t0)) << entry.name;
    EXPECT_THAT(made(entry.name)->needs(of_tiers(0)).first_touch, IsEmpty()) << entry.name;
  }
}

TEST(Policies, OursForecastAndReferencesIgnoreCapacity) {
  for (const PolicyEntry& entry : policy_table()) {
    const Needs needs = made(entry.name)->needs(of_tiers(2));
    EXPECT_EQ(needs.forecast, entry.name.starts_with("merchandiser") || entry.name == "lbhm");
    EXPECT_EQ(needs.unlimited, entry.name == "fast-only" || entry.name == "scatter");
    EXPECT_EQ(needs.scatter, entry.name == "scatter");
    EXPECT_EQ(needs.memory_mode, entry.name == "memory-mode");
    EXPECT_EQ(needs.script,
              entry.name == "oracle" || entry.name.starts_with("h2m-") || entry.name.ends_with("-offline"));
  }
}

TEST(Policies, MerchandiserOnceGivesThePagesOfTheLongestTaskFastMemory) {
  PhaseForecast phase;
  phase.tasks = {private_task(0, 100, 50, 100), private_task(1, 400, 100, 100)};
  phase.objects = {0x100000, 0x900000};
  phase.room = test_pages(40);
  const Decision decision = on_phase("merchandiser-once", phase);
  ASSERT_EQ(decision.budget.tasks.size(), 2u);
  EXPECT_EQ(decision.budget.tasks[0].fast_bytes, Bytes(0));
  EXPECT_EQ(decision.budget.tasks[1].fast_bytes, test_pages(40));
  EXPECT_NEAR(decision.budget.tasks[1].predicted.value, 400 - 0.4 * 300, 1e-9);
  ASSERT_EQ(decision.plan.moves.size(), 1u);
  EXPECT_EQ(decision.plan.moves[0].address, 0x900000u);
  EXPECT_EQ(decision.plan.moves[0].bytes, test_pages(40));
  EXPECT_EQ(decision.plan.moves[0].to, TierId(0));
}

TEST(Policies, MerchandiserHasTheSameGoalsAndMovesNothingBeforeTheRegion) {
  PhaseForecast phase;
  phase.tasks = {private_task(0, 100, 50, 100), private_task(1, 400, 100, 100)};
  phase.objects = {0x100000, 0x900000};
  phase.room = test_pages(40);
  const Decision goals = on_phase("merchandiser", phase), once = on_phase("merchandiser-once", phase);
  ASSERT_EQ(goals.budget.tasks.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(goals.budget.tasks[i].fast_accesses, once.budget.tasks[i].fast_accesses);
  EXPECT_TRUE(goals.plan.moves.empty());
}

TEST(Policies, MerchandiserOnAnEmptyPhaseDecidesNothing) {
  for (const char* name : {"merchandiser", "merchandiser-once"}) {
    const Decision decision = on_phase(name, PhaseForecast{});
    EXPECT_TRUE(decision.budget.tasks.empty());
    EXPECT_TRUE(decision.plan.moves.empty());
  }
}

}  // namespace
}  // namespace lbhm
