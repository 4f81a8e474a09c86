// LBHM_SPREAD: how do the pages of a tier of two nodes lie on them? Brings node 2 up, so it runs last.
#include <gtest/gtest.h>

#include <filesystem>

#include "runtime/run.h"

namespace kernel_test {
namespace {

constexpr long pages = 8 * 256;
const std::string weights = "/sys/kernel/mm/mempolicy/weighted_interleave/";

class Spread : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const auto& block : std::filesystem::directory_iterator("/sys/devices/system/memory")) {
      const std::string state = block.path() / "state";
      if (facts::text(state) == "offline") facts::set(state, "online_movable");
    }
  }
  void SetUp() override {
    ASSERT_EQ(facts::text("/sys/devices/system/node/has_memory"), "0-2");
    std::puts(facts::text("/sys/devices/system/node/node0/distance").c_str());
  }
  /// An object of 8 MiB in a slow tier of the nodes 1 and 2.
  static Outcome spread(const std::string& setting) {
    const Outcome done =
        run({"kernel-spread", "8"}, {{"LBHM_POLICY", "slow-only"}, {"LBHM_TIERS", "0/1,2"}, {"LBHM_SPREAD", setting}});
    std::puts(done.output.c_str());
    EXPECT_EQ(done.status, 0);
    return done;
  }
  static long on(const Outcome& done, int node) {
    const auto found = done.numbers.find("node-" + std::to_string(node));
    return found == done.numbers.end() ? 0 : found->second;
  }
  static bool has_policy(const Outcome& done, const std::string& policy) {
    return done.output.find("policy " + policy) != std::string::npos;
  }
};

TEST_F(Spread, NearestFillsTheNearestNodeAndMayGoElsewhere) {
  const Outcome done = spread("nearest");
  EXPECT_EQ(on(done, 1), pages);
  EXPECT_TRUE(has_policy(done, "prefer (many):1-2"));
}

TEST_F(Spread, BindStaysInTheTier) {
  const Outcome done = spread("bind");
  EXPECT_EQ(on(done, 1) + on(done, 2), pages);
  EXPECT_TRUE(has_policy(done, "bind:1-2"));
}

TEST_F(Spread, InterleaveTakesTurns) {
  const Outcome done = spread("interleave");
  EXPECT_EQ(on(done, 1), pages / 2);
  EXPECT_EQ(on(done, 2), pages / 2);
  EXPECT_TRUE(has_policy(done, "interleave:1-2"));
}

TEST_F(Spread, WeightedFollowsTheKernelsWeights) {
  const bool known = std::filesystem::exists(weights);  // since Linux 6.9
  if (known) ASSERT_TRUE(facts::set(weights + "node1", "3") && facts::set(weights + "node2", "1"));
  const Outcome done = spread("weighted");
  EXPECT_EQ(on(done, 1) + on(done, 2), pages);
  EXPECT_NEAR(static_cast<double>(on(done, 1)), known ? pages * 0.75 : pages * 0.5, 8);
  EXPECT_TRUE(has_policy(done, known ? "weighted interleave:1-2" : "interleave:1-2"));
}

}  // namespace
}  // namespace kernel_test
