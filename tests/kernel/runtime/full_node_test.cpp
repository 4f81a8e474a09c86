// Fast memory that is full for real, not by a setting: does the program go on, and the kernel live?
#include <gtest/gtest.h>
#include <sys/klog.h>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

constexpr long mib = 256;  // pages
constexpr long left = 64;  // MiB of node 0 for the program and the kernel
constexpr int read_all = 3;
/// Pages that the kernel moves itself when a node is nearly full (compaction) are nowhere for a moment.
constexpr long in_flight = 8;

/// Did the kernel kill a process since the case began?
bool out_of_memory() {
  std::string log(1 << 18, '\0');
  const int bytes = klogctl(read_all, log.data(), static_cast<int>(log.size()));
  return bytes < 0 || log.substr(0, static_cast<std::size_t>(bytes)).find("Out of memory") != std::string::npos;
}

class FullNode : public testing::Test {
 protected:
  void SetUp() override { ballast_ = facts::fill(facts::fast, left * 1024); }
  void TearDown() override {
    EXPECT_FALSE(out_of_memory());
    EXPECT_TRUE(ballast_->intact());
    std::printf("%ld MiB of fast memory were left\n", facts::free_kib(facts::fast) / 1024);
  }

 private:
  std::unique_ptr<facts::Pages> ballast_;
};

TEST_F(FullNode, AnObjectThatDoesNotFitBeginsInFastMemoryAndGoesOnInSlow) {
  const Outcome done = run({"kernel-planned", "2", "96"}, {{"LBHM_POLICY", "first-touch"}});
  std::puts(done.output.c_str());
  ASSERT_EQ(done.status, 0);
  const double capacity = done.report["fast_capacity_bytes"];
  EXPECT_LT(capacity, left << 20);
  EXPECT_GT(capacity, (left << 20) * 0.15);  // pages in the lists of processors, some 16 MiB and more, are not counted
  const Where at = done.all("after-1");
  EXPECT_NEAR(static_cast<double>(at.fast + at.slow), 96 * mib, in_flight);
  EXPECT_NEAR(static_cast<double>(at.fast), capacity / facts::page_bytes, 4 * mib);
}

TEST_F(FullNode, PlansEvictWhatIsColdAndBringInWhatIsHot) {
  const Outcome done = run({"kernel-planned", "4", "72,72", "alone"}, with(merchandiser, "LBHM_MOVE_TIME", "0"));
  std::puts(done.output.c_str());
  expect_report_agrees(done, in_flight);
  EXPECT_LT(done.report["fast_capacity_bytes"], left << 20);
  long evicted = 0;
  for (const auto& plan : done.report["plans"]) evicted += plan["evicted_bytes"].get<long>();
  EXPECT_GT(evicted, 0);
  EXPECT_GT(done.all("after-3").fast, left / 8 * mib);
}

}  // namespace
}  // namespace kernel_test
