// Placements of whole objects: by rank, by name (sparta, warpx-pm), by a profile (soar).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/placement/whole_objects/object_profile.h"
#include "runtime/placement/whole_objects/static_placement.h"
#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

using namespace placement;
using testing::IsEmpty;

constexpr TierId fast{0}, slow{1};
constexpr Bytes page{4096};

Topology two_tiers(std::uint64_t pages_of_fast) {
  Topology machine;
  machine.page = page;
  machine.tiers.resize(2);
  machine.tiers[0].capacity = page * pages_of_fast;
  machine.tiers[1].capacity = page * 1000;
  return machine;
}

/// Pages of fast memory by object, from a plan.
std::map<std::uintptr_t, std::uint64_t> fast_pages(const MigrationPlan& plan) {
  std::map<std::uintptr_t, std::uint64_t> pages;
  for (const PageMove& move : plan.moves) {
    if (move.to == fast) pages[move.address] += move.bytes.value / page.value;
  }
  return pages;
}

RankedObject ranked(std::uintptr_t address, std::uint64_t pages, std::uint64_t rank, const char* unit) {
  return {.address = address, .bytes = page * pages, .rank = rank, .unit = unit};
}

using Pages = std::map<std::uintptr_t, std::uint64_t>;

TEST(StaticPlacement, AUnitThatDoesNotFitGetsNothingAndASmallerOneMay) {
  StaticPlacement placement;
  const std::vector objects{ranked(0x100000, 4, 0, "big"), ranked(0x200000, 4, 0, "big"),
                            ranked(0x300000, 3, 1, "small")};
  EXPECT_EQ(fast_pages(placement.place(objects, two_tiers(7), Border::whole_units)), (Pages{{0x300000, 3}}));
}

TEST(StaticPlacement, InOrderTheObjectAtTheBorderGetsWhatIsLeft) {
  StaticPlacement placement;
  const std::vector objects{ranked(0x100000, 4, 1, "b"), ranked(0x200000, 4, 0, "a"), ranked(0x300000, 4, 2, "c")};
  EXPECT_EQ(fast_pages(placement.place(objects, two_tiers(6), Border::in_order)),
            (Pages{{0x200000, 4}, {0x100000, 2}}));
}

TEST(StaticPlacement, EvenlyAllObjectsOfTheRankAtTheBorderGetTheSameShare) {
  StaticPlacement placement;
  const std::vector objects{ranked(0x100000, 2, 0, "a"), ranked(0x200000, 8, 1, "b"), ranked(0x300000, 4, 1, "c"),
                            ranked(0x400000, 1, 2, "d")};
  EXPECT_EQ(fast_pages(placement.place(objects, two_tiers(8), Border::evenly)),
            (Pages{{0x100000, 2}, {0x200000, 4}, {0x300000, 2}}));
}

TEST(StaticPlacement, WhatIsNotWantedAnyMoreLeavesFirst) {
  StaticPlacement placement;
  placement.place(std::vector{ranked(0x100000, 4, 0, "old")}, two_tiers(4), Border::in_order);
  const MigrationPlan plan =
      placement.place(std::vector{ranked(0x200000, 4, 0, "new")}, two_tiers(4), Border::in_order);
  ASSERT_EQ(plan.moves.size(), 2u);
  EXPECT_EQ(plan.moves[0].address, 0x100000u);
  EXPECT_EQ(plan.moves[0].to, slow);
  EXPECT_EQ(plan.moves[1].address, 0x200000u);
}

/// The plan of a policy's first phase with these objects, of 10 pages each.
Pages first_phase(const char* policy, const std::vector<const char*>& names, std::uint64_t capacity) {
  std::vector<PlacedObject> objects;
  for (const char* name : names) objects.push_back({0x100000 * (objects.size() + 1), page * 10, name});
  const Topology machine = two_tiers(capacity);
  return fast_pages((*make_policy(policy))->on_phase({.objects = objects, .machine = machine}).plan);
}

TEST(Sparta, RanksTheHashTableOfYThenAccumulatorsThenResultsAndLeavesInputs) {
  const std::vector names{"X[0]", "Z[0]", "Z_local[0].items", "HtA[0].slots", "HtY.nodes", "HtY.items"};
  EXPECT_EQ(first_phase("sparta", names, 44), (Pages{{0x500000, 10}, {0x600000, 10}, {0x400000, 10}, {0x300000, 10}}))
      << "44 pages, of which 1/11 stays free";
  EXPECT_EQ(first_phase("sparta", names, 16), (Pages{{0x400000, 10}})) << "half a hash table is not placed";
}

TEST(Sparta, KnowsTheRolesOfSpgemmsObjects) {
  EXPECT_EQ(first_phase("sparta", {"A[0].values", "accumulator[0].values", "C[0].values", "B.values"}, 25),
            (Pages{{0x400000, 10}, {0x200000, 10}}));
}

TEST(WarpxPm, RanksFieldsThenParticlesEvenlyOverTheBoxes) {
  const std::vector names{"box[0].x", "box[1].x", "box[0].Ex", "box[1].Jz", "box[0].outbox"};
  EXPECT_EQ(first_phase("warpx-pm", names, 30), (Pages{{0x300000, 10}, {0x400000, 10}, {0x100000, 5}, {0x200000, 5}}));
}

TEST(ApplicationSpecificPolicies, GiveOtherProgramsFastMemoryInTheOrderOfTheCall) {
  for (const char* policy : {"sparta", "warpx-pm"}) {
    EXPECT_EQ(first_phase(policy, {"graph", "frontier"}, 15).begin()->first, 0x100000u) << policy;
    EXPECT_THAT(first_phase(policy, {}, 15), IsEmpty());
  }
}

TEST(ObjectScores, AnObjectOfStalledLoadsScoresMoreThanOneOfOverlappedLoads) {
  const auto window = [](double load_cycles, const char* object) {
    EventCounts events{};
    events.cycles = 1e6;
    events.memory_wait_cycles = 5e5;
    events.l3_load_misses = 1000;
    events.load_cycles = load_cycles;
    return ScoreWindow{.events = events, .latency_ratio = 1, .accesses = {{object, 100}}};
  };
  ObjectScores scores;
  scores.add(window(200'000, "chased"));   // 200 cycles a load
  scores.add(window(50'000, "streamed"));  // 50: four loads at a time
  EXPECT_NEAR(scores.of("chased"), 0.5 / (24.67 / 200 + 0.87), 1e-9);
  EXPECT_NEAR(scores.of("streamed"), 0.5 / (24.67 / 50 + 0.87) / 4, 1e-9);
  EXPECT_EQ(scores.of("unknown"), 0);
}

TEST(Soar, PlacesNothingBeforeARoundOfPhasesIsProfiled) {
  const auto policy = std::move(*make_policy("soar"));
  const std::vector<PlacedObject> first{{0x100000, page * 10, "a"}}, second{{0x200000, page * 10, "b"}};
  const auto begin = [&](std::uint64_t number, const std::vector<PlacedObject>& objects) {
    const Topology machine = two_tiers(15);
    return fast_pages(policy->on_phase({.number = number, .objects = objects, .machine = machine}).plan);
  };
  EXPECT_THAT(begin(0, first), IsEmpty());
  EXPECT_THAT(begin(1, second), IsEmpty());
  EXPECT_EQ(begin(2, first), (Pages{{0x100000, 10}, {0x200000, 5}})) << "nothing was sampled: by name";
}

}  // namespace
}  // namespace lbhm
