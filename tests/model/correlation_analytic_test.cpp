// The analytic correlation function: 1 for latency-bound tasks, side-by-side memories for bandwidth-bound ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/model.h"

namespace lbhm {
namespace {

std::array<double, TaskTimes::points> evaluate(double slow, double fast, double bound) {
  std::array<double, TaskTimes::points> f{};
  analytic_correlation().evaluate(CorrelationFeatures{}, {Nanoseconds(slow), Nanoseconds(fast), bound}, f);
  return f;
}

TEST(AnalyticCorrelation, IsNamedForReports) { EXPECT_EQ(analytic_correlation().name(), "analytic"); }

TEST(AnalyticCorrelation, IsOneForALatencyBoundTask) {
  for (double f : evaluate(400, 100, 0)) EXPECT_EQ(f, 1);
}

TEST(AnalyticCorrelation, MakesEq2TheSlowerOfBothMemoriesForABandwidthBoundTask) {
  const auto f = evaluate(400, 100, 1);
  for (std::size_t point = 0; point < f.size(); ++point) {
    const double r = TaskTimes::share(point);
    EXPECT_NEAR((1 - r) * 400 * f[point] + r * 100, std::max((1 - r) * 400, r * 100), 1e-9) << r;
  }
}

TEST(AnalyticCorrelation, GoldenValueInBetween) {
  // b = 0.5, r = 0.5: 1 - 0.5 * min(1, 50 / 200) = 0.875
  EXPECT_DOUBLE_EQ(evaluate(400, 100, 0.5)[10], 0.875);
}

TEST(AnalyticCorrelation, IsOneAtTheEndAndForTasksWithoutTime) {
  EXPECT_EQ(evaluate(400, 100, 1).back(), 1);
  for (double f : evaluate(0, 0, 1)) EXPECT_EQ(f, 1);
}

}  // namespace
}  // namespace lbhm
