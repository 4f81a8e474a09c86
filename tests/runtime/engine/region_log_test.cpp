// Does the log number instances, and is its A.C.V. the paper's?
#include "runtime/engine/region_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lbhm::engine {
namespace {

RegionRecord record_with(std::initializer_list<double> times) {
  RegionRecord record;
  for (const double t : times)
    record.tasks.push_back({.lane = {},
                            .time = Nanoseconds(t),
                            .accesses = AccessCount(10),
                            .fast_accesses = AccessCount(4),
                            .fast_bytes = {}});
  return record;
}

TEST(RegionLog, InstancesAreCountedByRegion) {
  RegionLog log;
  const int a = 0, b = 0;
  EXPECT_EQ(log.region(&a), log.region(&a));
  EXPECT_NE(log.region(&a), log.region(&b));
  EXPECT_EQ(log.next_instance(log.region(&a)), 0u);
  EXPECT_EQ(log.next_instance(log.region(&a)), 1u);
  EXPECT_EQ(log.next_instance(log.region(&b)), 0u);
}

TEST(RegionLog, AcvIsTheMeanOfStandardDeviationOverMean) {
  RegionLog log;
  log.add(record_with({10, 10, 10}));  // 0
  log.add(record_with({2, 4}));        // deviation 1, mean 3
  EXPECT_NEAR(log.average_coefficient_of_variation(), (0 + 1.0 / 3) / 2, 1e-12);
}

TEST(RegionLog, TeamsOfOneHaveNoImbalance) {
  RegionLog log;
  log.add(record_with({5}));
  EXPECT_EQ(log.average_coefficient_of_variation(), 0);
  log.add(record_with({2, 4}));
  EXPECT_NEAR(log.average_coefficient_of_variation(), 1.0 / 3, 1e-12);
}

TEST(RegionLog, TotalsGoOnWhenTheReportIsFull) {
  RegionLog log;
  for (std::size_t i = 0; i < RegionLog::kept_instances + 3; ++i) log.add(record_with({1, 1}));
  EXPECT_EQ(log.records().size(), RegionLog::kept_instances);
  EXPECT_EQ(log.left_out(), 3u);
  EXPECT_EQ(log.accesses().value, 20.0 * (RegionLog::kept_instances + 3));
  EXPECT_NEAR(log.fast_accesses() / log.accesses(), 0.4, 1e-12);
}

TEST(CodeName, IsFileAndOffset) {
  EXPECT_THAT(code_name(reinterpret_cast<const void*>(&code_name)), testing::MatchesRegex("[^/]+\\+0x[0-9a-f]+"));
  EXPECT_EQ(code_name(nullptr), "unknown");
}

}  // namespace
}  // namespace lbhm::engine
