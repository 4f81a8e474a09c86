// Does a mutex in virtual time go to whoever comes first by the clocks?
#include "emulator/core/mutexes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "emulator/emulator.h"
#include "tests/emulator/machine_for_tests.h"
#include "tests/emulator/region_for_tests.h"

namespace lbhm::emulator {
namespace {

constexpr std::chrono::seconds patience{20};

TEST(Mutex, PassesItsClockOn) {
  EmulatedMachine machine(small_machine(), patience);
  std::mutex mutex;
  std::vector<double> inside(6);
  Region(machine, 6).run([&](std::uint32_t lane) {
    machine.execution().wait_begin(Wait::mutex, &mutex);
    mutex.lock();
    machine.execution().wait_end(Wait::mutex, &mutex);
    inside[lane] = now(machine);
    instrumented().work(2000);
    machine.execution().mutex_released(&mutex);
    mutex.unlock();
  });
  std::ranges::sort(inside);
  EXPECT_THAT(inside, testing::ElementsAre(0, 2000, 4000, 6000, 8000, 10'000));
}

TEST(Mutex, IsGivenInTheOrderOfClocksWhateverComesFirstInRealTime) {
  for (int repeat = 0; repeat < 5; ++repeat) {
    EmulatedMachine machine(small_machine(), patience);
    Execution& execution = machine.execution();
    std::vector<std::uint32_t> order;
    Region(machine, 8).run([&](std::uint32_t lane) {
      std::this_thread::sleep_for(std::chrono::milliseconds(lane * 2));
      instrumented().work(100 * (8 - lane));  // the last one comes first
      execution.wait_begin(Wait::mutex, &order);
      order.push_back(lane);
      instrumented().work(2000);
      execution.mutex_released(&order);
    });
    EXPECT_THAT(order, testing::ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
  }
}

TEST(Mutex, CanBeTakenByTryingOnlyIfNobodyHasItAtThatTime) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  const int mutex = 0;
  std::vector<bool> taken(3);
  Region(machine, 3).run([&](std::uint32_t lane) {
    instrumented().work(lane == 0 ? 100 : lane * 1000);  // 0 has it from 100 to 1600; 1 tries at 1000, 2 at 2000
    taken[lane] = execution.try_mutex(&mutex);
    if (lane == 0) {
      instrumented().work(1500);
      execution.mutex_released(&mutex);
    }
  });
  EXPECT_THAT(taken, testing::ElementsAre(true, false, true));
}

TEST(Mutex, ThatALaneHasTwiceIsGivenBackTwice) {
  EmulatedMachine machine(small_machine(), patience);
  Execution& execution = machine.execution();
  const int mutex = 0;
  double second = 0;
  std::vector<bool> has;
  Region(machine, 2).run([&](std::uint32_t lane) {
    const auto take = [&] {
      execution.wait_begin(Wait::mutex, &mutex);
      execution.wait_end(Wait::mutex, &mutex);
    };
    if (lane == 0) {
      has.push_back(execution.has_mutex(&mutex));
      take();
      take();
      instrumented().work(1000);
      execution.mutex_released(&mutex);
      has.push_back(execution.has_mutex(&mutex));
      instrumented().work(1000);
      execution.mutex_released(&mutex);
      has.push_back(execution.has_mutex(&mutex));
    } else {
      instrumented().work(500);
      take();
      second = now(machine);
      execution.mutex_released(&mutex);
    }
  });
  EXPECT_EQ(second, 2000);
  EXPECT_THAT(has, testing::ElementsAre(false, true, false));
}

}  // namespace
}  // namespace lbhm::emulator
