// Do functions that run at intervals act at the right virtual time, at the right cost, and alike in every run?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t base = 0x7000'0000'0000;
constexpr std::chrono::seconds patience{20};
constexpr TierId fast{0};
constexpr TierId slow{1};
constexpr double quantum = 10'000;  // of small_machine, in ns

double now(Machine& machine) { return machine.execution().now().value; }

/// A chase over the lines of some pages that are in slow memory; caches hold a fraction of them.
void chase_through(std::uint64_t pages, std::size_t steps) {
  std::uint64_t x = 1;
  for (std::size_t i = 0; i < steps; ++i) {
    x = x * 6364136223846793005 + 1442695040888963407;
    instrumented().access((base + (x >> 33) % (pages * 4096)) | chase());
  }
}

struct HotPages {
  explicit HotPages(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) addresses.push_back(base + i * 4096);
  }
  std::vector<std::uintptr_t> addresses;
};

double chase_time(double move_after) {
  MachineDescription description = small_machine();
  EmulatedMachine machine(description, patience);
  const HotPages hot(16);
  const TierId order[] = {slow};
  EXPECT_TRUE(machine.prefer_default(order).ok());
  if (move_after > 0) {
    const Status status = machine.every(Nanoseconds(move_after), [&] {
      std::vector<PageStatus> status(hot.addresses.size());
      machine.move(hot.addresses, fast, status);
    });
    EXPECT_TRUE(status.ok());
  }
  chase_through(16, 10'000);
  return now(machine);
}

TEST(Daemons, OneThatMovesHotPagesSpeedsTheProgramUp) {
  const double without = chase_time(0);
  const double early = chase_time(5 * quantum);
  const double late = chase_time(50 * quantum);
  EXPECT_LT(early, 0.5 * without) << "400 ns become 100 ns";
  EXPECT_GT(late, early);
  EXPECT_LT(late, without);
}

TEST(Daemons, EveryRunIsTheSame) {
  const double first = chase_time(3 * quantum);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(chase_time(3 * quantum), first);
}

TEST(Daemons, SeeTheEventsOfAllThreads) {
  const MachineDescription description = small_machine();
  EmulatedMachine machine(description, patience);
  const TierId order[] = {slow};
  ASSERT_TRUE(machine.prefer_default(order).ok());
  EventCounts last;
  ASSERT_TRUE(machine.every(Nanoseconds(5 * quantum), [&] { last = machine.all_events().value(); }).ok());
  chase_through(64, 10'000);
  const EventCounts own = machine.events();
  EXPECT_GT(last.l3_load_misses, 0.9 * own.l3_load_misses) << "of this thread, up to the last quantum but a few";
  EXPECT_LE(last.l3_load_misses, own.l3_load_misses);
  EXPECT_GT(last.load_cycles, 0.5 * last.cycles) << "loads of a chase do not overlap";
}

TEST(Daemons, RunWhenTheFirstQuantumClosesAfterEachInterval) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<double> times;
  ASSERT_TRUE(machine.every(Nanoseconds(3.5 * quantum), [&] { times.push_back(now(machine)); }).ok());
  for (int i = 0; i < 1000; ++i) instrumented().work(100), machine.execution().now();
  ASSERT_EQ(times.size(), 2u) << "100,000 ns";
  EXPECT_EQ(times, (std::vector{4 * quantum, 7 * quantum}));
}

TEST(Daemons, AnIntervalShorterThanAQuantumIsAQuantum) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<double> times;
  ASSERT_TRUE(machine.every(Nanoseconds(1), [&] { times.push_back(now(machine)); }).ok());
  for (int i = 0; i < 300; ++i) instrumented().work(100), machine.execution().now();
  EXPECT_THAT(times, ElementsAre(quantum, 2 * quantum, 3 * quantum));
}

TEST(Daemons, RunInTheOrderOfRegistration) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<int> order;
  ASSERT_TRUE(machine.every(Nanoseconds(2 * quantum), [&] { order.push_back(1); }).ok());
  ASSERT_TRUE(machine.every(Nanoseconds(quantum), [&] { order.push_back(2); }).ok());
  for (int i = 0; i < 400; ++i) instrumented().work(100), machine.execution().now();
  EXPECT_THAT(order, ElementsAre(2, 1, 2, 2, 1, 2));
}

TEST(Daemons, WorkTakesTimeOnTheirOwnCoreOnly) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<double> begins;
  ASSERT_TRUE(machine
                  .every(Nanoseconds(quantum),
                         [&] {
                           begins.push_back(now(machine));
                           machine.execution().pass(Nanoseconds(2.5 * quantum));
                         })
                  .ok());
  for (int i = 0; i < 600; ++i) instrumented().work(100), machine.execution().now();
  EXPECT_EQ(now(machine), 6 * quantum) << "the program does not wait for it";
  EXPECT_THAT(begins, ElementsAre(quantum, 4 * quantum)) << "busy until 3.5: intervals in between are passed over";
}

