// Does LB_HM_config move what it planned, and does the report say what the kernel says?
#include <gtest/gtest.h>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

TEST(Config, MovesThePlannedPagesAndReportsThem) {
  const Outcome done = run({"kernel-planned", "4", "8,4"}, merchandiser);
  std::puts(done.output.c_str());
  expect_report_agrees(done);
  EXPECT_GT(done.report["migrated_bytes"], 0);
  EXPECT_GT(done.all("after-3").fast, 0);
  EXPECT_EQ(done.checksum,
            run({"kernel-planned", "4", "8,4"}, with(merchandiser, "LBHM_POLICY", "first-touch")).checksum);
}

/// The machine is the two tiers that the kernel has, in their order.
TEST(Config, TheMachineHasTwoTiers) {
  const Outcome done = run({"kernel-planned", "1", "1"}, merchandiser);
  ASSERT_EQ(done.status, 0) << done.output;
  std::puts(done.report.dump(1).substr(0, 1500).c_str());
  const double fast = done.report["fast_capacity_bytes"];
  EXPECT_GT(fast, 200e6);
  EXPECT_LT(fast, 512e6);
  EXPECT_EQ(done.all("after-0").absent, 256);
}

TEST(Config, FastMemoryThatIsFullIsNeverExceeded) {
  constexpr long capacity = 6 * 256;  // pages; the objects have 12 MiB together
  const Outcome done = run({"kernel-planned", "6", "4,4,4"}, with(merchandiser, "LBHM_FAST_CAPACITY", "6M"));
  std::puts(done.output.c_str());
  expect_report_agrees(done);
  EXPECT_EQ(done.report["fast_capacity_bytes"], capacity * 4096);
  long most = 0;
  for (int instance = 1; instance < 6; ++instance) {
    const long fast = done.all("after-" + std::to_string(instance)).fast;
    EXPECT_LE(fast, capacity) << instance;
    most = std::max(most, fast);
  }
  EXPECT_GT(most, capacity / 2);
}

TEST(Config, FirstTouchFillsFastMemoryAndGoesOnInSlow) {
  const Outcome done =
      run({"kernel-planned", "2", "4,4,4"}, {{"LBHM_POLICY", "first-touch"}, {"LBHM_FAST_CAPACITY", "6M"}});
  std::puts(done.output.c_str());
  ASSERT_EQ(done.status, 0);
  const Where at = done.all("after-1");
  EXPECT_NEAR(static_cast<double>(at.fast), 6 * 256, 64);
  EXPECT_EQ(at.fast + at.slow, 12 * 256);
}

}  // namespace
}  // namespace kernel_test
