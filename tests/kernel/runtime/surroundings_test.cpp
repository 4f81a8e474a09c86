// What the kernel does with pages on its own account, and what it refuses: does LB-HM say so once, and go on?
#include <gtest/gtest.h>

#include <chrono>

#include "runtime/run.h"

namespace kernel_test {
namespace {

const std::string balancing = "/proc/sys/kernel/numa_balancing";
const std::vector<std::string> program = {"kernel-planned", "4", "4,4"};
const Environment settings = {
    {"LBHM_POLICY", "merchandiser-once"}, {"LBHM_SAMPLER", "faults"}, {"LBHM_FAST_CAPACITY", "4M"}};

int lines_with(const std::string& text, const std::string& word) {
  int lines = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    ++lines;
    at = std::min(text.find('\n', at), text.size());
  }
  return lines;
}

TEST(Surroundings, BalancingIsNamedOnceAndChangesNoResult) {
  const Outcome off = run(program, settings);
  ASSERT_EQ(off.status, 0) << off.output;
  EXPECT_EQ(lines_with(off.output, "numa_balancing"), 0);
  for (const char* const mode : {"1", "2"}) {
    ASSERT_TRUE(facts::set(balancing, mode));
    const Outcome on = run(program, settings);
    ASSERT_TRUE(facts::set(balancing, "0"));
    ASSERT_EQ(on.status, 0) << on.output;
    EXPECT_EQ(on.checksum, off.checksum);
    const std::string said = on.output + on.report["remarks"].dump(0);
    std::printf("numa_balancing=%s: %s\n", mode, on.report["remarks"].dump().c_str());
    EXPECT_GE(lines_with(said, "numa_balancing"), 1);
    EXPECT_LE(lines_with(on.output, "numa_balancing"), 1);
    EXPECT_LE(lines_with(on.report["remarks"].dump(0), "numa_balancing"), 1);
  }
}

/// Objects that their policy binds stay where the plan put them, whatever the kernel would like better. The program
/// writes to slow pages for longer than the kernel takes to move such pages without a policy (case `balancing`).
TEST(Surroundings, BalancingMovesNoPlacedPage) {
  ASSERT_TRUE(facts::set(balancing, "2"));
  const auto begin = std::chrono::steady_clock::now();
  const Outcome on = run({"kernel-rewrites", "2", "600", "8"}, {{"LBHM_POLICY", "slow-only"}});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(facts::set(balancing, "0"));
  ASSERT_EQ(on.status, 0) << on.output;
  std::printf("%s%.1f s\n", on.output.c_str(), took.count());
  EXPECT_EQ(on.numbers.at("moved-meanwhile"), 0);
  EXPECT_EQ(on.numbers.at("wrong"), 0);
}

TEST(Surroundings, OneTierOnlyIsAHostAsBefore) {
  const Outcome one = run({"kernel-spaces"}, {{"LBHM_TIERS", "0"}, {"LBHM_POLICY", "first-touch"}});
  ASSERT_EQ(one.status, 0) << one.output;
  EXPECT_EQ(one.nodes.at("managed-tier-1").fast, 512);
  EXPECT_EQ(lines_with(one.report["remarks"].dump(0), "the host has one memory"), 1);
}

TEST(Surroundings, TiersCanBeNamedByHand) {
  const Outcome turned = run({"kernel-spaces"}, {{"LBHM_TIERS", "1/0"}, {"LBHM_POLICY", "first-touch"}});
  ASSERT_EQ(turned.status, 0) << turned.output;
  EXPECT_EQ(turned.nodes.at("managed-tier-0").slow, 512);
  EXPECT_EQ(turned.nodes.at("managed-tier-1").fast, 512);
}

TEST(Surroundings, ATierThatDoesNotExistIsRefusedInOneLineAndTheProgramRuns) {
  const Outcome wrong = run({"kernel-spaces"}, {{"LBHM_TIERS", "0/7"}});
  EXPECT_EQ(wrong.status, 0);
  EXPECT_EQ(lines_with(wrong.output, "LBHM_TIERS"), 1) << wrong.output;
  // As on a host of one memory the runtime decides, which has none of high bandwidth.
  EXPECT_EQ(wrong.nodes.size(), 16U);
  EXPECT_FALSE(wrong.nodes.contains("high-bandwidth"));
}

}  // namespace
}  // namespace kernel_test
