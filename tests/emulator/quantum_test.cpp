// Threads of a program that was built with the plugin, played by std::threads that feed the buffers themselves.
#include "emulator/schedule/quantum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

#include "emulator/emulator.h"
#include "tests/emulator/machine_for_tests.h"
#include "tests/emulator/region_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t base = 0x7000'0000'0000;
constexpr std::chrono::seconds patience{20};

/// A pseudo-random walk over memory that the lanes share in part.
void gather(std::uint32_t lane, std::size_t accesses) {
  std::uint64_t x = lane + 1;
  for (std::size_t i = 0; i < accesses; ++i) {
    x = x * 6364136223846793005 + 1442695040888963407;
    instrumented().access(base + (x >> 33) % (4096 * 600), x % 3 == 0 ? LBHM_EMU_WRITE : 0, 1 + x % 7);
  }
}

TEST(Quantum, TwelveLanesHaveTheSameClocksInEveryRun) {
  std::vector<double> first;
  for (int repeat = 0; repeat < 10; ++repeat) {
    EmulatedMachine machine(small_machine(300), patience);
    std::vector<double> clocks(25);
    Region region(machine, 12);
    region.run([&](std::uint32_t lane) {
      gather(lane, 2000 + 500 * lane);
      region.barrier();
      clocks[lane] = now(machine);
      gather(lane, 6000 - 400 * lane);
      clocks[12 + lane] = now(machine);
    });
    clocks[24] = now(machine);
    EXPECT_EQ(machine.room(TierId(0)), Bytes(0)) << "the fast tier must be too small, or nobody competes for it";
    if (first.empty()) first = clocks;
    EXPECT_EQ(clocks, first) << "repeat " << repeat;
    EXPECT_FALSE(machine.execution().now().value == 0);
  }
}

TEST(Quantum, ABarrierLeavesEverybodyWithTheLatestClock) {
  EmulatedMachine machine(small_machine(), patience);
  Region region(machine, 4);
  std::vector<double> arrivals(4);
  std::vector<double> departures(4);
  region.run([&](std::uint32_t lane) {
    instrumented().work(1000 * (lane + 1));
    machine.execution().wait_begin(Wait::barrier, nullptr);
    arrivals[lane] = now(machine);
    machine.execution().wait_end(Wait::barrier, nullptr);
    departures[lane] = now(machine);
  });
  EXPECT_THAT(arrivals, testing::ElementsAre(1000, 2000, 3000, 4000));
  EXPECT_THAT(departures, testing::Each(4000));
}

TEST(Quantum, ATeamBarrierIsPassedByAllLanesOrByNone) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  std::array<std::array<bool, 4>, 3> passed{};
  Region(machine, 4).run([&](std::uint32_t lane) {
    for (std::size_t round = 0; round < passed.size(); ++round) {
      instrumented().work(100 * (lane + 1));
      // In the second round the last one comes to a barrier that OpenMP's own has to follow.
      execution.wait_begin(round == 1 && lane == 3 ? Wait::barrier : Wait::team_barrier, nullptr);
      passed[round][lane] = execution.passed();
      execution.wait_end(Wait::team_barrier, nullptr);
      EXPECT_EQ(now(machine), 400.0 * static_cast<double>(round + 1));
    }
  });
  EXPECT_THAT(passed[0], testing::Each(true));
  EXPECT_THAT(passed[1], testing::Each(false));
  EXPECT_THAT(passed[2], testing::Each(true));
}

TEST(Quantum, ThreadsOutOfStepPassNoTeamBarrier) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  std::thread([&] {  // no thread of the program's first team: nobody waits for it
    Region(machine, 2).run([&](std::uint32_t) {
      execution.wait_begin(Wait::team_barrier, nullptr);
      EXPECT_FALSE(execution.passed());
      execution.wait_end(Wait::team_barrier, nullptr);
    });
  })
      .join();
}

