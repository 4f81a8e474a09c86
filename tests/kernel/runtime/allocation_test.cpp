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

/// Memory that nobody gave to LB-HM is where the kernel puts it: at the thread that touches it (docs/allocators.md).
TEST_F(Allocation, StandardSpacesWithoutOurTraits) {
  for (const char* const name : {"predefined-default", "predefined-high-bandwidth", "predefined-low-latency",
                                 "predefined-large-capacity", "high-bandwidth", "large-capacity"}) {
    expect_on(name, facts::fast);
  }
}

TEST_F(Allocation, WithoutLbhmTheSameProgramRuns) {
  const Outcome plain = run({"kernel-spaces"}, {{"LD_PRELOAD", ""}});
  EXPECT_EQ(plain.status, 0) << plain.output;
  EXPECT_EQ(plain.nodes.at("managed-tier-1").fast, 512);
}

}  // namespace
}  // namespace kernel_test
