// LBHM_HUGE_PAGES: are objects in huge pages, and do these move whole?
#include <gtest/gtest.h>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

class Huge : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(facts::set(facts::huge_pages, "never")); }
  static Outcome planned(const char* kernel, const char* setting) {
    EXPECT_TRUE(facts::set(facts::huge_pages, kernel));
    const Outcome done = run({"kernel-planned", "4", "8,4"}, with(merchandiser, "LBHM_HUGE_PAGES", setting));
    std::puts(done.output.c_str());
    return done;
  }
  static long huge_kib(const Outcome& done, const std::string& moment) { return done.numbers.at("huge-" + moment); }
};

/// The report counts the pages that were asked for, and the kernel takes the others of a huge page along: so far it
/// says less than what moved (docs/kernel-test.md).
TEST_F(Huge, OnPutsObjectsIntoHugePagesThatMoveWhole) {
  const Outcome done = planned("madvise", "on");
  ASSERT_EQ(done.status, 0);
  EXPECT_EQ(huge_kib(done, "before-1"), 12 * 1024);
  EXPECT_EQ(huge_kib(done, "after-3"), 12 * 1024) << "a huge page was split";
  const auto [up, down] = done.moved.at("after-1");
  EXPECT_GT(up, 0);
  EXPECT_GE((up + down) * 4096, done.report["plans"][0]["moved_bytes"].get<long>());
  EXPECT_GT(done.report["plans"][0]["moved_bytes"], 0);
  for (int instance = 1; instance < 4; ++instance) {
    for (const char* const object : {"object0", "object1"}) {
      const Where at = done.nodes.at("after-" + std::to_string(instance) + "-" + object);
      EXPECT_EQ(at.fast % 512, 0) << object;
    }
  }
}

TEST_F(Huge, OffKeepsThemOutWhateverTheKernelLikes) {
  const Outcome done = planned("always", "off");
  expect_report_agrees(done);
  EXPECT_EQ(huge_kib(done, "before-1"), 0);
}

TEST_F(Huge, OtherwiseItIsAsTheKernelHasIt) {
  EXPECT_GT(huge_kib(planned("always", "kernel"), "before-1"), 0);
  EXPECT_EQ(huge_kib(planned("never", "kernel"), "before-1"), 0);
}

}  // namespace
}  // namespace kernel_test
