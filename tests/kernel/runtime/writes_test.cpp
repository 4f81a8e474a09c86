// Do OpenMP threads lose a write while LB-HM moves the pages that they write to?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

/// A program that rewrites two objects of so many MiB, of which one fits into fast memory.
void expect_all_writes(const std::string& regions, const std::string& passes, const std::string& mib,
                       Environment settings) {
  settings["LBHM_FAST_CAPACITY"] = mib + "M";
  const Outcome done = run({"kernel-rewrites", regions, passes, mib}, settings);
  std::puts(done.output.c_str());
  ASSERT_EQ(done.status, 0);
  ASSERT_TRUE(done.report.is_object());
  std::printf("%s: %ld KiB moved by the report, background %s\n", settings["LBHM_POLICY"].c_str(),
              done.report["migrated_bytes"].get<long>() / 1024, done.report["background"].dump().c_str());
  EXPECT_GE(done.numbers.at("writes"), 100'000'000);
  EXPECT_EQ(done.numbers.at("wrong"), 0);
  EXPECT_GT(done.numbers.at("moved-meanwhile"), 0) << "no page moved while it was written to";
  EXPECT_GE(done.report["migrated_bytes"].get<long>(), done.numbers.at("moved-meanwhile") * 4096);
}

/// What LB_HM_config leaves for later moves while the region runs.
TEST(Writes, NoneIsLostWhileAPlanIsCarriedOut) {
  expect_all_writes("6", "4", "40",
                    {{"LBHM_POLICY", "merchandiser"}, {"LBHM_SAMPLER", "faults"}, {"LBHM_MOVE_TIME", "1"}});
}

/// A policy that decides at intervals, within a region.
TEST(Writes, NoneIsLostUnderADaemon) {
  expect_all_writes("4", "200", "2", {{"LBHM_POLICY", "memory-optimizer"}, {"LBHM_SAMPLER", "hints"}});
}

}  // namespace
}  // namespace kernel_test
