// What is left of the threads of a program that have ended?
#include "emulator/core/cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "machine_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::chrono::milliseconds patience{200};
constexpr std::uint64_t somewhere = 0x5000'0000'0000;

std::size_t cores_of(EmulatedMachine& machine) {
  std::size_t count = 0;
  machine.cores().for_each([&](const Core&) { ++count; });
  return count;
}

/// 1,000 lines of memory; how long they took.
double sweep(EmulatedMachine& machine) {
  const double before = machine.execution().now().value;
  for (std::uint64_t i = 0; i < 1000; ++i) instrumented().access(somewhere + i * 64);
  return machine.execution().now().value - before;
}

double sweep_in_a_thread(EmulatedMachine& machine) {
  double took = 0;
  std::thread([&] { took = sweep(machine); }).join();
  return took;
}

void region_of_two(EmulatedMachine& machine) {
  Execution& execution = machine.execution();
  const std::uint64_t team = execution.fork();
  const auto lane = [&](std::uint32_t number) {
    execution.lane_begin(team, LaneId(number), 2);
    sweep(machine);
    execution.wait_begin(Wait::join, nullptr);
  };
  std::thread other(lane, 1);
  lane(0);
  other.join();
  execution.join(team);
}

TEST(Cores, AThreadThatEndedLeavesNoCore) {
  EmulatedMachine machine(small_machine(), patience);
  const std::size_t before = cores_of(machine);
  for (int i = 0; i < 10; ++i) sweep_in_a_thread(machine);
  EXPECT_EQ(cores_of(machine), before);
}

TEST(Cores, NorDoTheLanesThatItForked) {
  EmulatedMachine machine(small_machine(), patience);
  const std::size_t before = cores_of(machine);
  for (int i = 0; i < 3; ++i) std::thread([&] { region_of_two(machine); }).join();
  EXPECT_EQ(cores_of(machine), before);
}

TEST(Cores, ThoseOfTheFirstThreadStay) {
  EmulatedMachine machine(small_machine(), patience);
  region_of_two(machine);
  const std::size_t after_one = cores_of(machine);
  region_of_two(machine);
  EXPECT_EQ(cores_of(machine), after_one);
  EXPECT_GT(after_one, 1U);
}

TEST(Cores, LanesOfDeepTeamsShareNoCore) {
  EmulatedMachine machine(small_machine(), patience);
  Cores& cores = machine.cores();
  std::set<const Core*> all;
  for (Core* root : {&cores.first(), &cores.outside()}) {
    for (const std::uint32_t outermost : {1U, 2U, 3U}) {
      const Core* lane = root;
      for (std::uint32_t level = 1; level <= 8; ++level) {
        lane = &cores.lane(*lane, level, LaneId(level == 1 ? outermost : 1));
        EXPECT_TRUE(all.insert(lane).second) << "level " << level;
      }
    }
  }
}

TEST(Cores, EveryThreadBeginsWithEmptyCaches) {
  EmulatedMachine machine(small_machine(), patience);
  const double first = sweep_in_a_thread(machine);
  EXPECT_GT(first, 0);
  EXPECT_EQ(sweep_in_a_thread(machine), first);
}

TEST(Cores, WhatAnEndedThreadCountedStays) {
  EmulatedMachine machine(small_machine(), patience);
  const double before = machine.all_events().value().llc_misses;
  sweep_in_a_thread(machine);
  const double misses = machine.all_events().value().llc_misses - before;
  EXPECT_EQ(misses, 1000);
}

TEST(Cores, SamplesOfAnEndedThreadAreThereOnce) {
  MachineDescription description = small_machine();
  description.sample_period = 100;
  EmulatedMachine machine(description, patience);
  sweep_in_a_thread(machine);
  std::vector<AccessSample> samples;
  EXPECT_EQ(machine.drain(samples), 0U);
  EXPECT_NEAR(static_cast<double>(samples.size()), 10, 2);
  samples.clear();
  machine.drain(samples);
  EXPECT_TRUE(samples.empty());
}

TEST(Cores, ThatAppearLaterAreSampledAsAllAre) {
  MachineDescription description = small_machine();
  description.sample_period = 100;
  EmulatedMachine machine(description, patience);
  std::vector<AccessSample> samples;
  machine.set_period(AccessCount(0));
  sweep_in_a_thread(machine);
  machine.drain(samples);
  EXPECT_TRUE(samples.empty()) << "nobody wants any";
  machine.set_period(AccessCount(50));
  sweep_in_a_thread(machine);
  machine.drain(samples);
  EXPECT_NEAR(static_cast<double>(samples.size()), 20, 4);
}

TEST(Cores, EverySampleIsThereOnceThoughThreadsOutsideOfTeamsRunWhileItIsTaken) {
  constexpr std::size_t threads = 30, sweeps = 15;  // fewer samples than are kept of an ended thread
  MachineDescription description = small_machine();
  description.sample_period = 1;
  EmulatedMachine machine(description, patience);
  std::vector<AccessSample> samples;
  for (std::size_t i = 0; i < threads; ++i) {
    std::atomic<bool> ended{false};
    std::thread program([&] {
      for (std::size_t k = 0; k < sweeps; ++k) sweep(machine);
      ended = true;
    });
    while (!ended) EXPECT_EQ(machine.drain(samples), 0U);
    program.join();
    EXPECT_EQ(machine.drain(samples), 0U);
  }
  EXPECT_EQ(samples.size(), threads * sweeps * 1000);
}

TEST(Cores, ThePeriodOfSamplesChangesWhileThreadsOutsideOfTeamsRun) {
  MachineDescription description = small_machine();
  description.sample_period = 1;
  EmulatedMachine machine(description, patience);
  std::atomic<bool> ended{false};
  std::thread program([&] {
    for (int i = 0; i < 15; ++i) sweep(machine);
    ended = true;
  });
  for (double period = 1; !ended; period = 3 - period) machine.set_period(AccessCount(period));
  program.join();
  std::vector<AccessSample> samples;
  EXPECT_EQ(machine.drain(samples), 0U);
  EXPECT_GE(samples.size(), 7'500U);
  EXPECT_LE(samples.size(), 15'000U);
}

/// Asks for the time when the thread-local objects of its thread are destroyed.
struct AtEnd {
  EmulatedMachine* machine = nullptr;
  double* time = nullptr;
  ~AtEnd() {
    if (machine != nullptr) *time = machine->execution().now().value;
  }
};

TEST(Cores, AThreadThatIsAboutToEndKnowsItsTime) {
  EmulatedMachine machine(small_machine(), patience);
  double last = 0, later = 0;
  std::thread([&] {
    thread_local AtEnd at_end;  // before the emulator knows the thread: destroyed behind what it keeps of it
    at_end.machine = &machine;
    at_end.time = &later;
    sweep(machine);
    last = machine.execution().now().value;
  }).join();
  EXPECT_GT(last, 0);
  EXPECT_EQ(later, last);
}

}  // namespace
}  // namespace lbhm::emulator
