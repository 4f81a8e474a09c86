// SpGEMM from end to end: does each policy place its objects as it says, with the same result?
#include <gtest/gtest.h>

#include <sstream>

#include "runtime/run.h"

namespace kernel_test {
namespace {

constexpr std::uint64_t page_bytes = facts::page_bytes;
const std::string watch = "/lib/libkernel-watch.so";

Outcome multiply(Environment environment) {
  environment.try_emplace("LD_PRELOAD", watch + ":/lib/liblbhm.so");
  Outcome done = run({"spgemm", "--kron", "9", "--inputs", "4", "--threads", "2"}, environment);
  EXPECT_EQ(done.status, 0) << done.output;
  return done;
}

/// What SpGEMM itself said.
std::string result(const Outcome& done) {
  std::string kept;
  std::istringstream lines(done.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("nodes ") && !line.starts_with("moved ") && !line.starts_with("lbhm:")) kept += line + '\n';
  }
  return kept;
}

/// Of all objects when the region of the n-th input is over.
Where behind_region(const Outcome& done, int input) { return done.all("end-" + std::to_string(input)); }

/// For each object of each plan: the pages that the kernel has in fast memory behind the region are those of the plan.
void expect_placed_as_planned(const Outcome& done) {
  for (const auto& plan : done.report["plans"]) {
    const std::string behind = "end-" + std::to_string(plan["instance"].get<int>()) + "-";
    EXPECT_EQ(plan["failed_bytes"], 0) << plan["first_failure"];
    EXPECT_EQ(plan["left_bytes"], 0);
    for (const auto& object : plan["objects"]) {
      if (object["bytes"] < page_bytes) continue;  // not managed: LBHM_MANAGED_MINIMUM
      const std::string name = object["name"];
      const Where at = done.nodes.at(behind + name);
      const auto planned =
          static_cast<long>((object["planned_fast_bytes"].get<std::uint64_t>() + page_bytes - 1) / page_bytes);
      std::printf("%s%s: planned %ld pages; kernel %ld fast, %ld slow, %ld untouched\n", behind.c_str(), name.c_str(),
                  planned, at.fast, at.slow, at.absent);
      EXPECT_LE(at.fast, planned) << name;
      EXPECT_GE(at.fast + at.absent, planned) << name << ": planned pages that nobody touched are absent";
    }
  }
}

/// What moved while each plan was made.
void expect_moved_as_reported(const Outcome& done) {
  for (const auto& plan : done.report["plans"]) {
    const auto [up, down] = done.moved.at("after-" + std::to_string(plan["instance"].get<int>()));
    EXPECT_EQ((up + down) * page_bytes, plan["moved_bytes"].get<std::uint64_t>());
    EXPECT_EQ(down * page_bytes, plan["evicted_bytes"].get<std::uint64_t>());
  }
}

class Spgemm : public testing::Test {
 protected:
  static const Outcome& plain() {
    static const Outcome once = multiply({{"LD_PRELOAD", watch}});
    return once;
  }
};

TEST_F(Spgemm, FirstTouchPutsAllIntoFastMemory) {
  const Outcome touch = multiply({{"LBHM_POLICY", "first-touch"}});
  EXPECT_EQ(result(touch), result(plain()));
  EXPECT_EQ(touch.report["migrated_bytes"], 0);
  for (int input = 0; input < 4; ++input) {
    EXPECT_EQ(behind_region(touch, input).slow, 0);
    EXPECT_GT(behind_region(touch, input).fast, 256);
  }
}

TEST_F(Spgemm, SlowOnlyPutsAllManagedObjectsIntoSlowMemory) {
  const Outcome slow = multiply({{"LBHM_POLICY", "slow-only"}});
  EXPECT_EQ(result(slow), result(plain()));
  for (int input = 0; input < 4; ++input) EXPECT_GT(behind_region(slow, input).slow, 256);
}

TEST_F(Spgemm, MerchandiserPutsEachObjectWhereItsPlanSays) {
  const Outcome ours =
      multiply({{"LBHM_POLICY", "merchandiser-once"}, {"LBHM_SAMPLER", "hints"}, {"LBHM_FAST_CAPACITY", "1M"}});
  EXPECT_EQ(result(ours), result(plain()));
  ASSERT_EQ(ours.report["plans"].size(), 3U);
  expect_placed_as_planned(ours);
  expect_moved_as_reported(ours);
  // Nothing moves where the few samples of a slow host hit only objects that are born anew for each input.
  std::printf("moved %ld KiB\n", ours.report["migrated_bytes"].get<long>() / 1024);
  EXPECT_GT(behind_region(ours, 0).slow, 256) << "the base instance is in slow memory";
  for (int input = 1; input < 4; ++input) {
    EXPECT_GT(behind_region(ours, input).slow, 0);
    EXPECT_GE(behind_region(ours, input).fast, behind_region(ours, 0).fast);
  }
}

}  // namespace
}  // namespace kernel_test
