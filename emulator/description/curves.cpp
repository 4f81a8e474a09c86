#include "emulator/description/curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lbhm::emulator {

Curves::Curves(std::vector<double> uses, std::vector<Row> rows) : uses_(std::move(uses)), rows_(std::move(rows)) {
  uses_.insert(uses_.begin(), 0);
  for (Row& row : rows_) row.latency.insert(row.latency.begin(), 1);
}

Curves::Between Curves::rows_at(double reads) const {
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(rows_, reads, {}, &Row::reads) - rows_.begin());
  if (above == 0) return {.low = 0, .high = 0};
  if (above == rows_.size()) return {.low = above - 1, .high = above - 1};
  const double low = rows_[above - 1].reads;
  return {.low = above - 1, .high = above, .part = (reads - low) / (rows_[above].reads - low)};
}

double Curves::bandwidth(double reads) const {
  const Between at = rows_at(reads);
  return std::lerp(rows_[at.low].bandwidth, rows_[at.high].bandwidth, at.part);
}

double Curves::latency_in(const Row& row, double use) const {
  if (use >= 1) return row.latency.back();
  const auto above = static_cast<std::size_t>(std::ranges::upper_bound(uses_, std::max(use, 0.0)) - uses_.begin());
  const double low = uses_[above - 1];
  return std::lerp(row.latency[above - 1], row.latency[above], (use - low) / (uses_[above] - low));
}

double Curves::latency(double use, double reads) const {
  const Between at = rows_at(reads);
  return std::lerp(latency_in(rows_[at.low], use), latency_in(rows_[at.high], use), at.part);
}

double Curves::at_rest(double idle_use, double reads) const {
  constexpr int halvings = 30;
  double low = 0;
  double high = 1;  // latencies do not fall, so use x latency rises
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    (middle * latency(middle, reads) < idle_use ? low : high) = middle;
  }
  return high;
}

}  // namespace lbhm::emulator