TEST(Quantum, AByteThatALaneSetsIsSeenWhenTheQuantumEnds) {
  EmulatedMachine machine(small_machine(), patience);
  std::atomic<std::uint8_t> alone{0};
  lbhm::set_between_quanta(alone);
  EXPECT_EQ(alone, 1) << "outside of teams nobody reads it meanwhile";
  std::atomic<std::uint8_t> byte{0};
  Region region(machine, 2);
  region.run([&](std::uint32_t lane) {
    if (lane == 0) {
      lbhm::set_between_quanta(byte);
      EXPECT_EQ(byte, 0);
    }
    region.barrier();
    EXPECT_EQ(byte, 1);
  });
}

TEST(Quantum, AForkGivesItsClockToEveryLaneAndAJoinTheLatestToItsForker) {
  EmulatedMachine machine(small_machine(), patience);
  instrumented().work(500);
  std::vector<double> begins(3);
  Region(machine, 3).run([&](std::uint32_t lane) {
    begins[lane] = now(machine);
    instrumented().work(lane == 1 ? 90'000 : 10);
  });
  EXPECT_THAT(begins, testing::Each(500));
  EXPECT_EQ(now(machine), 90'500);
}

TEST(Quantum, OrderedSectionsAreEnteredByClockThenByLane) {
  for (int repeat = 0; repeat < 10; ++repeat) {
    EmulatedMachine machine(small_machine(), patience);
    std::vector<std::pair<double, std::uint32_t>> entries;
    std::atomic<int> inside{0};
    Region(machine, 8).run([&](std::uint32_t lane) {
      for (int chunk = 0; chunk < 20; ++chunk) {
        machine.execution().ordered_begin();
        EXPECT_EQ(inside.fetch_add(1), 0);
        entries.emplace_back(now(machine), lane);
        inside.fetch_sub(1);
        machine.execution().ordered_end();
        instrumented().work(100 + 900 * ((lane * 7 + static_cast<unsigned>(chunk) * 3) % 5));
      }
    });
    ASSERT_EQ(entries.size(), 160u);
    EXPECT_TRUE(std::ranges::is_sorted(entries));
  }
}

/// (virtual time, lane) of atomic operations with so many ns of work between them, in the order of their turns.
std::vector<std::pair<double, std::uint32_t>> atomics(std::uint32_t lanes, int count, std::uint32_t apart) {
  EmulatedMachine machine(small_machine(), patience);
  std::vector<std::pair<double, std::uint32_t>> entries;
  std::atomic<int> inside{0};
  Region(machine, lanes).run([&](std::uint32_t lane) {
    for (int i = 0; i < count; ++i) {
      machine.execution().atomic_begin();
      EXPECT_EQ(inside.fetch_add(1), 0);
      entries.emplace_back(now(machine), lane);
      inside.fetch_sub(1);
      machine.execution().ordered_end();
      instrumented().work(apart + lane);
    }
  });
  return entries;
}

TEST(Quantum, AtomicsThatFollowEachOtherCloselyComeInRunsOfOneLaneTheSameEveryTime) {
  const auto first = atomics(8, 300, 20);
  ASSERT_EQ(first.size(), 2400u);
  for (int repeat = 0; repeat < 5; ++repeat) ASSERT_EQ(atomics(8, 300, 20), first);
  std::size_t runs = 0;
  double begun = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i == 0 || first[i].second != first[i - 1].second) ++runs, begun = first[i].first;
    EXPECT_LE(first[i].first, begun + 2'500) << "a quarter of the quantum, at most";
  }
  EXPECT_LT(runs, 100u) << "a turn of its own for each would be 2400";
}

TEST(Quantum, AtomicsThatAreFarFromEachOtherComeInTheOrderOfTheirClocks) {
  const auto entries = atomics(8, 20, 400);
  ASSERT_EQ(entries.size(), 160u);
  EXPECT_TRUE(std::ranges::is_sorted(entries));
}

TEST(Quantum, BandwidthIsSharedByAllWhoUseIt) {
  // Stores wait for nothing but bandwidth: 4 lanes x 8192 lines, a nanosecond each, and no line comes back dirty.
  EmulatedMachine machine(small_machine(), patience);
  Region(machine, 4).run([&](std::uint32_t lane) {
    for (std::uint64_t i = 0; i < 8192; ++i) {
      instrumented().access(base + (std::uint64_t{lane} << 30) + i * 64, LBHM_EMU_WRITE, 0);
    }
  });
  const double lines_written_back = 4 * (8192 - 32 * 4 - 16 * 4 - 8 * 2);
  EXPECT_GE(now(machine), 4 * 8192 + lines_written_back);
  EXPECT_LE(now(machine), 1.05 * 4 * 8192 * 2) << "the first lines of each lane are waited for";
}

TEST(Quantum, LanesOfUnequalPaceGetNoMoreThanTheBandwidthTogether) {
  // What one lane has asked for in a quantum may take the memory many quanta; others go on asking meanwhile.
  constexpr std::uint64_t lines = 20'000;
  EmulatedMachine machine(small_machine(), patience);
  Region(machine, 4).run([&](std::uint32_t lane) {
    for (std::uint64_t i = 0; i < lines; ++i) {
      instrumented().access((base + (std::uint64_t{lane} << 30) + i * 64) | past_caches(), LBHM_EMU_WRITE, lane);
    }
  });
  EXPECT_GE(now(machine), 4 * lines);
  EXPECT_LE(now(machine), 1.02 * 4 * lines);
}

TEST(Quantum, ALaneThatNeverComesIsLetGo) {
  EmulatedMachine machine(small_machine(), std::chrono::milliseconds(100));
  std::atomic<bool> done{false};
  Region(machine, 2).run([&](std::uint32_t lane) {
    if (lane == 1) {
      while (!done) std::this_thread::yield();  // a user-level spin wait: no access, no event
    } else {
      gather(0, 5000);
      done = true;
    }
  });
  EXPECT_THAT(machine.remarks(), testing::Contains(testing::HasSubstr("kept the others waiting")));
}

TEST(Quantum, ALaneSleepsUntilAnotherWakesItAndGoesOnAtItsClock) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  LaneName sleeper = nullptr;
  double woken = 0;
  Region(machine, 2).run([&](std::uint32_t lane) {
    if (lane == 0) {
      execution.ordered_begin();
      sleeper = execution.name();
      execution.sleep();
      woken = now(machine);
    } else {
      instrumented().work(5000);
      execution.ordered_begin();
      execution.wake(sleeper);
      execution.ordered_end();
    }
  });
  EXPECT_EQ(woken, 5000);
}

