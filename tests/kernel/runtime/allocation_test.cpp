// Does omp_alloc give memory of the node that its space and traits name?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

class Allocation : public testing::Test {
 protected:
  static const Outcome& program() {
    static const Outcome once = [] {
      Outcome done = run({"kernel-spaces"}, {{"LBHM_POLICY", "first-touch"}});
      std::puts(done.output.c_str());
      return done;
    }();
    return once;
  }
  static void expect_on(const std::string& name, int node) {
    const Outcome& done = program();
    ASSERT_EQ(done.status, 0);
    ASSERT_TRUE(done.nodes.contains(name)) << name << ": no memory";
    const Where at = done.nodes.at(name);
    EXPECT_EQ(node == facts::fast ? at.fast : at.slow, 512)
        << name << ": " << at.fast << " fast, " << at.slow << " slow";
  }
};

TEST_F(Allocation, TierHints) {
  expect_on("managed-tier-0", facts::fast);
  expect_on("managed-tier-1", facts::slow);
  expect_on("aligned-tier-1", facts::slow);
}

TEST_F(Allocation, ManagedMemoryOfStandardSpaces) {
  expect_on("managed", facts::fast);  // policy first-touch
  expect_on("managed-high-bandwidth", facts::fast);
  expect_on("managed-large-capacity", facts::slow);
}

TEST_F(Allocation, StandardSpacesWithoutOurTraits) {
  // Where the kernel puts it: at the thread that touches it (docs/allocators.md).
  for (const char* const name : {"predefined-default", "predefined-low-latency"}) expect_on(name, facts::fast);
  for (const char* const name : {"predefined-high-bandwidth", "high-bandwidth"}) expect_on(name, facts::fast);
  for (const char* const name : {"predefined-large-capacity", "large-capacity"}) expect_on(name, facts::slow);
}

TEST_F(Allocation, BlocksSmallerThanPages) {
  for (const char* const name : {"small-default", "small-high-bandwidth", "small-tier-0"}) expect_on(name, facts::fast);
  for (const char* const name : {"small-large-capacity", "small-tier-1"}) expect_on(name, facts::slow);
}

TEST_F(Allocation, AStandardSpaceWithoutRoomFollowsItsFallback) {
  EXPECT_NE(program().output.find("none too-much"), std::string::npos);
}

TEST_F(Allocation, WithoutLbhmTheSameProgramRuns) {
  const Outcome plain = run({"kernel-spaces"}, {{"LD_PRELOAD", ""}});
  EXPECT_EQ(plain.status, 0) << plain.output;
  EXPECT_EQ(plain.nodes.at("managed-tier-1").fast, 512);
}

}  // namespace
}  // namespace kernel_test
