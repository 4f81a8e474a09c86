// Does LB_HM_config move what it planned, and does the report say what the kernel says?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

const Environment merchandiser = {{"LBHM_POLICY", "merchandiser"}, {"LBHM_SAMPLER", "faults"}};

Environment with(Environment environment, const std::string& name, const std::string& value) {
  environment[name] = value;
  return environment;
}

/// Compares each plan of the report with what the program saw before and after the call that made it.
void expect_report_agrees(const Outcome& done) {
  ASSERT_EQ(done.status, 0) << done.output;
  ASSERT_TRUE(done.report.is_object()) << done.output;
  ASSERT_FALSE(done.report["plans"].empty());
  for (const auto& plan : done.report["plans"]) {
    const std::string call = "after-" + std::to_string(plan["instance"].get<int>());
    ASSERT_TRUE(done.moved.contains(call)) << call;
    const auto [up, down] = done.moved.at(call);
    std::printf("%s: report %ld up, %ld evicted, %ld failed; kernel %ld up, %ld down\n", call.c_str(),
                plan["moved_bytes"].get<long>() / 4096, plan["evicted_bytes"].get<long>() / 4096,
                plan["failed_bytes"].get<long>() / 4096, up, down);
    EXPECT_EQ(up + down, plan["moved_bytes"].get<long>() / 4096);
    EXPECT_EQ(down, plan["evicted_bytes"].get<long>() / 4096);
    EXPECT_EQ(plan["failed_bytes"], 0) << plan["first_failure"];
  }
}

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
