#include "model/correlation_trained.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lbhm::model {
namespace {

constexpr std::array<float, TaskTimes::points> shares = [] {
  std::array<float, TaskTimes::points> points{};
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(TaskTimes::share(i));
  return points;
}();

/// What no measurement should give counts as missing.
float column(double value) {
  const bool usable = std::abs(value) <= std::numeric_limits<float>::max();
  return usable ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

void TrainedCorrelation::evaluate(const CorrelationFeatures& features, const HomogeneousTimes&,
                                  std::span<double, TaskTimes::points> f) const {
  std::array<float, CorrelationFeatures::count> columns{};
  const std::span row(columns.data(), features_.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = column(features.values[features_[i]]);
  std::array<float, TaskTimes::points> sums{};
  trees_.predict(row, shares, sums);
  std::ranges::copy(sums, f.begin());
}

}  // namespace lbhm::model
