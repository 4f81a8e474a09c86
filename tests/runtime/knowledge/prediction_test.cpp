// Are errors of predictions attributed to the step of the model that made them?
#include "runtime/knowledge/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/knowledge/knowledge.h"
#include "tests/runtime/knowledge/two_tiers.h"

namespace lbhm {
namespace {

/// Slow memory has twice the latency and half the bandwidth of fast memory.
Topology two_tiers() { return two_tier_machine(1, {Nanoseconds(200), BytesPerNanosecond(50), BytesPerNanosecond(50)}); }

/// f = c wherever both memories are used.
class Constant final : public Correlation {
 public:
  explicit Constant(double c) : c_(c) {}
  std::string_view name() const override { return "constant"; }
  void evaluate(const CorrelationFeatures&, const HomogeneousTimes&,
                std::span<double, TaskTimes::points> f) const override {
    std::ranges::fill(f, c_);
  }

 private:
  double c_;
};

/// One lane that only waits for memory, so few accesses that bandwidth does not matter: all in slow memory 1 ms, all in
/// fast memory 0.5 ms, so with the share r of them fast 1 - r/2 ms.
PhaseProfile instance(double r, double milliseconds) {
  const Nanoseconds time(milliseconds * 1e6);
  TaskProfile task{
      .lane = LaneId(0),
      .time = time,
      .events = {},
      .tiers = {{AccessCount(100 * r), Nanoseconds(100), {}}, {AccessCount(100 * (1 - r)), Nanoseconds(200), {}}},
      .pages = {}};
  task.events.memory_wait_cycles = time.value;
  return {.tasks = {task}, .object_bytes = {}, .time = time};
}

struct Plan {
  PhaseProfile base = instance(0, 1);
  Constant f{1};
  PlannedRegion planned = planned_with(f);

  PlannedRegion planned_with(const Correlation& correlation) const {
    return {.tasks = hybrid_forecast(base, homogeneous_of(base, two_tiers(), {}), two_tiers(), correlation),
            .middle = {},
            .budget = {{.lane = LaneId(0), .fast_share = 0.5, .fast_accesses = {}, .fast_bytes = {}, .predicted = {}}}};
  }

  RegionKnowledge known(const Correlation& correlation) const {
    RegionKnowledge region;
    region.profile = base;
    region.f = &correlation;
    return region;
  }