TEST(Quantum, ALaneSleepsUntilItsAlarmWhileOthersGoOn) {
  EmulatedMachine machine(small_machine(), patience);
  double woken = 0;
  Region(machine, 2).run([&](std::uint32_t lane) {
    if (lane == 1) return instrumented().work(20000);
    machine.execution().ordered_begin();
    machine.execution().sleep({.alarm = 7'000'000, .from_outside = true});
    woken = now(machine);
  });
  EXPECT_EQ(woken, 7000);
  EXPECT_THAT(machine.remarks(), testing::Not(testing::Contains(testing::HasSubstr("waited for each other"))));
}

TEST(Quantum, WhatComesFromNoLaneEndsASleepToo) {
  EmulatedMachine machine(small_machine(), std::chrono::milliseconds(20));
  static std::atomic<bool> come{false};
  std::jthread outside([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    come = true;
  });
  Region(machine, 2).run([&](std::uint32_t) {
    machine.execution().ordered_begin();
    machine.execution().sleep({.from_outside = true, .has_come = [](const void*) { return come.load(); }});
    EXPECT_TRUE(come);
  });
  EXPECT_THAT(machine.remarks(), testing::Not(testing::Contains(testing::HasSubstr("waited for each other"))));
}

double quantum_ns() { return static_cast<double>(small_machine().quantum) / 1000; }