/// Streams from slow memory while a daemon copies pages to and fro there.
double stream_time(bool copying) {
  MachineDescription description = small_machine();
  description.core.reorder_window = 10'000;
  description.core.fill_buffers = 64;  // 64 lines a 200 ns are more than the 16 GB/s of slow memory
  EmulatedMachine machine(description, patience);
  const HotPages others(16);
  const TierId order[] = {slow};
  EXPECT_TRUE(machine.prefer_default(order).ok());
  for (const std::uintptr_t page : others.addresses) instrumented().access(page);
  bool to_fast = false;
  if (copying) {
    const Status status = machine.every(Nanoseconds(quantum), [&] {
      to_fast = !to_fast;
      std::vector<PageStatus> status(others.addresses.size());
      machine.move(others.addresses, to_fast ? fast : slow, status);
    });
    EXPECT_TRUE(status.ok());
  }
  for (std::uint64_t i = 0; i < 100'000; ++i) instrumented().access(base + (1ull << 30) + i * 64);
  return now(machine);
}

TEST(Daemons, TheirCopiesTakeBandwidthFromTheProgram) {
  const double alone = stream_time(false);
  const double disturbed = stream_time(true);
  EXPECT_GT(disturbed, 1.1 * alone);
  EXPECT_EQ(stream_time(true), disturbed);
}

TEST(Daemons, OneThatScansAccessedBitsSeesWhatWasUsed) {
  MachineDescription description = small_machine();
  description.observation.scan = 10 * ns;
  EmulatedMachine machine(description, patience);
  const HotPages pages(4);
  std::vector<std::array<bool, 4>> seen;
  double cost = 0;
  ASSERT_TRUE(machine
                  .every(Nanoseconds(quantum),
                         [&] {
                           const double before = now(machine);
                           std::array<bool, 4> used{};
                           machine.scan_accessed(pages.addresses, used, true);
                           cost = now(machine) - before;
                           seen.push_back(used);
                         })
                  .ok());
  instrumented().access(base);
  instrumented().access(base + 2 * 4096);
  for (int i = 0; i < 200; ++i) instrumented().work(100), machine.execution().now();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_THAT(seen[0], ElementsAre(true, false, true, false));
  EXPECT_THAT(seen[1], ElementsAre(false, false, false, false));
  EXPECT_DOUBLE_EQ(cost, 40);
}

TEST(Daemons, LanesOfATeamHaveTheSameClocksInEveryRun) {
  const auto run = [] {
    MachineDescription description = small_machine(8);
    EmulatedMachine machine(description, patience);
    const HotPages hot(16);
    const Status status = machine.every(Nanoseconds(2 * quantum), [&, turn = 0u]() mutable {
      std::vector<PageStatus> answers(hot.addresses.size());
      machine.move(hot.addresses, ++turn % 2 == 0 ? fast : slow, answers);
    });
    EXPECT_TRUE(status.ok());
    Execution& execution = machine.execution();
    const std::uint64_t team = execution.fork();
    std::array<double, 4> clocks{};
    const auto lane = [&](std::uint32_t number) {
      execution.lane_begin(team, LaneId(number), 4);
      chase_through(16, 3000 + 500 * number);
      clocks[number] = execution.now().value;
      execution.wait_begin(Wait::join, nullptr);
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < 4; ++i) threads.emplace_back(lane, i);
    lane(0);
    for (std::thread& thread : threads) thread.join();
    execution.wait_end(Wait::join, nullptr);
    execution.join(team);
    return clocks;
  };
  const auto first = run();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run(), first);
}

TEST(Daemons, OneMayAskForAnother) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<double> times;
  bool asked = false;
  ASSERT_TRUE(machine
                  .every(Nanoseconds(quantum),
                         [&] {
                           if (asked) return;
                           asked = true;
                           EXPECT_TRUE(
                               machine.every(Nanoseconds(quantum), [&] { times.push_back(now(machine)); }).ok());
                         })
                  .ok());
  for (int i = 0; i < 300; ++i) instrumented().work(100), machine.execution().now();
  EXPECT_THAT(times, ElementsAre(2 * quantum, 3 * quantum));
}

TEST(Daemons, OneThatDoesNotComeBackIsGivenUp) {
  std::atomic<bool> enough{false};
  EmulatedMachine machine(small_machine(), std::chrono::milliseconds(50));
  machine.note_instrumented();
  ASSERT_TRUE(machine
                  .every(Nanoseconds(quantum),
                         [&] {
                           while (!enough) std::this_thread::yield();
                         })
                  .ok());
  for (int i = 0; i < 300; ++i) instrumented().work(100), machine.execution().now();
  EXPECT_EQ(now(machine), 3 * quantum);
  EXPECT_THAT(machine.remarks(), testing::Contains(testing::HasSubstr("was given up")));
  enough = true;
}

TEST(Daemons, ImpossibleOnesAreRefused) {
  EmulatedMachine machine(small_machine(), patience);
  for (const double interval : {0.0, -1.0, std::nan(""), 1e300}) {
    EXPECT_EQ(machine.every(Nanoseconds(interval), [] {}).code(), StatusCode::invalid_argument) << interval;
  }
  EXPECT_EQ(machine.every(Nanoseconds(1), nullptr).code(), StatusCode::invalid_argument);
}

}  // namespace
}  // namespace lbhm::emulator
