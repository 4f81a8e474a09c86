// Under policy sicm, do the pages of a site move together, by the kernel?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

constexpr long cold = 6 * 256, hot = 3 * 256, again = 64;  // pages

Outcome run_with(long capacity) {
  const Outcome done = run({"kernel-sites"}, {{"LD_PRELOAD", "/lib/liblbhm.so:/lib/liblbhm-heap.so"},
                                              {"LBHM_POLICY", "sicm"},
                                              {"LBHM_SAMPLER", "faults"},
                                              {"LBHM_FAST_CAPACITY", std::to_string(capacity * 4096)}});
  std::puts((done.output + done.report["remarks"].dump()).c_str());
  return done;
}

TEST(Sites, TheHotSiteComesWholeAndTheColdOneLeavesAsMuchAsItNeeds) {
  constexpr long capacity = cold + 16;
  const Outcome done = run_with(capacity);
  ASSERT_EQ(done.status, 0);
  EXPECT_EQ(done.numbers.at("wrong"), 0);
  const Where hot_before = done.nodes.at("before-hot"), cold_before = done.nodes.at("before-cold");
  const Where hot_after = done.nodes.at("after-hot"), cold_after = done.nodes.at("after-cold");
  EXPECT_EQ(cold_before.fast, cold);
  EXPECT_GE(hot_before.slow, hot - 16);
  EXPECT_EQ(hot_after.fast, hot);
  EXPECT_EQ(cold_after.fast + cold_after.slow, cold);
  EXPECT_LE(cold_after.fast + hot_after.fast, capacity);
  EXPECT_GE(cold_after.fast, capacity - hot - again - 16) << "more left than was needed";
}

TEST(Sites, WhereTheHotSiteFillsFastMemoryTheColdOneLeavesIt) {
  const Outcome done = run_with(hot + again);
  ASSERT_EQ(done.status, 0);
  EXPECT_EQ(done.numbers.at("wrong"), 0);
  EXPECT_EQ(done.nodes.at("before-cold").fast, hot + again);
  EXPECT_EQ(done.nodes.at("before-hot").slow, hot);
  EXPECT_EQ(done.nodes.at("after-hot").fast, hot);
  const Where cold_after = done.nodes.at("after-cold");
  EXPECT_EQ(cold_after.fast + cold_after.slow, cold);
  EXPECT_LE(cold_after.fast, again) << "pages of the block that has none at that moment need no room";
}

}  // namespace
}  // namespace kernel_test
