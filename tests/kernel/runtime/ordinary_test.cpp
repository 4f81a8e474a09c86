// Does it do its work for a user without rights?
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/plans.h"

namespace kernel_test {
namespace {

const std::vector<std::string> planned{"kernel-planned", "4", "8,4"};

Outcome run_as_user(int perf_event_paranoid, std::vector<std::string> command, const Environment& environment) {
  std::filesystem::permissions(".", std::filesystem::perms::all);  // for the report
  std::ofstream("/proc/sys/kernel/perf_event_paranoid") << perf_event_paranoid;
  command.insert(command.begin(), "kernel-ordinary");
  return run(command, environment);
}

TEST(OrdinaryUser, PlacesAndMovesAsRootDoes) {
  const Outcome done = run_as_user(2, planned, merchandiser);  // the kernel's default
  std::puts(done.output.c_str());
  expect_report_agrees(done);
  EXPECT_GT(done.report["migrated_bytes"], 0);
  EXPECT_EQ(done.checksum, run(planned, with(merchandiser, "LBHM_POLICY", "first-touch")).checksum);
}

TEST(OrdinaryUser, HearsWhatWouldWorkWithMoreRights) {
  const Outcome done = run_as_user(3, planned, with(merchandiser, "LBHM_SAMPLER", "auto"));  // Debian's default
  EXPECT_EQ(done.status, 0) << done.output;
  const std::string remarks = done.report["remarks"].dump();
  std::puts(remarks.c_str());
  EXPECT_NE(remarks.find("perf_event_paranoid"), std::string::npos);
  EXPECT_NE(remarks.find("page_idle"), std::string::npos);
}

}  // namespace
}  // namespace kernel_test
