// Do the policies h2m-* place whole objects as their file says, and say what it does not know?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/placement/placement.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Bytes page(4096);
constexpr TierId fast{0}, slow{1};

/// The first object of the site is born fast, the second slow; when phase 2 ("solve") begins they change places.
PlacementScript script() {
  PlacementScript script;
  script.unmanaged = slow;
  script.whole = true;
  script.objects = {{0, {site_of_name("a"), 0, page * 4}}, {1, {site_of_name("a"), 1, page * 4}}};
  script.births = {{.object = 0, .first = 0, .pages = 4, .tier = fast}};
  script.moves[2] = {{.object = 0, .first = 0, .pages = 4, .tier = slow},
                     {.object = 1, .first = 0, .pages = 4, .tier = fast}};
  script.phases[2] = "solve";
  return script;
}

class H2mTest : public ::testing::Test {
 protected:
  H2mTest() {
    machine.tiers.resize(2);
    follow({.script = script()});
  }
  void follow(PolicyOptions options) { policy = std::move(*make_policy("h2m-phases", options)); }
  MigrationPlan born(std::uint64_t nth, std::uintptr_t address, std::uint64_t pages, const char* site = "a") {
    objects.push_back({.address = address, .bytes = page * pages, .name = ""});
    return policy->on_object({nth, site_of_name(site), nth, objects.back()});
  }
  Decision phase(std::uint64_t number, std::string_view name) {
    return policy->on_phase({.number = number, .objects = objects, .machine = machine, .found = true, .name = name});
  }

  Topology machine;
  std::unique_ptr<Policy> policy;
  std::vector<PlacedObject> objects;
};

TEST_F(H2mTest, LbhmBeginsWhereTheFileHasThingsAndSaysWhatItDoesNotKnow) {
  policy = std::move(*make_policy("lbhm", {.script = script()}));
  ASSERT_EQ(born(0, 0x10000, 4).moves.size(), 1u);
  EXPECT_EQ(born(0, 0x20000, 4).moves[0].to, fast);
  EXPECT_EQ(born(1, 0x30000, 4).moves[0].to, slow);
  EXPECT_THAT(born(0, 0x40000, 4, "b").moves, IsEmpty());
  EXPECT_THAT(policy->remarks(), ElementsAre(AllOf(HasSubstr("3 objects began"), HasSubstr("and 1 that"))));
  PlacementScript half = script();
  half.births[0].pages = 2;
  policy = std::move(*make_policy("lbhm", {.script = half}));
  const MigrationPlan parts = born(0, 0x60000, 8);  // as large as twice the one in the file
  ASSERT_EQ(parts.moves.size(), 2u);
  EXPECT_EQ(std::pair(parts.moves[0].bytes, parts.moves[0].to), std::pair(page * 4, fast));
  EXPECT_EQ(std::pair(parts.moves[1].address, parts.moves[1].to), std::pair(std::uintptr_t{0x64000}, slow));
  policy = std::move(*make_policy("lbhm"));
  EXPECT_THAT(born(0, 0x50000, 4).moves, IsEmpty());
}

TEST_F(H2mTest, AnObjectOfAnotherSizeIsPlacedAsAWhole) {
  const MigrationPlan plan = born(0, 0x10000, 9);
  ASSERT_EQ(plan.moves.size(), 1u);
  EXPECT_EQ(plan.moves[0].bytes, page * 9);
  EXPECT_EQ(plan.moves[0].to, fast);
  EXPECT_THAT(born(1, 0x90000, 2).moves, IsEmpty());
  phase(2, "solve");
  EXPECT_THAT(policy->remarks(), IsEmpty());
}

TEST_F(H2mTest, ObjectsMoveWhenTheirPhaseBeginsAndTheProgramWaits) {
  born(0, 0x10000, 4);
  born(1, 0x90000, 5);
  EXPECT_THAT(phase(0, "start").plan.moves, IsEmpty());
  const Decision decision = phase(2, "solve");
  ASSERT_EQ(decision.plan.moves.size(), 2u);
  EXPECT_EQ(decision.plan.moves[0].to, slow);
  EXPECT_EQ(decision.plan.moves[1].address, 0x90000u);
  EXPECT_EQ(decision.plan.moves[1].bytes, page * 5);
  EXPECT_THAT(decision.background.moves, IsEmpty());
}

TEST_F(H2mTest, WithoutBlockingTheyMoveBesideTheProgram) {
  follow({.without = "blocking", .script = script()});
  EXPECT_TRUE(policy->needs(machine).background);
  born(0, 0x10000, 4);
  const Decision decision = phase(2, "solve");
  EXPECT_THAT(decision.plan.moves, IsEmpty());
  EXPECT_EQ(decision.background.moves.size(), 1u);
}

TEST_F(H2mTest, InAPhaseOfAnotherNameNothingMoves) {
  born(0, 0x10000, 4);
  born(1, 0x90000, 4);
  EXPECT_THAT(phase(2, "assemble").plan.moves, IsEmpty());
  EXPECT_THAT(policy->remarks(), ElementsAre(HasSubstr("1 phases are called otherwise than in LBHM_PLACEMENT")));
}

TEST_F(H2mTest, PhasesThatNeverCameAreSaid) {
  born(0, 0x10000, 4);
  born(1, 0x90000, 4);
  phase(1, "start");
  EXPECT_THAT(policy->remarks(), ElementsAre(HasSubstr("1 phases of LBHM_PLACEMENT never came")));
}

TEST_F(H2mTest, WhatIsGoneDoesNotMove) {
  born(0, 0x10000, 4);
  born(1, 0x90000, 4);
  objects.pop_back();
  EXPECT_EQ(phase(2, "solve").plan.moves.size(), 1u);
}

TEST_F(H2mTest, WhatLiesNowWhereAnObjectWasDoesNotMoveInItsPlace) {
  born(0, 0x10000, 4);
  born(1, 0x90000, 4);
  born(0, 0x12000, 1, "b");  // the file does not know it
  const Decision decision = policy->on_phase({.number = 2, .objects = {}, .machine = machine, .name = "solve"});
  ASSERT_EQ(decision.plan.moves.size(), 1u);
  EXPECT_EQ(decision.plan.moves[0].address, 0x90000u);
  EXPECT_THAT(policy->remarks(), ElementsAre(HasSubstr("1 objects (4096 bytes) are not in LBHM_PLACEMENT")));
}

TEST_F(H2mTest, FurtherObjectsOfASiteAreAsTheLastOneAndOthersAreLeftOutWhichIsSaid) {
  EXPECT_THAT(born(7, 0x10000, 4).moves, IsEmpty());  // as the second one
  EXPECT_THAT(born(0, 0x50000, 3, "b").moves, IsEmpty());
  phase(2, "solve");
  EXPECT_THAT(policy->remarks(), ElementsAre(HasSubstr("1 objects (12288 bytes) are not in LBHM_PLACEMENT"),
                                             HasSubstr("1 objects are further ones of sites"),
                                             HasSubstr("1 objects of LBHM_PLACEMENT did not appear")));
}

TEST(H2mPolicies, HaveFreshObjectsOnSlowMemoryAndAFile) {
  Topology machine;
  machine.tiers.resize(3);
  for (const char* name : {"h2m-fcfs", "h2m-initial", "h2m-lifetime", "h2m-phases"}) {
    const Needs needs = std::move(*make_policy(name))->needs(machine);
    EXPECT_TRUE(needs.script && needs.fresh_objects && needs.phases) << name;
    EXPECT_THAT(needs.first_touch, ElementsAre(TierId(2), TierId(1), TierId(0)));
  }
}

}  // namespace
}  // namespace lbhm
