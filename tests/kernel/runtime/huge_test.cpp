// LBHM_HUGE_PAGES: are objects in huge pages, and do these move whole?
#include <gtest/gtest.h>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

constexpr long huge_page = 512;  // pages

class Huge : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(facts::set(facts::huge_pages, "never")); }
  static Outcome planned(const char* kernel, const char* setting, const std::vector<std::string>& what = {"4", "8,4"},
                         const char* capacity = nullptr) {
    EXPECT_TRUE(facts::set(facts::huge_pages, kernel));
    std::vector<std::string> command{"kernel-planned"};
    command.insert(command.end(), what.begin(), what.end());
    Environment environment = with(merchandiser, "LBHM_HUGE_PAGES", setting);
    if (capacity) environment["LBHM_FAST_CAPACITY"] = capacity;
    const Outcome done = run(command, environment);
    std::puts(done.output.c_str());
    return done;
  }
  static long huge_kib(const Outcome& done, const std::string& moment) { return done.numbers.at("huge-" + moment); }
  /// Pages that the kernel moved: up and down, in all instances.
  static long moved(const Outcome& done) {
    long pages = 0;
    for (const auto& [name, at] : done.moved)
      if (name.starts_with("after-")) pages += at.first + at.second;
    return pages;
  }
};

TEST_F(Huge, OnPutsObjectsIntoHugePagesThatMoveWholeAndAreReportedWhole) {
  const Outcome done = planned("madvise", "on");
  expect_report_agrees(done);
  EXPECT_EQ(huge_kib(done, "before-1"), 12 * 1024);
  EXPECT_EQ(huge_kib(done, "after-3"), 12 * 1024) << "a huge page was split";
  EXPECT_GT(moved(done), 0);
  for (int instance = 1; instance < 4; ++instance) {
    for (const char* const object : {"object0", "object1"}) {
      const Where at = done.nodes.at("after-" + std::to_string(instance) + "-" + object);
      EXPECT_EQ(at.fast % huge_page, 0) << object;
    }
  }
}

TEST_F(Huge, ThoseThatTheKernelGaveByItselfAreReportedWholeToo) {
  const Outcome done = planned("always", "kernel");
  expect_report_agrees(done);
  EXPECT_GT(huge_kib(done, "before-1"), 0);
  EXPECT_GE(moved(done), huge_page);
}

/// Room for three huge pages and a half, of six: the half stays empty, or small pages have it.
TEST_F(Huge, FastMemoryThatIsFullIsNotExceededByThem) {
  constexpr long capacity = 7 * huge_page / 2;
  for (const auto& [kernel, setting] : {std::pair("madvise", "on"), std::pair("always", "kernel")}) {
    const Outcome done = planned(kernel, setting, {"6", "4,4,4"}, "7M");
    expect_report_agrees(done);
    EXPECT_EQ(done.report["fast_capacity_bytes"], capacity * 4096);
    EXPECT_GT(huge_kib(done, "before-1"), 0);
    EXPECT_GT(moved(done), 0);
    for (int instance = 1; instance < 6; ++instance)
      EXPECT_LE(done.all("after-" + std::to_string(instance)).fast, capacity) << setting << ", " << instance;
  }
}

TEST_F(Huge, OffKeepsThemOutWhateverTheKernelLikes) {
  const Outcome done = planned("always", "off");
  expect_report_agrees(done);
  EXPECT_EQ(huge_kib(done, "before-1"), 0);
}

TEST_F(Huge, WhereTheKernelHasNoneThereAreNone) { EXPECT_EQ(huge_kib(planned("never", "kernel"), "before-1"), 0); }

}  // namespace
}  // namespace kernel_test
