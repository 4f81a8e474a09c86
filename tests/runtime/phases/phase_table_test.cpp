// Are calls of LB_HM_config that the compiler copied one phase and others not, and are objects known again?
#include <gtest/gtest.h>

#include <set>

#include "runtime/phases/phases.h"
#include "runtime/phases/region_index.h"

namespace lbhm {
namespace {

const void* inside(const void* function, std::size_t offset) { return static_cast<const char*>(function) + offset; }

/// A function of this program whose code is long enough to hold several call sites.
const void* const one_function = reinterpret_cast<const void*>(&code_name);

PhaseObject named(std::uintptr_t address, const std::string& name) {
  return {.address = address, .bytes = Bytes(4096), .name = name, .site = site_of_name(name)};
}

PhaseObject anonymous(std::uintptr_t address, const char* position) {
  return {.address = address, .bytes = Bytes(4096), .site = site_of_name(position), .anonymous = true};
}

TEST(PhaseTable, OneCallIsOnePhaseWhateverItsObjects) {
  PhaseTable table;
  const std::vector first{anonymous(0x1000, "0")}, second{anonymous(0x9000, "0")};
  EXPECT_EQ(&table.at(&table, first), &table.at(&table, second));
}

TEST(PhaseTable, CopiesOfACallInOneFunctionAreOnePhase) {
  PhaseTable table;
  const std::vector list{anonymous(0x1000, "0"), anonymous(0x2000, "1")};
  EXPECT_EQ(&table.at(one_function, list), &table.at(inside(one_function, 1), list));
}

TEST(PhaseTable, SitesCountMoreThanAddresses) {
  PhaseTable table;
  const std::vector first{named(0x1000, "A")}, moved{named(0x5000, "A")}, other{named(0x1000, "B")};
  const Phase& phase = table.at(one_function, first);
  EXPECT_EQ(&phase, &table.at(inside(one_function, 1), moved));
  EXPECT_NE(&phase, &table.at(inside(one_function, 2), other));
}

TEST(PhaseTable, OtherObjectsAreAnotherPhase) {
  PhaseTable table;
  const std::vector first{anonymous(0x1000, "0")}, more{anonymous(0x1000, "0"), anonymous(0x2000, "1")};
  const std::vector elsewhere{anonymous(0x3000, "0")};
  const Phase& phase = table.at(one_function, first);
  EXPECT_NE(&phase, &table.at(inside(one_function, 1), more));
  EXPECT_NE(&phase, &table.at(inside(one_function, 2), elsewhere));
}

PhaseObject sized(const char* name, std::uint64_t mebibytes) {
  return {.address = 0x1000, .bytes = MiB(mebibytes), .name = name, .site = site_of_name(name)};
}

TEST(PhaseTable, ACallHasAPhaseForEachKindThatTheProgramNames) {
  PhaseTable table;
  const std::vector list{sized("A", 1), sized("B", 1)};
  Phase &ring = table.at(&table, list, "ring"), &ladder = table.at(&table, list, "ladder");
  EXPECT_NE(&ring, &ladder);
  EXPECT_EQ(ring.kind, "ring");
  EXPECT_EQ(&table.at(&table, std::vector{sized("A", 1), sized("B", 100)}, "ring"), &ring) << "whatever its sizes";
  EXPECT_NE(&table.at(&table, list), &ring);
  EXPECT_EQ(ring.like, nullptr);
  EXPECT_EQ(ladder.like, &ring);
}

TEST(PhaseTable, NamesWithoutEndAreFewPhases) {
  PhaseTable table;
  const std::vector list{sized("A", 1)};
  std::set<const Phase*> phases;
  for (int number = 0; number < 1000; ++number) phases.insert(&table.at(&table, list, std::to_string(number)));
  EXPECT_EQ(phases.size(), 64u);
}

TEST(PhaseTable, WithoutANameKindsAreTheShapesOfInputs) {
  PhaseTable table;
  const std::vector flat{sized("A", 1), sized("B", 1)}, steep{sized("A", 1), sized("B", 100)};
  const Phase& first = table.at(&table, flat);
  for (std::size_t n = 1; n < InputKinds::inputs_a_kind; ++n) table.at(&table, flat);
  const Phase& second = table.at(&table, steep);
  EXPECT_EQ(first.kind, "");
  EXPECT_EQ(second.kind, "2");
  EXPECT_EQ(second.like, &first) << "its first instance is planned by what is known";
  EXPECT_EQ(&table.at(&table, std::vector{sized("A", 8), sized("B", 8)}), &first);
  EXPECT_EQ(&table.at(&table, std::vector{sized("A", 2), sized("B", 100)}), &second);
}

std::vector<std::uint32_t> slots(Phase& phase, const std::vector<PhaseObject>& list) {
  std::vector<std::uint32_t> numbers;
  for (const ObjectSlot slot : phase.slots_of(list)) numbers.push_back(slot.value);
  return numbers;
}

TEST(Phase, KnowsItsObjectsInAnyOrder) {
  Phase phase;
  EXPECT_EQ(slots(phase, {named(0x1000, "A"), named(0x2000, "B"), named(0x3000, "C")}), (std::vector{0U, 1U, 2U}));
  EXPECT_EQ(slots(phase, {named(0x9000, "C"), named(0x8000, "A")}), (std::vector{2U, 0U}));
  EXPECT_EQ(slots(phase, {named(0x9000, "C"), named(0x7000, "D"), named(0x8000, "A"), named(0x6000, "B")}),
            (std::vector{2U, 3U, 0U, 1U}));
}

TEST(Phase, ANewObjectPlaysThePartOfTheOneAtItsPlace) {
  Phase phase;
  EXPECT_EQ(slots(phase, {named(0x1000, "A"), named(0x2000, "B")}), (std::vector{0U, 1U}));
  EXPECT_EQ(slots(phase, {named(0x3000, "C"), named(0x2000, "B")}), (std::vector{0U, 1U}))
      << "a buffer after the other";
  EXPECT_EQ(slots(phase, {named(0x1000, "A"), named(0x3000, "C")}), (std::vector{0U, 1U})) << "both at one time";
  EXPECT_EQ(slots(phase, {named(0x1000, "A"), named(0x2000, "B"), named(0x3000, "C")}), (std::vector{0U, 1U, 2U}));
}

TEST(Phase, TellsObjectsOfOneSiteApartByTheirOrder) {
  Phase phase;
  EXPECT_EQ(slots(phase, {named(0x1000, "A"), named(0x2000, "A"), named(0x3000, "B")}), (std::vector{0U, 1U, 2U}));
  EXPECT_EQ(slots(phase, {named(0x3000, "B"), named(0x5000, "A"), named(0x4000, "A")}), (std::vector{2U, 0U, 1U}));
}

void execute(RegionRun& run, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) {
    ++run.executions;
    const std::size_t first = run.samples.size();
    run.samples.resize(first + 3);
    run.add_samples(Nanoseconds(100), first);
  }
}

TEST(RegionRun, KeepsTheSamplesOfItsFirstExecutions) {
  RegionRun run;
  execute(run, RegionRun::sampled_executions);
  EXPECT_EQ(run.samples.size(), 3 * RegionRun::sampled_executions);
  EXPECT_EQ(run.accesses_a_sample(AccessCount(127)), AccessCount(127));
}

TEST(RegionRun, OneThatIsPlannedOnceAndRunsForEverKeepsItsSize) {
  RegionRun run;
  execute(run, 4 * RegionRun::sampled_executions);
  EXPECT_EQ(run.samples.size(), 3 * RegionRun::sampled_executions);
  EXPECT_EQ(run.accesses_a_sample(AccessCount(127)), AccessCount(4 * 127));
  EXPECT_EQ(run.time, Nanoseconds(400) * RegionRun::sampled_executions);
}

PhaseObject living(std::uint64_t id, const std::string& site) {
  return {.address = 0x1000 * id, .bytes = Bytes(4096), .site = site_of_name(site), .id = ObjectId(id)};
}

TEST(Phase, OfAllObjectsThoseThatLiveOnKeepTheirSlotsAndNewOnesFollowTheDead) {
  Phase phase;
  const std::vector first{living(1, "A"), living(2, "A"), living(3, "A"), living(4, "B")};
  EXPECT_EQ(phase.slots_of_all(first), (std::vector{ObjectSlot(0), ObjectSlot(1), ObjectSlot(2), ObjectSlot(3)}));
  const std::vector second{living(1, "A"), living(3, "A"), living(4, "B"), living(5, "A"), living(6, "B")};
  EXPECT_EQ(phase.slots_of_all(second),
            (std::vector{ObjectSlot(0), ObjectSlot(2), ObjectSlot(3), ObjectSlot(1), ObjectSlot(4)}));
  EXPECT_EQ(phase.objects, 5u);
}

}  // namespace
}  // namespace lbhm
