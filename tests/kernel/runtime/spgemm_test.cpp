// SpGEMM from end to end: does each policy place as it says, with the same result?
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/run.h"

namespace kernel_test {
namespace {

struct Spgemm {
  Outcome done;
  long most_fast = 0, most_slow = 0;  ///< pages of the process at one time, by /proc/PID/numa_maps
};

Spgemm multiply(const Environment& environment) {
  Started program({"spgemm", "--kron", "9", "--inputs", "4", "--threads", "2"}, environment, "spgemm");
  Spgemm result;
  while (!program.ended()) {
    const auto [fast, slow] = resident(program.process());
    result.most_fast = std::max(result.most_fast, fast);
    result.most_slow = std::max(result.most_slow, slow);
    usleep(10'000);
  }
  result.done = program.finish();
  return result;
}

TEST(Spgemm, ResultsAreIdenticalAndPlacementsDiffer) {
  const Spgemm plain = multiply({{"LD_PRELOAD", ""}});
  const Spgemm touch = multiply({{"LBHM_POLICY", "first-touch"}});
  const Spgemm slow = multiply({{"LBHM_POLICY", "slow-only"}});
  const Spgemm ours =
      multiply({{"LBHM_POLICY", "merchandiser"}, {"LBHM_SAMPLER", "faults"}, {"LBHM_FAST_CAPACITY", "1M"}});
  for (const auto& [name, run] : {std::pair("without LB-HM", &plain), std::pair("first-touch", &touch),
                                  std::pair("slow-only", &slow), std::pair("merchandiser, 1 MiB", &ours)}) {
    ASSERT_EQ(run->done.status, 0) << name << ": " << run->done.output;
    EXPECT_EQ(run->done.output.substr(0, plain.done.output.size()), plain.done.output) << name;
    std::printf("%-20s at most %ld pages fast, %ld slow", name, run->most_fast, run->most_slow);
    if (run->done.report.is_object()) {
      std::printf("; moved %ld KiB in %zu plans", run->done.report["migrated_bytes"].get<long>() / 1024,
                  run->done.report["plans"].size());
    }
    std::puts("");
  }
  EXPECT_EQ(plain.most_slow, 0);
  EXPECT_EQ(touch.most_slow, 0);
  EXPECT_EQ(touch.done.report["migrated_bytes"], 0);
  EXPECT_GT(slow.most_slow, 256);
  EXPECT_GT(ours.most_slow, 256);
  EXPECT_EQ(ours.done.report["plans"].size(), 3U);
  for (const auto& plan : ours.done.report["plans"]) EXPECT_EQ(plan["failed_bytes"], 0) << plan["first_failure"];
}

}  // namespace
}  // namespace kernel_test
