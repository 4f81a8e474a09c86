// Eq. 2: time for every share of fast accesses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/model.h"
#include "tests/model/any_number.h"
#include "tests/model/memory_pairs.h"

namespace lbhm {
namespace {

/// An f that is the same everywhere, whatever a trained model may say.
class Constant final : public Correlation {
 public:
  explicit Constant(double value) : value_(value) {}
  std::string_view name() const override { return "constant"; }
  void evaluate(const CorrelationFeatures&, const HomogeneousTimes&,
                std::span<double, TaskTimes::points> f) const override {
    std::fill(f.begin(), f.end(), value_);
  }

 private:
  double value_;
};

HomogeneousTimes between(double slow, double fast, double bound = 0) {
  return {Nanoseconds(slow), Nanoseconds(fast), bound};
}

TEST(PredictTimes, GoldenValues) {
  // T_slow = 200 * 2, T_fast = 50 * 2, f = 0.9: T(0.5) = 400 * 0.5 * 0.9 + 100 * 0.5 = 230
  const auto times = predict_times(LaneId(4), between(200, 50), 2, {}, Constant(0.9));
  EXPECT_EQ(times.lane, LaneId(4));
  EXPECT_EQ(times.slow_only.value, 400);
  EXPECT_EQ(times.fast_only.value, 100);
  EXPECT_DOUBLE_EQ(times.curve[10].value, 230);
  EXPECT_DOUBLE_EQ(times.curve[5].value, 400 * 0.75 * 0.9 + 100 * 0.25);
}

TEST(PredictTimes, EndsAreTheHomogeneousTimesWhateverFSays) {
  const auto times = predict_times(LaneId(0), between(400, 100), 1, {}, Constant(0.5));
  EXPECT_EQ(times.curve.front().value, 400);
  EXPECT_EQ(times.curve.back().value, 100);
}

TEST(PredictTimes, StaysBetweenTheHomogeneousTimes) {
  for (double f : {-5.0, 0.0, 0.2, 3.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    for (Nanoseconds t : predict_times(LaneId(0), between(400, 100), 1, {}, Constant(f)).curve) {
      EXPECT_GE(t.value, 100) << f;
      EXPECT_LE(t.value, 400) << f;
    }
  }
}

TEST(PredictTimes, ABandwidthBoundTaskGainsFromBothMemories) {
  // Best at r = 0.8, where both memories are busy all the time: 400 * 0.2 = 100 * 0.8 = 80 < T_fast.
  const auto times = predict_times(LaneId(0), between(400, 100, 1), 1, {}, analytic_correlation());
  EXPECT_NEAR(times.curve[16].value, 80, 1e-9);
  EXPECT_NEAR(times.curve[10].value, 200, 1e-9);
}

TEST(PredictTimes, MoreFastMemoryThanHelpsIsNotUsed) {
  // Behind r = 0.8 the task of the test above would wait for fast memory alone.
  const auto times = predict_times(LaneId(0), between(400, 100, 1), 1, {}, analytic_correlation());
  for (std::size_t point = 16; point < TaskTimes::points; ++point) EXPECT_NEAR(times.curve[point].value, 80, 1e-9);
  EXPECT_EQ(times.fast_only.value, 100);
}

/// An f that jumps up and down.
class Ragged final : public Correlation {
 public:
  std::string_view name() const override { return "ragged"; }
  void evaluate(const CorrelationFeatures&, const HomogeneousTimes&,
                std::span<double, TaskTimes::points> f) const override {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = i % 3 == 0 ? 1.2 : 0.8;
  }
};

TEST(PredictTimes, MoreFastAccessesNeverTakeLongerIfFastMemoryIsFaster) {
  const auto times = predict_times(LaneId(0), between(400, 100), 1, {}, Ragged());
  for (std::size_t point = 1; point < TaskTimes::points; ++point)
    EXPECT_LE(times.curve[point], times.curve[point - 1]) << point;
  EXPECT_EQ(times.curve[1].value, 400 * 0.95 * 0.8 + 100 * 0.05);
}

TEST(PredictTimes, SlowerFastMemoryMayTakeLonger) {
  const auto times = predict_times(LaneId(0), between(100, 400), 1, {}, Constant(1));
  EXPECT_EQ(times.curve.front().value, 100);
  EXPECT_EQ(times.curve[10].value, 250);
  EXPECT_EQ(times.curve.back().value, 400);
}

TEST(PredictTimes, EqualMemoriesGiveAFlatCurve) {
  const auto profile = task(1000, 900, accesses(5, 80), accesses(5, 100));
  const auto times =
      predict_times(LaneId(0), homogeneous_times(profile, two_alike(), 1, 1), 1, {}, analytic_correlation());
  for (Nanoseconds t : times.curve) EXPECT_DOUBLE_EQ(t.value, 1000);
}

TEST(TimeAt, IsLinearBetweenThePointsAndClampedOutside) {
  const auto times = predict_times(LaneId(0), between(400, 100), 1, {}, analytic_correlation());
  EXPECT_DOUBLE_EQ(time_at(times, 0).value, 400);
  EXPECT_DOUBLE_EQ(time_at(times, 0.125).value, 400 - 0.125 * 300);
  EXPECT_DOUBLE_EQ(time_at(times, 1).value, 100);
  EXPECT_DOUBLE_EQ(time_at(times, -3).value, 400);
  EXPECT_DOUBLE_EQ(time_at(times, 3).value, 100);
  EXPECT_DOUBLE_EQ(time_at(times, std::nan("")).value, 400);
}

TEST(PredictTimes, PropertyNoNanNoInfinityAndAnalyticNeverNeedsTheBounds) {
  AnyNumber any(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto base = between(any(1e9), any(1e9), any(1));
    const auto times = predict_times(LaneId(0), base, any(10), {}, analytic_correlation());
    const double b = base.bandwidth_bound > 0 ? std::min(base.bandwidth_bound, 1.0) : 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t point = 0; point < TaskTimes::points; ++point) {
      const double t = times.curve[point].value, r = TaskTimes::share(point);
      ASSERT_TRUE(std::isfinite(t) && t >= 0);
      const double slow = (1 - r) * times.slow_only.value, fast = r * times.fast_only.value;
      const double here = slow + fast - b * std::min(slow, fast);
      best = times.fast_only <= times.slow_only ? std::min(best, here) : here;
      ASSERT_NEAR(t, best, 1e-9 * (slow + fast));
      ASSERT_TRUE(std::isfinite(time_at(times, any(1)).value));
    }
  }
}

}  // namespace
}  // namespace lbhm
