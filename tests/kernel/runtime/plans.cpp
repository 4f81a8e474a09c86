#include "runtime/plans.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kernel_test {

void expect_moves_agree(const Outcome& done, long out_of_sight) {
  ASSERT_EQ(done.status, 0) << done.output;
  ASSERT_TRUE(done.report.is_object()) << done.output;
  ASSERT_FALSE(done.report["plans"].empty());
  for (const auto& plan : done.report["plans"]) {
    const std::string call = "after-" + std::to_string(plan["instance"].get<int>());
    ASSERT_TRUE(done.moved.contains(call)) << call;
    const auto [up, down] = done.moved.at(call);
    std::printf("%s: report %ld up, %ld evicted, %ld failed; kernel %ld up, %ld down\n", call.c_str(),
                plan["moved_bytes"].get<long>() / 4096, plan["evicted_bytes"].get<long>() / 4096,
                plan["failed_bytes"].get<long>() / 4096, up, down);
    EXPECT_LE(std::abs(up + down - plan["moved_bytes"].get<long>() / 4096), out_of_sight);
    EXPECT_LE(std::abs(down - plan["evicted_bytes"].get<long>() / 4096), out_of_sight);
  }
}

void expect_report_agrees(const Outcome& done, long out_of_sight) {
  ASSERT_NO_FATAL_FAILURE(expect_moves_agree(done, out_of_sight));
  for (const auto& plan : done.report["plans"]) EXPECT_EQ(plan["failed_bytes"], 0) << plan["first_failure"];
}

}  // namespace kernel_test
