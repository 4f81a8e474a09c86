#include "emulator/machine/emulated_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "emulator/emulator.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds patience{20};
constexpr TierId fast{0};
constexpr TierId slow{1};

std::uint64_t reserve(Machine& machine, std::uint64_t bytes, std::uint64_t alignment = 4096) {
  const auto memory = machine.reserve(Bytes(bytes), Bytes(alignment));
  return memory ? reinterpret_cast<std::uint64_t>(*memory) : 0;
}

TEST(EmulatedMachine, ReservedMemoryIsZeroedAndAligned) {
  EmulatedMachine machine(small_machine(), patience);
  const std::uint64_t address = reserve(machine, 100'000, 1 << 21);
  ASSERT_NE(address, 0u);
  EXPECT_EQ(address % (1 << 21), 0u);
  auto* bytes = reinterpret_cast<char*>(address);
  EXPECT_EQ(bytes[0] + bytes[99'999], 0);
  machine.release(bytes, Bytes(100'000));
}

TEST(EmulatedMachine, ImpossibleReservationsAreRefused) {
  EmulatedMachine machine(small_machine(), patience);
  EXPECT_EQ(machine.reserve(Bytes(0), Bytes(4096)).error().code(), StatusCode::invalid_argument);
  EXPECT_EQ(machine.reserve(Bytes(1), Bytes(3)).error().code(), StatusCode::invalid_argument);
  EXPECT_EQ(machine.reserve(Bytes(1ull << 60), Bytes(4096)).error().code(), StatusCode::no_memory);
  EXPECT_EQ(machine.reserve(Bytes(~0ull), Bytes(4096)).error().code(), StatusCode::no_memory);
}

TEST(EmulatedMachine, MovesCostTheCallerTheCopyAndTheCall) {
  MachineDescription description = small_machine();
  description.migration.page = 160 * ns;
  EmulatedMachine machine(description, patience);
  const std::uint64_t address = reserve(machine, 3 * 4096);
  instrumented().access(address);
  instrumented().access(address + 4096);
  const double before = machine.execution().now().value;
  const std::uintptr_t pages[] = {address, address + 4096, address + 2 * 4096};
  PageStatus status[3];
  machine.move(pages, slow, status);
  EXPECT_THAT(status, testing::ElementsAre(PageStatus::moved, PageStatus::moved, PageStatus::placed));
  // 64 lines at 16 GB/s are 256 ns.
  EXPECT_DOUBLE_EQ(machine.execution().now().value - before, 2 * (160 + 256));
  TierId where[3];
  machine.where(pages, where);
  EXPECT_THAT(where, testing::ElementsAre(slow, slow, no_tier));
  machine.move(pages, TierId(7), status);
  EXPECT_THAT(status, testing::Each(PageStatus::denied));
}

TEST(EmulatedMachine, AMoveTakesTheTimeThatItIsSaidToTake) {
  MachineDescription description = small_machine();
  description.migration.page = 160 * ns;
  description.migration.shootdown = 1000 * ns;
  EmulatedMachine machine(description, patience);
  EXPECT_EQ(machine.move_time(Bytes(0), fast, slow), Nanoseconds(0));
  EXPECT_EQ(machine.move_time(MiB(1), slow, slow), Nanoseconds(0));
  EXPECT_EQ(machine.move_time(MiB(1), fast, no_tier), Nanoseconds(0));
  EXPECT_EQ(machine.move_time(Bytes(1), fast, slow), machine.move_time(Bytes(4096), fast, slow)) << "whole pages";
  const std::uint64_t address = reserve(machine, 2 * 4096);
  instrumented().access(address);
  instrumented().access(address + 4096);
  const std::uintptr_t pages[] = {address, address + 4096};
  PageStatus status[2];
  for (const TierId to : {slow, fast}) {
    const Nanoseconds before = machine.execution().now();
    machine.move(pages, to, status);
    const Nanoseconds said = machine.move_time(Bytes(2 * 4096), to == slow ? fast : slow, to);
    EXPECT_DOUBLE_EQ((machine.execution().now() - before).value, said.value);
    EXPECT_DOUBLE_EQ(said.value, 2 * (160 + 256) + 1000);
  }
}

TEST(EmulatedMachine, ReleaseGivesRoomBack) {
  EmulatedMachine machine(small_machine(4), patience);
  const std::uint64_t address = reserve(machine, 4 * 4096);
  for (std::uint64_t i = 0; i < 4; ++i) instrumented().access(address + i * 4096);
  EXPECT_EQ(machine.room(fast), Bytes(0)) << "what is in the buffer happened before";
  machine.release(reinterpret_cast<void*>(address), Bytes(4 * 4096));
  EXPECT_EQ(machine.room(fast), Bytes(4 * 4096));
  EXPECT_EQ(machine.peak_footprint(), Bytes(4 * 4096));
}

TEST(EmulatedMachine, PreferencesAreChecked) {
  EmulatedMachine machine(small_machine(), patience);
  const TierId wrong[] = {TierId(2)};
  EXPECT_EQ(machine.prefer_default(wrong).code(), StatusCode::invalid_argument);
  const TierId only_slow[] = {slow};
  const std::uint64_t address = reserve(machine, 4096);
  EXPECT_TRUE(machine.prefer(address, Bytes(4096), only_slow).ok());
  instrumented().access(address);
  const std::uintptr_t pages[] = {address};
  TierId where[1];
  machine.where(pages, where);
  EXPECT_EQ(where[0], slow);
  EXPECT_EQ(machine.accesses()[1], AccessCount(1));
}

TEST(EmulatedMachine, SamplesComeByLaneAndTime) {
  MachineDescription description = small_machine();
  description.sample_period = 1;
  EmulatedMachine machine(description, patience);
  EXPECT_EQ(machine.samples()->period(), AccessCount(1));
  const std::uint64_t address = reserve(machine, 1 << 20);
  std::thread([&] {
    for (std::uint64_t i = 0; i < 10; ++i) instrumented().access(address + i * i * 4096);
    machine.execution().now();
  }).join();
  for (std::uint64_t i = 0; i < 10; ++i) instrumented().access(address + i * i * 4096);
  machine.execution().now();
  std::vector<AccessSample> samples;
  EXPECT_EQ(machine.samples()->drain(samples), 0u);
  ASSERT_EQ(samples.size(), 20u);
  for (std::size_t i = 1; i < samples.size(); ++i) {
    EXPECT_LE(std::tie(samples[i - 1].lane, samples[i - 1].time), std::tie(samples[i].lane, samples[i].time));
  }
  EXPECT_EQ(samples.front().lane, LaneId(0));
  EXPECT_EQ(samples.back().lane, LaneId(1000));
}

TEST(EmulatedMachine, WithoutSamplingNobodyPaysForSamples) {
  const auto time_of = [](bool sampling) {
    MachineDescription description = small_machine();
    description.sampling = sampling;
    description.sample_period = 1;
    description.sample_cost = 1000 * ns;
    EmulatedMachine machine(description, patience);
    EXPECT_EQ(machine.samples() != nullptr, sampling);
    for (std::uint64_t i = 0; i < 10; ++i) instrumented().access(0x7000'0000'0000 + i * i * 4096, LBHM_EMU_WRITE);
    return machine.execution().now().value;
  };
  EXPECT_LT(time_of(false), 1000);
  EXPECT_GE(time_of(true), 10'000);
}

TEST(EmulatedMachine, WhatIsInTheBufferWhenAThreadEndsIsNotLost) {
  MachineDescription description = small_machine();
  description.sample_period = 1;
  EmulatedMachine machine(description, patience);
  std::thread([] {
    for (std::uint64_t i = 0; i < 5; ++i) instrumented().access(0x7000'0000'0000 + i * i * 4096);
  }).join();
  std::vector<AccessSample> samples;
  machine.samples()->drain(samples);
  EXPECT_EQ(samples.size(), 5u);
}

TEST(EmulatedMachine, RangesTouchEveryLineOnce) {
  EmulatedMachine machine(small_machine(), patience);
  const std::uint64_t address = reserve(machine, 1 << 20);
  lbhm_emu_thread& thread = instrumented().raw();
  lbhm_emu_range_v2(&thread, reinterpret_cast<void*>(address + 60), 8, LBHM_EMU_WRITE);
  EXPECT_EQ(machine.events().llc_misses, 2);
  lbhm_emu_range_v2(&thread, reinterpret_cast<void*>(address + 4096), 64 * 5000, 0);
  EXPECT_EQ(machine.events().llc_misses, 5002);
  lbhm_emu_range_v2(&thread, reinterpret_cast<void*>(address), 0, 0);
  EXPECT_EQ(machine.events().llc_misses, 5002);
}

TEST(EmulatedMachine, PausingStopsClockAndEvents) {
  EmulatedMachine machine(small_machine(), patience);
  const std::uint64_t address = reserve(machine, 1 << 20);
  instrumented().access(address);
  machine.execution().measure(false);
  const double before = machine.execution().now().value;
  for (std::uint64_t i = 0; i < 100; ++i) instrumented().access(address + i * 4096, chase(), 50);
  EXPECT_EQ(machine.execution().now().value, before);
  machine.execution().measure(true);
  EXPECT_EQ(machine.events().llc_misses, 1);
  EXPECT_EQ(machine.peak_footprint(), Bytes(100 * 4096));
}

TEST(EmulatedMachine, SaysThatAProgramWithoutThePluginWasNotSeen) {
  std::thread([] {
    const EmulatedMachine machine(small_machine(), patience);
    EXPECT_THAT(const_cast<EmulatedMachine&>(machine).remarks(), testing::Contains(HasSubstr("lbhm c++ --emulate")));
  }).join();
}

TEST(EmulatedMachine, AChildOfForkRunsOnWithoutIt) {
  EmulatedMachine machine(small_machine(), patience);
  instrumented().access(0x7000'0000'0000);
  const pid_t child = fork();
  if (child == 0) {
    for (std::uint64_t i = 0; i < 10'000; ++i) instrumented().access(0x7000'0000'0000 + i * 64);
    _exit(EmulatedMachine::current() == nullptr ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(EmulatedMachine::current(), &machine);
}

TEST(EmulatedMachine, EntriesWithoutAMachineGoNowhere) {
  std::thread([] {
    for (std::uint64_t i = 0; i < 10'000; ++i) instrumented().access(i * 64 + 4096);
    EXPECT_LE(instrumented().raw().next, instrumented().raw().sink + LBHM_EMU_SINK);
  }).join();
}

TEST(MakeEmulatedMachine, OptionsReplaceThePresetsNumbers) {
  const auto machine =
      make_emulated_machine("optane", LBHM_TEST_PRESETS, {.fast_capacity = Bytes(10'000), .sample_period = 31});
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ((*machine)->topology().tiers[0].capacity, Bytes(8192));
  EXPECT_EQ((*machine)->room(fast), Bytes(8192));
  EXPECT_EQ((*machine)->samples()->period(), AccessCount(31));
  EXPECT_TRUE((*machine)->execution().virtual_time());
  const auto second = make_emulated_machine("optane", LBHM_TEST_PRESETS, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), StatusCode::busy);
}

TEST(MakeEmulatedMachine, LessThanAPageIsNoCapacity) {
  const auto machine = make_emulated_machine("optane", LBHM_TEST_PRESETS, {.fast_capacity = Bytes(100)});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), StatusCode::invalid_argument);
  EXPECT_THAT(machine.error().message(), HasSubstr("fast capacity"));
}

TEST(MakeEmulatedMachine, MemoryModeLeavesThePagesToTheSecondTier) {
  const auto machine =
      make_emulated_machine("optane", LBHM_TEST_PRESETS, {.fast_capacity = std::nullopt, .memory_mode = true});
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ((*machine)->room(fast), Bytes(0));
  instrumented().access(0x7000'0000'0000);
  const std::uintptr_t pages[] = {0x7000'0000'0000};
  TierId where[1];
  (*machine)->where(pages, where);
  EXPECT_EQ(where[0], slow);
}

TEST(MakeEmulatedMachine, MemoryModeNeedsTwoTiers) {
  std::ifstream stream(LBHM_TEST_PRESETS "/optane.json");
  auto json = nlohmann::json::parse(stream);
  json["tiers"].erase(1);
  const std::string path = testing::TempDir() + "one-tier-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << json.dump();
  const auto machine = make_emulated_machine(path, "", {.fast_capacity = std::nullopt, .memory_mode = true});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), StatusCode::invalid_argument);
  EXPECT_THAT(machine.error().message(), HasSubstr("memory-mode: machine optane has one tier"));
}

/// Leaves the process a megabyte of address space beyond what it has.
void limit_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit limit{pages * 4096 + (1 << 20), RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
}

/// In a child of the test, for the limit stays.
void run_out_of_memory() {
  MachineDescription description = small_machine();
  description.topology.tiers[1].capacity = GiB(1024);
  EmulatedMachine machine(description, patience);
  instrumented().access(0x10'0000'0000);
  limit_memory();
  for (std::uint64_t page = 0; page < 1'000'000; ++page) instrumented().access(0x10'0000'0000 + page * 4096 * 512);
  const double stopped = machine.execution().now().value;
  for (std::uint64_t i = 0; i < 10'000; ++i) instrumented().access(0x20'0000'0000 + i * 64);
  const bool stands = machine.execution().now().value == stopped;
  const std::uint64_t team = machine.execution().fork();
  machine.execution().join(team);
  setrlimit(RLIMIT_AS, std::array{rlimit{RLIM_INFINITY, RLIM_INFINITY}}.data());
  const auto lines = machine.remarks();
  const auto about_memory = [](const std::string& line) { return line.contains("no memory left"); };
  std::_Exit(stands && std::ranges::count_if(lines, about_memory) == 1 ? 0 : 1);
}

TEST(EmulatedMachine, WithoutMemoryItSaysSoOnceAndTheProgramGoesOn) {
  EXPECT_EXIT(run_out_of_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lbhm::emulator
