// Time of a task for every share of its accesses in fast memory: section 5 of the paper, Eq. 2.
#include <algorithm>
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

/// No placement is faster than this. By the paper's rationale (1) it is the faster of the two homogeneous times. As far
/// as a task is bound by bandwidth (b), both memories at once serve it in 1 / (1 / T_slow + 1 / T_fast).
double fastest_possible(double slow, double fast, double b) {
  const double side_by_side = slow + fast > 0 ? slow / (slow + fast) * fast : 0;
  return (1 - b) * std::min(slow, fast) + b * side_by_side;
}

/// More fast accesses never take longer on a machine whose fast tier is faster in everything; what a trained f says is
/// not that smooth. Nobody has to use all fast memory that there is, so the best share up to r is what r can give.
void never_rise(std::array<Nanoseconds, TaskTimes::points>& curve) {
  for (std::size_t point = 1; point < curve.size(); ++point) curve[point] = std::min(curve[point], curve[point - 1]);
}

}  // namespace

TaskTimes predict_times(LaneId lane, const HomogeneousTimes& base, double scale, const CorrelationFeatures& features,
                        const Correlation& f) {
  const double growth = std::isfinite(scale) && scale >= 0 ? scale : 1;
  const double slow = model::amount(model::amount(base.slow_only.value) * growth);
  const double fast = model::amount(model::amount(base.fast_only.value) * growth);
  const double b = model::share(base.bandwidth_bound);

  std::array<double, TaskTimes::points> correlation;
  correlation.fill(1);
  f.evaluate(features, {Nanoseconds(slow), Nanoseconds(fast), b}, correlation);

  TaskTimes times{lane, Nanoseconds(slow), Nanoseconds(fast), {}};
  const double lowest = fastest_possible(slow, fast, b), highest = std::max(slow, fast);
  for (std::size_t point = 0; point < TaskTimes::points; ++point) {
    const double r = TaskTimes::share(point);
    const double c = std::isfinite(correlation[point]) ? correlation[point] : 1;
    // Eq. 2: T_hybrid = T_slow * (1 - r) * f(PMCs, r) + T_fast * r
    times.curve[point] = Nanoseconds(std::clamp(slow * (1 - r) * c + fast * r, lowest, highest));
  }
  // At the ends all accesses are in one memory, whatever f says.
  times.curve.front() = times.slow_only;
  times.curve.back() = times.fast_only;
  if (fast <= slow) never_rise(times.curve);
  return times;
}

Nanoseconds time_at(const TaskTimes& times, double share) {
  const double position = model::share(share) * (TaskTimes::points - 1);
  const auto left = std::min(static_cast<std::size_t>(position), TaskTimes::points - 2);
  const double weight = position - static_cast<double>(left);
  return times.curve[left] * (1 - weight) + times.curve[left + 1] * weight;
}

}  // namespace lbhm
