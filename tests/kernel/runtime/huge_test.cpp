// LBHM_HUGE_PAGES: are objects in huge pages, and do these move whole?
#include <gtest/gtest.h>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

constexpr long huge_page = 512;  // pages

class Huge : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(facts::set(facts::huge_pages, "never")); }
  struct Case {
    std::vector<std::string> objects = {"4", "8,4"};  ///< of the program kernel-planned
    const char* capacity = "";
    const char* sampler = "faults";
  };
  static Outcome planned(const char* kernel, const char* setting, const Case& what) {
    EXPECT_TRUE(facts::set(facts::huge_pages, kernel));
    std::vector<std::string> command{"kernel-planned"};
    command.insert(command.end(), what.objects.begin(), what.objects.end());
    Environment environment = with(merchandiser, "LBHM_HUGE_PAGES", setting);
    environment["LBHM_SAMPLER"] = what.sampler;
    environment["LBHM_MOVE_TIME"] = "0";
    if (*what.capacity) environment["LBHM_FAST_CAPACITY"] = what.capacity;
    const Outcome done = run(command, environment);
    std::puts(done.output.c_str());
    return done;
  }
  static Outcome planned(const char* kernel, const char* setting) { return planned(kernel, setting, Case()); }
  static long huge_kib(const Outcome& done, const std::string& moment) { return done.numbers.at("huge-" + moment); }
  static long evicted(const Outcome& done) {
    long bytes = 0;
    for (const auto& plan : done.report["plans"]) bytes += plan["evicted_bytes"].get<long>();
    return bytes / 4096;
  }
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

/// A page that waits for a hint fault is mapped alone: nothing in /proc shows the huge page any more, and it still
/// moves whole.
TEST_F(Huge, ThoseWhoseMappingASamplerHasSplitAreReportedWholeToo) {
  const Outcome done = planned("madvise", "on", {.sampler = "hints"});
  expect_report_agrees(done);
  EXPECT_LT(huge_kib(done, "before-1"), 12 * 1024) << "no hint fault was armed";
  EXPECT_GE(moved(done), huge_page);
  EXPECT_EQ(moved(done) % huge_page, 0);
}

/// Room for two huge pages and a half, of six: the half stays empty, or small pages have it. What a plan names of
/// more huge pages than fit stays, and the report says so.
TEST_F(Huge, FastMemoryThatIsFullIsNotExceededByThem) {
  constexpr long capacity = 5 * huge_page / 2;
  for (const auto& [kernel, setting] : {std::pair("madvise", "on"), std::pair("always", "kernel")}) {
    for (const char* const objects : {"all", "alone"}) {
      const Outcome done = planned(kernel, setting, {.objects = {"6", "4,4,4", objects}, .capacity = "5M"});
      std::printf("huge pages %s, %s\n", setting, objects);
      expect_moves_agree(done);
      EXPECT_EQ(done.report["fast_capacity_bytes"], capacity * 4096);
      EXPECT_GT(huge_kib(done, "before-1"), 0);
      EXPECT_GT(moved(done), 0);
      // Where objects begin within a block, a plan may be content with the small pages at their ends.
      const bool aligned = setting == std::string("on");
      if (aligned) EXPECT_EQ(evicted(done) % huge_page, 0);
      if (aligned && objects == std::string("alone")) EXPECT_GT(evicted(done), 0);
      for (int instance = 1; instance < 6; ++instance)
        EXPECT_LE(done.all("after-" + std::to_string(instance)).fast, capacity) << instance;
    }
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
