#include "emulator/memory/bandwidth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

TEST(TierLoad, TheFactorIsOneAtRestAndTheMachinesRatioAt90Percent) {
  EXPECT_DOUBLE_EQ(TierLoad::g(0, 3), 1);
  EXPECT_DOUBLE_EQ(TierLoad::g(0.9, 3), 3);
  EXPECT_NEAR(TierLoad::g(0.5, 3), 1 + 2.0 / 9, 1e-12);
  EXPECT_DOUBLE_EQ(TierLoad::g(1, 3), TierLoad::g(0.95, 3)) << "the use is capped";
}

TEST(TierLoad, LatencyFollowsASteadyUse) {
  MachineDescription machine = small_machine();
  machine.tier_details = {{.loaded_latency_ratio = 3, .curves = {}, .buffer = {}}, {}};
  TierLoad load(machine);
  EXPECT_EQ(load.loaded(1000, 0), 1000u);
  Demand demand{};
  demand[0].read = machine.quantum * 9 / 10;
  for (Picoseconds quantum = 1; quantum <= 200; ++quantum) load.settled(demand, quantum * machine.quantum);
  EXPECT_NEAR(load.use(0), 0.9, 1e-9);
  EXPECT_EQ(load.loaded(1000, 0), 3000u);
  EXPECT_EQ(load.loaded(1000, 1), 1000u) << "nobody uses it";
}

TEST(TierLoad, BusyIsTheSumOfAllThatWasAskedFor) {
  const MachineDescription machine = small_machine(1);
  TierLoad load(machine);
  load.settled({Transfers{30, 0}, Transfers{2, 3}}, machine.quantum / 2);
  load.settled({Transfers{15, 5}}, machine.quantum);
  EXPECT_EQ(load.busy(0), Picoseconds(50));
  EXPECT_EQ(load.busy(1), Picoseconds(5));
}

TEST(TierLoad, QuantaThatCloseEarlyCountAsOne) {
  const MachineDescription machine = small_machine();
  TierLoad load(machine);
  Demand demand{};
  demand[0].read = machine.quantum / 10;
  for (Picoseconds part = 1; part <= 4; ++part) load.settled(demand, part * machine.quantum / 4);
  EXPECT_NEAR(load.use(0), 0.4 / 8, 1e-9) << "an eighth of the newest quantum";
}

/// The fast tier's reads and writes at 64 GB/s each; half reads have 80 GB/s, reads alone 100.
MachineDescription with_curves(std::vector<double> uses, std::vector<double> latency) {
  MachineDescription machine = small_machine();
  const Curves curves(std::move(uses), {{.reads = 0.5, .bandwidth = 80, .latency = latency},
                                        {.reads = 1, .bandwidth = 100, .latency = latency}});
  machine.tier_details = {{.curves = curves, .buffer = {}}, {}};
  return machine;
}

TEST(TierLoad, ReadsAndWritesTakeTurnsOrPassBesideEachOther) {
  MachineDescription machine = small_machine();
  EXPECT_EQ(TierLoad(machine).busy_with(0, {.read = 700, .written = 300}), 1000u);
  machine.tier_details = {{.curves = {}, .overlap = 0.5, .buffer = {}}, {}};
  EXPECT_EQ(TierLoad(machine).busy_with(0, {.read = 700, .written = 300}), 850u);
}

TEST(TierLoad, ATierWithCurvesHasTheirBandwidthForTheShareOfReads) {
  const TierLoad load(with_curves({1}, {2}));
  EXPECT_EQ(load.busy_with(0, {.read = 1000, .written = 0}), 640u);
  EXPECT_EQ(load.busy_with(0, {.read = 1000, .written = 1000}), 1600u);
  EXPECT_EQ(load.busy_with(0, {.read = 0, .written = 1000}), 800u) << "the edge is held";
  EXPECT_EQ(load.busy_with(0, {}), 0u);
}

