#include "emulator/description/curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "emulator/description/quantity.h"

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

namespace {

constexpr std::size_t most = 64;  // rows, and uses

void must_rise(const JsonAt& node, const std::vector<double>& values) {
  if (std::ranges::adjacent_find(values, std::greater_equal<>()) != values.end())
    node.refuse("must rise from one to the next");
}

std::vector<double> read_uses(const JsonAt& node) {
  std::vector<double> uses;
  for (const JsonAt& use : node.list(1, most)) uses.push_back(use.number(JsonAt::any_positive, 1));
  must_rise(node, uses);
  if (uses.back() != 1) node.refuse("must end with 1, the greatest bandwidth");
  return uses;
}

Curves::Row read_row(const JsonAt& node, std::size_t uses) {
  node.allow_only({"read_percent", "bandwidth_gb_per_s", "latency_ratios"}, machine_schema);
  Curves::Row row{.reads = node["read_percent"].number(0, 100) / 100,
                  .bandwidth = node["bandwidth_gb_per_s"].number(1e-3, 1e6),
                  .latency = {}};
  const JsonAt ratios = node["latency_ratios"];
  for (const JsonAt& ratio : ratios.list(uses, uses)) row.latency.push_back(ratio.number(1, 100));
  if (!std::ranges::is_sorted(row.latency)) ratios.refuse("must not fall from one use to the next");
  return row;
}

}  // namespace

std::optional<Curves> read_curves(const JsonAt& tier) {
  if (!tier.has("curves")) return {};
  const JsonAt curves = tier["curves"];
  curves.allow_only({"source", "uses", "rows"}, machine_schema);
  (void)curves["source"].filled_text();
  for (const char* key : {"loaded_latency_ratio", "copy_bandwidth_gb_per_s"}) {
    if (tier.has(key)) tier[key].refuse("is what the tier's curves say; remove it or them");
  }
  std::vector<double> uses = read_uses(curves["uses"]);
  std::vector<Curves::Row> rows;
  std::vector<double> shares;
  for (const JsonAt& row : curves["rows"].list(1, most)) {
    rows.push_back(read_row(row, uses.size()));
    shares.push_back(rows.back().reads);
  }
  must_rise(curves["rows"], shares);
  return Curves(std::move(uses), std::move(rows));
}

}  // namespace lbhm::emulator
