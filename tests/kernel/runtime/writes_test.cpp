// Do OpenMP threads lose a write while LB-HM moves the pages that they write to?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

/// A program that rewrites two objects of so many MiB, of which one fits into fast memory.
struct Rewriting {
  std::string regions, mib;
  int passes;
  Environment settings;
};

/// Pages that moved while they were written to; no write may be lost.
long moved_meanwhile(const Rewriting& how) {
  Environment settings = how.settings;
  settings["LBHM_FAST_CAPACITY"] = how.mib + "M";
  const Outcome done = run({"kernel-rewrites", how.regions, std::to_string(how.passes), how.mib}, settings);
  std::puts(done.output.c_str());
  EXPECT_EQ(done.status, 0);
  if (!done.report.is_object() || !done.numbers.contains("wrong")) return 0;
  const long moved = done.numbers.at("moved-meanwhile");
  std::printf("%s: %ld KiB moved by the report, background %s\n", settings["LBHM_POLICY"].c_str(),
              done.report["migrated_bytes"].get<long>() / 1024, done.report["background"].dump().c_str());
  EXPECT_GE(done.numbers.at("writes"), 100'000'000);
  EXPECT_EQ(done.numbers.at("wrong"), 0);
  EXPECT_GE(done.report["migrated_bytes"].get<long>(), moved * 4096);
  return moved;
}

/// When pages move is a matter of time, and so of how busy the computer is: each further run is longer.
void expect_moves_and_all_writes(Rewriting how) {
  constexpr int most_runs = 5;
  long moved = 0;
  for (int runs = 0; runs < most_runs && moved == 0; ++runs, how.passes += how.passes / 2) moved = moved_meanwhile(how);
  EXPECT_GT(moved, 0) << "no page moved while it was written to";
}

/// What LB_HM_config leaves for later moves while the region runs.
TEST(Writes, NoneIsLostWhileAPlanIsCarriedOut) {
  expect_moves_and_all_writes(
      {.regions = "6",
       .mib = "40",
       .passes = 4,
       .settings = {{"LBHM_POLICY", "merchandiser-once"}, {"LBHM_SAMPLER", "faults"}, {"LBHM_MOVE_TIME", "1"}}});
}

/// A policy that decides at intervals, within a region.
TEST(Writes, NoneIsLostUnderADaemon) {
  expect_moves_and_all_writes(
      {.regions = "4",
       .mib = "2",
       .passes = 200,
       .settings = {{"LBHM_POLICY", "memory-optimizer"}, {"LBHM_SAMPLER", "hints"}, {"LBHM_HINT_FAULTS", "on"}}});
}

}  // namespace
}  // namespace kernel_test