TEST(TierLoad, LatencyFollowsTheCurveAtTheUseAndShareOfReads) {
  const MachineDescription machine = with_curves({0.5, 1}, {1.5, 3});
  TierLoad load(machine);
  Demand demand{};
  demand[0].read = machine.quantum * 100 / 64 * 3 / 4;
  for (Picoseconds quantum = 1; quantum <= 300; ++quantum) load.settled(demand, quantum * machine.quantum);
  EXPECT_NEAR(load.use(0), 0.75, 1e-6);
  EXPECT_NEAR(static_cast<double>(load.loaded(100'000, 0)), 225'000, 200);
}

TEST(TierLoad, WhatIsLeftToDoKeepsATierWithCurvesBusy) {
  const MachineDescription machine = with_curves({1}, {2});
  TierLoad load(machine);
  Demand demand{};
  demand[0].read = 40 * machine.quantum * 100 / 64;
  load.settled(demand, machine.quantum);
  for (Picoseconds quantum = 2; quantum <= 40; ++quantum) load.settled({}, quantum * machine.quantum);
  EXPECT_GT(load.use(0), 0.99);
  for (Picoseconds quantum = 41; quantum <= 80; ++quantum) load.settled({}, quantum * machine.quantum);
  EXPECT_LT(load.use(0), 0.01);
}

/// The uses in quanta of cores of which a part waits for every load: as the latency rises they ask for less. `most`: of
/// the bandwidth, that they ask for in a quantum.
std::vector<double> uses_with_waiting(double waiting, double idle_use, double most = 1) {
  // Eight times the latency within the last tenth of the bandwidth: an average with the weight 1/8 alone swings there.
  const MachineDescription machine = with_curves({0.9, 1}, {1.2, 9});
  TierLoad load(machine);
  std::vector<double> uses;
  for (int quantum = 1; quantum <= 2000; ++quantum) {
    const double factor = static_cast<double>(load.loaded(1'000'000, 0)) / 1e6;
    const double use = std::min(idle_use / std::pow(factor, waiting), most);
    Demand demand{};
    demand[0].read = static_cast<Picoseconds>(use * static_cast<double>(machine.quantum) * 100 / 64);
    load.settled(demand, static_cast<Picoseconds>(quantum) * machine.quantum);
    uses.push_back(load.use(0));
  }
  return uses;
}

TEST(TierLoad, SteepCurvesComeToRestFromOneSideHoweverMuchWaits) {
  for (const double waiting : {0.0, 0.3, 1.0}) {
    for (const double idle_use : {0.5, 0.95, 1.2, 2.0, 4.0, 20.0}) {
      const std::vector<double> uses = uses_with_waiting(waiting, idle_use);
      EXPECT_TRUE(std::ranges::is_sorted(uses, [](double a, double b) { return a < b - 1e-3; })) << idle_use;
      EXPECT_NEAR(uses.back(), uses[uses.size() - 100], 1e-3) << waiting << " of " << idle_use;
    }
  }
}

TEST(TierLoad, WhatTheFirstQuantaLeaveKeepsTheUseAboveItsPlaceOfRestUntilItIsServed) {
  for (const double idle_use : {1.2, 2.0, 4.0}) {
    const std::vector<double> uses = uses_with_waiting(1, idle_use, idle_use);
    const auto highest = std::ranges::max_element(uses);
    EXPECT_GT(*highest, uses.back() + 0.005) << idle_use;
    EXPECT_TRUE(std::ranges::is_sorted(uses.begin(), highest)) << idle_use;
    EXPECT_TRUE(std::is_sorted(highest, uses.end(), [](double a, double b) { return a > b + 1e-3; })) << idle_use;
    EXPECT_NEAR(uses.back(), uses[uses.size() - 100], 1e-3) << idle_use;
  }
}

TEST(TierLoad, LoadThatDoesNotWaitIsKnownAfterSomeQuantaWhereTheCurveIsFlat) {
  const std::vector<double> uses = uses_with_waiting(0, 0.8);
  EXPECT_GT(uses[19], 0.73) << "1 - (7/8)^20 of it";
}

}  // namespace
}  // namespace lbhm::emulator
