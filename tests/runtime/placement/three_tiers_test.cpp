// Machines of three tiers: does every policy that plans use the one between, and never more of a tier than there is?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/layouts/page_ranges.h"
#include "runtime/placement/whole_objects/static_placement.h"
#include "tests/fake/fake_machine.h"
#include "tests/runtime/placement/forecasts.h"

namespace lbhm {
namespace {

using placement::PageRanges;
using testing::ElementsAre;

constexpr std::uintptr_t object = 1ULL << 40;
constexpr TierId fast{0}, middle{1}, slow{2};

std::uintptr_t page_at(std::uint64_t number) { return object + number * test_page.value; }
PageRange range(std::uint64_t first, std::uint64_t pages) { return {page_at(first), test_pages(pages)}; }

Topology three_tiers() {
  Topology machine;
  machine.page = test_page;
  machine.tiers.resize(3);
  machine.tiers[0].capacity = machine.tiers[1].capacity = test_pages(10);
  machine.tiers[2].capacity = test_pages(1000);
  return machine;
}

/// One task and one object of 40 pages, ten of each heat, the hottest at `hottest`, then at the next ten, and so on
/// around. Tier 0 and tier 1 have room for ten pages each.
PhaseForecast forty_pages(std::uint64_t hottest) {
  PhaseForecast phase;
  std::vector<ExtentEstimate> extents;
  for (std::uint64_t first = 0; first < 40; first += 10) {
    const std::uint64_t distance = (first + 40 - hottest) % 40 / 10;
    extents.push_back(extent(0, first, 10, 100000.0 / static_cast<double>(1 + 4 * distance)));
  }
  phase.tasks = {forecast(straight(0, 4e6, 1e6), extents)};
  phase.objects = {object};
  phase.room = test_pages(10);
  phase.slowest = slow;
  phase.middle = {{middle, test_pages(10), {straight(0, 4e6, 2e6)}}};
  phase.placement.tiers.resize(3);
  phase.instances = 100;
  return phase;
}

Decision decided(const char* name, const PhaseForecast& phase, std::string_view without = {}) {
  const Topology machine = three_tiers();
  return (*make_policy(name, {.without = without}))->on_phase({.objects = {}, .machine = machine, .forecast = &phase});
}

TEST(ThreeTiers, WithoutTheMiddleNoPlanNamesIt) {
  PhaseForecast phase = forty_pages(20);
  phase.placement.tiers[2] = {range(0, 40)};
  for (const char* policy : {"merchandiser", "merchandiser-once"}) {
    const Decision decision = decided(policy, phase, "middle");
    for (const MigrationPlan* plan : {&decision.plan, &decision.background})
      for (const PageMove& move : plan->moves) EXPECT_NE(move.to, middle) << policy;
    EXPECT_THAT((*make_policy(policy, {.without = "middle"}))->needs(three_tiers()).first_touch,
                testing::UnorderedElementsAre(fast, slow));
  }
}

TEST(ThreeTiers, MerchandiserOncePlansTheMiddleAndMovesDownFirst) {
  PhaseForecast phase = forty_pages(20);
  phase.placement.tiers = {{range(24, 6)}, {}, {range(0, 24), range(30, 10)}};
  const std::vector<PageMove> moves = decided("merchandiser-once", phase).plan.moves;
  const auto goes = [&](std::uint64_t page, TierId to) {
    return std::ranges::any_of(moves, [&](const PageMove& move) {
      return move.to == to && page_at(page) >= move.address && page_at(page) < move.address + move.bytes.value;
    });
  };
  EXPECT_TRUE(goes(20, fast)) << "the hottest";
  EXPECT_TRUE(goes(24, middle)) << "four pages of tier 0 have the accesses that ten of forty equal ones would have";
  ASSERT_FALSE(moves.empty());
  EXPECT_EQ(moves.front().address, page_at(24)) << "it is in tier 0, where others need its room";
}

TEST(ThreeTiers, WholeObjectsThatDoNotFitGoToTheNextTier) {
  placement::StaticPlacement objects;
  const std::vector<placement::RankedObject> ranked{{page_at(0), test_pages(8), 0, "a"},
                                                    {page_at(8), test_pages(6), 1, "b"}};
  const MigrationPlan plan = objects.place(ranked, three_tiers(), placement::Border::in_order);
  ASSERT_EQ(plan.moves.size(), 3u);
  EXPECT_EQ(plan.moves[2].address, page_at(10));
  EXPECT_EQ(plan.moves[2].bytes, test_pages(4));
  EXPECT_EQ(plan.moves[2].to, middle);
}

TEST(ThreeTiers, RoundRobinTakesTheTiersInTurn) {
  const Topology machine = three_tiers();
  const auto policy = std::move(*make_policy("round-robin"));
  std::vector<PlacedObject> objects;
  for (std::uint64_t i = 0; i < 4; ++i) objects.push_back({page_at(10 * i), test_pages(2), ""});
  const MigrationPlan plan = policy->on_phase({.objects = objects, .machine = machine}).plan;
  ASSERT_EQ(plan.moves.size(), 4u);
  for (std::uint8_t i = 0; i < 4; ++i) EXPECT_EQ(plan.moves[i].to, TierId(i % 3));
  const MigrationPlan fresh = policy->on_object({4, site_of_name("a"), 4, {page_at(100), test_pages(1), ""}});
  ASSERT_EQ(fresh.moves.size(), 1u);
  EXPECT_EQ(fresh.moves[0].to, middle) << "the fifth object";
}

TEST(TierBelow, GoesOnWhereATierIsFull) {
  fake::FakeMachine machine({10, 2, 100});
  placement::TierBelow below(machine, fast);
  EXPECT_EQ(below.next(), middle);
  EXPECT_EQ(below.next(), middle);
  EXPECT_EQ(below.next(), slow);
  EXPECT_EQ(placement::TierBelow(machine, fast, false).next(), slow);
}

TEST(PageRanges, JoinsSplitsAndRemoves) {
  PageRanges set;
  set.add(range(0, 2));
  set.add(range(4, 2));
  set.add(range(2, 2));
  EXPECT_EQ(set.all().size(), 1u);
  set.remove(range(1, 3));
  std::vector<std::pair<std::uint64_t, bool>> parts;
  set.split(range(0, 8), [&](const PageRange& part, bool in) { parts.emplace_back(part.bytes / test_page, in); });
  EXPECT_THAT(parts, ElementsAre(std::pair(1u, true), std::pair(3u, false), std::pair(2u, true), std::pair(2u, false)));
}

TEST(TimeAt, SharesInSeveralTiersAddTheirGains) {
  const TaskTimes fastest = straight(0, 400, 100), between = straight(0, 400, 200);
  const double share = 0.5;
  EXPECT_NEAR(time_at(fastest, 0.25, {&between, 1}, {&share, 1}).value, 400 - 0.25 * 300 - 0.5 * 200, 1e-9);
  EXPECT_NEAR(time_at(fastest, 0.25, {}, {}).value, 325, 1e-9);
}

}  // namespace
}  // namespace lbhm