TEST(Quantum, ALaneThatSleepsInTheKernelComesBackWhenAnotherOneWakesIt) {
  EmulatedMachine machine(small_machine(), patience);
  std::binary_semaphore token{0};
  double woken = 0;
  Region(machine, 2).run([&](std::uint32_t lane) {
    if (lane == 0) {
      token.acquire();
      woken = now(machine);
    } else {
      instrumented().work(500'000);
      EXPECT_EQ(now(machine), 500'000);
      token.release();
      for (int i = 1; i <= 50; ++i) {
        instrumented().work(10'000);
        EXPECT_EQ(now(machine), 500'000 + i * 10'000);
      }
    }
  });
  EXPECT_NEAR(woken, 500'000, 2 * quantum_ns());
  EXPECT_THAT(machine.remarks(), testing::Contains(testing::HasSubstr("1 times a lane waited in the kernel")));
}

TEST(Quantum, NobodyGoesOnWithoutALaneThatSleepsWhileAThreadOfTheProgramWorks) {
  EmulatedMachine machine(small_machine(), patience);
  std::binary_semaphore token{0};
  std::jthread other([&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (std::chrono::steady_clock::now() < end) {}
    token.release();
  });
  double woken = 1;
  Region(machine, 2).run([&](std::uint32_t lane) {
    if (lane == 1) return instrumented().work(500'000);
    token.acquire();
    woken = now(machine);
  });
  EXPECT_EQ(woken, 0);
  EXPECT_THAT(machine.remarks(), testing::Not(testing::Contains(testing::HasSubstr("waited in the kernel"))));
}

TEST(Quantum, LanesAreCalledOutOfABarrierForTasksTheEarliestFirst) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  std::vector<std::pair<std::uint32_t, double>> calls;
  int tasks = 0;
  Region region(machine, 4);
  region.run([&](std::uint32_t lane) {
    if (lane == 0) {  // makes a task at 4000 and one at 5000, when the others wait since 300, 200 and 100
      for (const std::uint64_t work : {4000, 1000}) {
        instrumented().work(work);
        execution.ordered_begin();
        ++tasks;
        execution.tasks_changed(region.team(), 1, 1);
        execution.ordered_end();
      }
    } else {
      instrumented().work(400 - 100 * lane);
    }
    while (execution.wait_begin(Wait::barrier, nullptr)) {
      execution.wait_end(Wait::barrier, nullptr);
      execution.ordered_begin();
      calls.emplace_back(lane, now(machine));
      ASSERT_GT(tasks--, 0);
      execution.tasks_changed(region.team(), -1, 0);
      execution.ordered_end();
      instrumented().work(10'000);
      execution.ordered_begin();
      execution.tasks_changed(region.team(), 0, -1);
      execution.ordered_end();
    }
    execution.wait_end(Wait::barrier, nullptr);
    EXPECT_EQ(now(machine), 15'000);  // nobody leaves before the last task is finished
  });
  EXPECT_THAT(calls, testing::ElementsAre(std::pair(3u, 4000.0), std::pair(2u, 5000.0)));
}

TEST(Quantum, LanesThatWaitForEachOtherForeverAreLetGo) {
  EmulatedMachine machine(small_machine(), std::chrono::milliseconds(50));
  Execution& execution = machine.execution();
  Region(machine, 2).run([&](std::uint32_t) {
    execution.ordered_begin();
    execution.sleep();  // nobody is left to wake them
  });
  EXPECT_THAT(machine.remarks(), testing::Contains(testing::HasSubstr("waited for each other")));
}

TEST(Quantum, TeamsOfOneAndNestedTeamsKeepTheirPlaces) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  std::vector<double> after(2);
  Region(machine, 2).run([&](std::uint32_t lane) {
    const std::uint64_t single = execution.fork();
    execution.lane_begin(single, LaneId(0), 1);
    instrumented().work(100);
    execution.wait_begin(Wait::join, nullptr);
    execution.wait_end(Wait::join, nullptr);
    execution.join(single);
    Region(machine, 2).run([&](std::uint32_t inner) { instrumented().work(1000 * (lane + 1) + inner); });
    after[lane] = now(machine);
  });
  EXPECT_THAT(after, testing::ElementsAre(1101, 2101));
  EXPECT_EQ(now(machine), 2101);
}

TEST(Quantum, AThreadOutsideOpenMpHasAClockOfItsOwn) {
  EmulatedMachine machine(small_machine(), patience);
  double other = 0;
  std::thread([&] {
    instrumented().work(70'000);
    instrumented().access(base);
    instrumented().work(1'000);  // behind the window of the access
    other = now(machine);
  }).join();
  EXPECT_EQ(other, 71'001);
  EXPECT_EQ(now(machine), 0);
}

}  // namespace
}  // namespace lbhm::emulator