  /// The task ran with the share r of its accesses in fast memory; it had been predicted with a share of 50 %.
  PredictionError error(double r, double milliseconds, const Correlation& correlation) const {
    const TaskRecord task{.lane = LaneId(0),
                          .time = Nanoseconds(milliseconds * 1e6),
                          .predicted = time_at(planned.tasks[0], 0.5),
                          .accesses = AccessCount(100),
                          .fast_accesses = AccessCount(100 * r),
                          .fast_bytes = {}};
    return explain(planned, known(correlation), instance(r, milliseconds), std::span(&task, 1), two_tiers())[0];
  }
};

constexpr double near = 0.01;  // of the bandwidth that 100 accesses do use

TEST(Prediction, WhatComesTrueHasNoError) {
  const PredictionError error = Plan().error(0.5, 0.75, Constant(1));
  EXPECT_NEAR(error.counts, 0, 1e-9);
  EXPECT_NEAR(error.homogeneous, 0, near);
  EXPECT_NEAR(error.correlation, 0, near);
}

TEST(Prediction, PagesThatStayedInSlowMemoryAreAnErrorOfCounts) {
  const PredictionError error = Plan().error(0, 1, Constant(1));
  EXPECT_NEAR(error.counts, std::log(0.75 / 1), near);
  EXPECT_NEAR(error.homogeneous, 0, near);
  EXPECT_NEAR(error.correlation, 0, near);
}

TEST(Prediction, AnInputWithTwiceTheWorkIsAnErrorOfHomogeneousTimes) {
  const PredictionError error = Plan().error(0.5, 1.5, Constant(1));
  EXPECT_NEAR(error.counts, 0, 1e-9);
  EXPECT_NEAR(error.homogeneous, std::log(0.5), near);
  EXPECT_NEAR(error.correlation, 0, near);
}

TEST(Prediction, AWrongFIsAnErrorOfCorrelation) {
  Plan plan;
  // f says that the slow part takes 1.2 times as long: 0.5 * 1.2 + 0.25 instead of 0.75 ms.
  plan.planned = plan.planned_with(Constant(1.2));
  const PredictionError error = plan.error(0.5, 0.75, Constant(1.2));
  EXPECT_NEAR(error.counts, 0, 1e-9);
  EXPECT_NEAR(error.homogeneous, 0, near);
  EXPECT_NEAR(error.correlation, std::log(0.85 / 0.75), near);
}

TEST(Prediction, ThePartsAddUpToTheLogarithm) {
  const Plan plan;
  for (const double r : {0.0, 0.1, 0.33, 0.9, 1.0}) {
    for (const double milliseconds : {0.01, 0.7, 30.0}) {
      const PredictionError error = plan.error(r, milliseconds, Constant(0.9));
      EXPECT_NEAR(error.total(), std::log(time_at(plan.planned.tasks[0], 0.5).value / (milliseconds * 1e6)), 1e-12);
    }
  }
}

TEST(Prediction, OneOfSeveralExecutionsIsHeldAgainstItsPart) {
  Plan plan;
  plan.planned.executions = 4;
  const TaskRecord task{.lane = LaneId(0),
                        .time = Nanoseconds(0.75e6 / 4),
                        .predicted = time_at(plan.planned.tasks[0], 0.5) * 0.25,
                        .accesses = AccessCount(25),
                        .fast_accesses = AccessCount(12.5),
                        .fast_bytes = {}};
  const auto error =
      explain(plan.planned, plan.known(plan.f), instance(0.5, 0.75 / 4), std::span(&task, 1), two_tiers())[0];
  EXPECT_NEAR(error.counts, 0, 1e-9);
  EXPECT_NEAR(error.homogeneous, 0, near);
  EXPECT_NEAR(error.correlation, 0, near);
}

TEST(Prediction, NothingIsSaidOfTasksWithoutPredictionOrTime) {
  const Plan plan;
  EXPECT_FALSE(plan.error(0.5, 0, Constant(1)).known());
  // Two lanes now, one in the base instance; and no prediction.
  const std::vector<TaskRecord> tasks(
      2, {.lane = LaneId(0), .time = Nanoseconds(1), .accesses = {}, .fast_accesses = {}, .fast_bytes = {}});
  PhaseProfile measured = instance(0, 1);
  measured.tasks.push_back(measured.tasks[0]);
  for (const PredictionError& error : explain(plan.planned, plan.known(plan.f), measured, tasks, two_tiers()))
    EXPECT_FALSE(error.known());
}

TEST(RunningError, IsTheMeanOfWhatWasPredictedAndMeasured) {
  RunningError error;
  EXPECT_TRUE(std::isnan(error.mean()));
  error.add(Nanoseconds(110), Nanoseconds(100));
  error.add(Nanoseconds(70), Nanoseconds(100));
  error.add(Nanoseconds(std::numeric_limits<double>::quiet_NaN()), Nanoseconds(100));
  error.add(Nanoseconds(5), Nanoseconds(0));
  EXPECT_EQ(error.tasks(), 2u);
  EXPECT_NEAR(error.mean(), 0.2, 1e-12);
}

TEST(PredictionTotals, AreMeansOfAbsoluteParts) {
  PredictionTotals totals;
  EXPECT_FALSE(totals.mean().known());
  for (const PredictionError& error :
       {PredictionError{.counts = 0.1, .homogeneous = -0.3, .correlation = 0},
        PredictionError{.counts = -0.3, .homogeneous = 0.1, .correlation = 0.2}, PredictionError{}})
    totals.add({.lane = {}, .time = {}, .accesses = {}, .fast_accesses = {}, .error = error, .fast_bytes = {}});
  EXPECT_EQ(totals.explained, 2u);
  EXPECT_NEAR(totals.mean().counts, 0.2, 1e-12);
  EXPECT_NEAR(totals.mean().homogeneous, 0.2, 1e-12);
  EXPECT_NEAR(totals.mean().correlation, 0.1, 1e-12);
}

TEST(ErrorSpread, AFewShortTasksDoNotDecide) {
  ErrorSpread spread;
  EXPECT_TRUE(std::isnan(spread.median()));
  EXPECT_TRUE(std::isnan(spread.time_weighted()));
  spread.add(Nanoseconds(1.1e6), Nanoseconds(1e6));
  spread.add(Nanoseconds(1.8e6), Nanoseconds(2e6));
  spread.add(Nanoseconds(1e6), Nanoseconds(1e3));  // 999 times its time
  EXPECT_NEAR(spread.median(), 0.1, 0.1 * 0.005);
  EXPECT_NEAR(spread.time_weighted(), (0.1e6 + 0.2e6 + 0.999e6) / 3.001e6, 1e-9);
  spread.add(Nanoseconds(0), Nanoseconds(1e6));  // no prediction
  EXPECT_NEAR(spread.median(), 0.1, 0.1 * 0.005);
}

TEST(ErrorSpread, ErrorsOfAnySizeAreCounted) {
  ErrorSpread spread;
  for (int i = 0; i < 3; ++i) spread.add(Nanoseconds(7), Nanoseconds(7));
  EXPECT_EQ(spread.median(), 0);
  for (int i = 0; i < 9; ++i) spread.add(Nanoseconds(1e300), Nanoseconds(1));
  EXPECT_GT(spread.median(), 1e6);
}

}  // namespace
}  // namespace lbhm
