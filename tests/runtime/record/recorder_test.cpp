// Does the report say what happened, is its A.C.V. the paper's, and does a run that goes on for ever keep its memory?
#include "runtime/record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lbhm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

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

Json report_of(Recorder& recorder) {
  RunSummary run;
  run.machine = "fake";
  return Json::parse(recorder.report(run));
}

/// With one region, number 0.
struct Recording {
  Recorder recorder{true, false};
  Recording() { recorder.regions().number(this); }
};

TEST(RegionIndex, CountsInstancesByRegion) {
  RegionIndex index;
  const int a = 0, b = 0;
  EXPECT_EQ(index.number(&a), index.number(&a));
  EXPECT_NE(index.number(&a), index.number(&b));
  EXPECT_EQ(index.next_instance(index.number(&a)), 0u);
  EXPECT_EQ(index.next_instance(index.number(&a)), 1u);
  EXPECT_EQ(index.next_instance(index.number(&b)), 0u);
}

TEST(CodeName, IsFileAndOffset) {
  EXPECT_THAT(code_name(reinterpret_cast<const void*>(&code_name)), testing::MatchesRegex("[^/]+\\+0x[0-9a-f]+"));
  EXPECT_EQ(code_name(nullptr), "unknown");
}

TEST(Recorder, AcvIsTheMeanOfStandardDeviationOverMean) {
  Recording with;
  with.recorder.add(record_with({5}));           // a team of one has no imbalance
  with.recorder.add(record_with({10, 10, 10}));  // 0
  with.recorder.add(record_with({2, 4}));        // deviation 1, mean 3
  EXPECT_NEAR(report_of(with.recorder)["acv"].get<double>(), (0 + 1.0 / 3) / 2, 1e-12);
}

TEST(Recorder, TotalsGoOnWhenTheReportIsFull) {
  Recording with;
  for (std::size_t i = 0; i < Recorder::kept_regions + 3; ++i) with.recorder.add(record_with({1, 1}));
  const Json report = report_of(with.recorder);
  EXPECT_EQ(report["regions"].size(), Recorder::kept_regions);
  EXPECT_NEAR(report["fast_access_share"].get<double>(), 0.4, 1e-12);
  EXPECT_THAT(report["remarks"].dump(), HasSubstr("the report shows the first 2000 region instances; 3 more"));
}

TEST(Recorder, AccessesOutsideOfRegionsCountWhereTheMachineTellsThem) {
  Recording with;
  with.recorder.add(record_with({1, 1}));  // 40 % fast
  RunSummary run;
  run.accesses = {AccessCount(1), AccessCount(3)};
  EXPECT_NEAR(Json::parse(with.recorder.report(run))["fast_access_share"].get<double>(), 0.25, 1e-12);
}

TEST(Recorder, ARegionTellsTheErrorOfItsPredictionsSoFarIfItWasPredicted) {
  Recording with;
  for (const double predicted : {2.0, 4.0, std::nan("")}) {
    RegionRecord record = record_with({2});
    record.tasks[0].predicted = Nanoseconds(predicted);
    record.tasks[0].error = {.counts = std::log(predicted / 2), .homogeneous = 0, .correlation = 0};
    with.recorder.add(record);
  }
  const Json report = report_of(with.recorder);
  EXPECT_EQ(report["regions"][0]["running_error"], 0);
  EXPECT_EQ(report["regions"][1]["running_error"], 0.5);
  EXPECT_TRUE(report["regions"][2]["running_error"].is_null());
  EXPECT_EQ(report["prediction"]["tasks"], 2);
  EXPECT_EQ(report["prediction"]["explained_tasks"], 2);
}

TEST(Recorder, APlanCanBeCompletedUntilItsPhaseEnds) {
  Recorder recorder(true, false);
  recorder.begin_plan({.phase = "a", .instance = 3});
  ASSERT_NE(recorder.plan(), nullptr);
  recorder.plan()->running_error = 0.25;
  recorder.begin_plan({.phase = "b"});
  recorder.end_plan();
  EXPECT_EQ(recorder.plan(), nullptr);
  const Json plans = report_of(recorder)["plans"];
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0]["running_error"], 0.25);
  EXPECT_EQ(plans[0]["instance"], 3);
  EXPECT_EQ(plans[1]["scope"], "b");
}

TEST(Recorder, KeepsTheFirstPlansAndCountsTheOthers) {
  Recorder recorder(true, false);
  for (std::uint64_t i = 0; i < Recorder::kept_plans + 5; ++i) recorder.begin_plan({.phase = "a"});
  const Json report = report_of(recorder);
  EXPECT_EQ(report["plans"].size(), Recorder::kept_plans);
  EXPECT_THAT(report["remarks"].dump(), HasSubstr("the report shows the first 2000 plans; 5 more"));
}

TEST(Recorder, WithoutAReportNothingIsKept) {
  Recorder recorder(false, false);
  recorder.regions().number(&recorder);
  EXPECT_FALSE(recorder.keeps_next_plan());
  recorder.begin_plan({.phase = "a"});
  EXPECT_EQ(recorder.plan(), nullptr);
  recorder.add(record_with({1}));
  EXPECT_FALSE(recorder.keeps_next_region());
  EXPECT_EQ(report_of(recorder)["regions"].size(), 0u);
}

TEST(Recorder, AReportMayBeWrittenAndTheRunGoOn) {
  Recording with;
  with.recorder.add(record_with({1}));
  EXPECT_EQ(report_of(with.recorder)["regions"].size(), 1u);
  with.recorder.add(record_with({2}));
  EXPECT_EQ(report_of(with.recorder)["regions"].size(), 2u);
}

TEST(Spool, IsAnArrayWhateverItsSize) {
  Spool spool;
  std::uint64_t lost = 0;
  EXPECT_EQ(Json::parse(spool.array(lost)).size(), 0u);
  const std::string record = "\"" + std::string(1000, 'x') + "\"";
  for (int i = 0; i < 1000; ++i) spool.add(record);  // several batches
  const Json array = Json::parse(spool.array(lost));
  EXPECT_EQ(lost, 0u);
  ASSERT_EQ(array.size(), 1000u);
  EXPECT_EQ(array.front(), array.back());
  EXPECT_EQ(spool.left_out(), 0u);
}

TEST(Spool, TellsWhatTheProgramTookAwayAndKeepsTheRest) {
  Spool spool;
  const std::string record = "\"" + std::string(1000, 'x') + "\"";
  const int next = dup(0);
  close(next);
  for (int i = 0; i < 100; ++i) spool.add(record);
  close(next);  // as programs do that close what they do not know: the scratch file got this number
  for (int i = 0; i < 10; ++i) spool.add(record);
  std::uint64_t lost = 0;
  const Json array = Json::parse(spool.array(lost));
  EXPECT_GT(lost, 0u);
  EXPECT_EQ(array.size() + lost, 110u);
}

}  // namespace
}  // namespace lbhm
