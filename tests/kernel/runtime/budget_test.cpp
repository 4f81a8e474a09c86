// Do several processes keep to one budget of fast memory, and is it free again when one dies?
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <memory>

#include "runtime/run.h"

namespace kernel_test {
namespace {

constexpr long capacity = 8 * 256;  // pages

std::unique_ptr<Started> start(int number) {
  const Environment settings = {
      {"LBHM_POLICY", "first-touch"}, {"LBHM_FAST_CAPACITY", "8M"}, {"KERNEL_TEST_HOLD", "go-on"}};
  return std::make_unique<Started>(std::vector<std::string>{"kernel-planned", "2", "5"}, settings,
                                   "process" + std::to_string(number));
}

TEST(Budget, ThreeProcessesShareOneCapacity) {
  std::remove("go-on");
  std::vector<std::unique_ptr<Started>> processes;
  for (int number = 0; number < 3; ++number) processes.push_back(start(number));
  for (auto& process : processes) ASSERT_TRUE(process->worked());
  std::ofstream("go-on").flush();
  long fast = 0;
  std::string checksum;
  for (auto& process : processes) {
    const Outcome done = process->finish();
    ASSERT_EQ(done.status, 0) << done.output;
    const Where at = done.all("after-1");
    std::printf("%ld pages fast, %ld slow\n", at.fast, at.slow);
    EXPECT_EQ(at.fast + at.slow, 5 * 256);
    fast += at.fast;
    if (!checksum.empty()) EXPECT_EQ(done.checksum, checksum);
    checksum = done.checksum;
  }
  EXPECT_LE(fast, capacity);
  EXPECT_GT(fast, capacity * 3 / 4);
}

TEST(Budget, WhatAKilledProcessHadIsFreeAgain) {
  std::remove("go-on");
  auto first = start(0), second = start(1);
  ASSERT_TRUE(first->worked());
  ASSERT_TRUE(second->worked());
  kill(first->process(), SIGKILL);
  kill(second->process(), SIGKILL);
  EXPECT_EQ(first->finish().status, 128 + SIGKILL);
  second->finish();
  std::ofstream("go-on").flush();
  const Outcome third = start(2)->finish();
  ASSERT_EQ(third.status, 0) << third.output;
  EXPECT_EQ(third.all("after-1").fast, 5 * 256);
}

}  // namespace
}  // namespace kernel_test
