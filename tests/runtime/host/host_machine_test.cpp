// Is the host a machine of one tier whose clock runs forwards at the right speed?
#include "runtime/machine/machine.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <new>
#include <thread>

namespace lbhm {
namespace {

TEST(HostMachine, HasOneTierAndMovesNothing) {
  const auto machine = make_host_machine();
  ASSERT_EQ(machine->topology().tiers.size(), 1u);
  EXPECT_EQ(machine->samples(), nullptr);
  const std::uintptr_t pages[] = {0x1000, 0x2000};
  PageStatus status[2];
  machine->move(pages, TierId(0), status);
  EXPECT_EQ(status[0], PageStatus::already);
  EXPECT_EQ(status[1], PageStatus::already);
}

TEST(HostMachine, ReservesZeroedMemory) {
  const auto machine = make_host_machine();
  const auto memory = machine->reserve(KiB(64), Bytes(4096));
  ASSERT_TRUE(memory);
  auto* bytes = static_cast<unsigned char*>(*memory);
  EXPECT_EQ(bytes[0], 0);
  std::memset(bytes, 7, 64 << 10);
  machine->release(*memory, KiB(64));
}

TEST(HostMachine, ClockAgreesWithTheSystem) {
  const auto machine = make_host_machine();
  const auto real_begin = std::chrono::steady_clock::now();
  const Nanoseconds begin = machine->execution().now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Nanoseconds took = machine->execution().now() - begin;
  const std::chrono::duration<double, std::nano> real = std::chrono::steady_clock::now() - real_begin;
  EXPECT_GE(took.value, 49e6);
  EXPECT_LE(took.value, real.count() * 1.02);
}

TEST(HostMachine, RunsFunctionsAtIntervalsUntilItEnds) {
  std::atomic<int> often = 0;
  std::atomic<int> seldom = 0;
  auto machine = make_host_machine();
  ASSERT_TRUE(machine->every(Nanoseconds(2e6), [&] { ++often; }).ok());
  ASSERT_TRUE(machine->every(Nanoseconds(20e6), [&] { ++seldom; }).ok());
  ASSERT_TRUE(machine->begin_duties().ok());
  // A thread that a busy computer lets run seldom passes over intervals of both: they are alike until it runs in time.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while ((seldom < 2 || often <= seldom) && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(seldom, 2);
  EXPECT_GT(often, seldom);
  machine.reset();
  const int at_end = often;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(often, at_end);
}

TEST(HostMachine, AFunctionThatFindsNoMemoryEndsNeitherTheProgramNorItsCalls) {
  std::atomic<int> calls = 0;
  const auto machine = make_host_machine();
  const auto duty = [&] {
    if (++calls == 1) throw std::bad_alloc();
  };
  ASSERT_TRUE(machine->every(Nanoseconds(1e6), duty).ok());
  ASSERT_TRUE(machine->begin_duties().ok());
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (calls < 2 && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(calls, 2);
}

std::size_t threads_of_process() {
  using Folder = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Folder("/proc/self/task"), Folder()));
}

TEST(HostMachine, HasNoThreadBeforeThereIsSomethingToDoAndNoneWhenItIsSilent) {
  const std::size_t before = threads_of_process();
  const auto machine = make_host_machine();
  ASSERT_TRUE(machine->every(Nanoseconds(1e6), [] {}).ok());
  EXPECT_EQ(threads_of_process(), before);
  ASSERT_TRUE(machine->begin_duties().ok());
  EXPECT_EQ(threads_of_process(), before + 1);
  machine->fall_silent();
  EXPECT_EQ(threads_of_process(), before);
  EXPECT_TRUE(machine->begin_duties().ok());
  EXPECT_EQ(threads_of_process(), before) << "for good";
}

TEST(HostMachine, RestsUntilItIsWoken) {
  std::atomic<bool> idle = true;
  std::atomic<int> calls = 0;
  const auto machine = make_host_machine();
  ASSERT_TRUE(machine->every(Nanoseconds(1e6), [&] { ++calls; }).ok());
  machine->rest_while([&] { return idle.load(); });
  ASSERT_TRUE(machine->begin_duties().ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(calls, 0);
  idle = false;
  machine->wake();
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (calls < 2 && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(calls, 2);
}

TEST(HostMachine, RefusesImpossibleIntervals) {
  const auto machine = make_host_machine();
  for (const double interval : {0.0, -1.0, 1e300}) {
    EXPECT_EQ(machine->every(Nanoseconds(interval), [] {}).code(), StatusCode::invalid_argument) << interval;
  }
  EXPECT_EQ(machine->every(Nanoseconds(1e6), nullptr).code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace lbhm
