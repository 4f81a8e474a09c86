// The analytic correlation function f of Eq. 2, used until a trained one is there. The paper (section 5.1) trains a
// gradient-boosted regressor instead (learned/), because overlap of memory and computation is hard to put into a
// formula.
#include <algorithm>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

class AnalyticCorrelation final : public Correlation {
 public:
  std::string_view name() const override { return "analytic"; }

  void evaluate(const CorrelationFeatures&, const HomogeneousTimes& times,
                std::span<double, TaskTimes::points> f) const override {
    const double slow = model::amount(times.slow_only.value), fast = model::amount(times.fast_only.value);
    const double b = model::share(times.bandwidth_bound);
    for (std::size_t point = 0; point < f.size(); ++point) {
      const double r = TaskTimes::share(point);
      // f(r) = 1 - b * min(1, r T_fast / ((1 - r) T_slow)),   f(1) = 1
      const double slow_part = (1 - r) * slow, fast_part = r * fast;
      f[point] = slow_part > 0 ? 1 - b * std::min(1.0, fast_part / slow_part) : 1;
    }
  }
};

}  // namespace

const Correlation& analytic_correlation() {
  static const AnalyticCorrelation analytic;
  return analytic;
}

}  // namespace lbhm
