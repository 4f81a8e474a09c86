#include "emulator/description/curves.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
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

/// Refuses a number that is not above the one before it in `where`.
void must_rise(const JsonAt& at, double value, double before, std::string_view where) {
  if (value <= before) at.refuse(text_of("is ", value, "; it must be above ", before, ", which stands ", where));
}

std::vector<double> read_uses(const JsonAt& node) {
  const std::vector<JsonAt> entries = node.list(1, most);
  std::vector<double> uses;
  for (const JsonAt& use : entries) {
    const double value = use.number(JsonAt::any_positive, 1);
    if (!uses.empty()) must_rise(use, value, uses.back(), "before it");
    uses.push_back(value);
  }
  if (uses.back() != 1)
    entries.back().refuse(text_of("is ", uses.back(), "; the last use must be 1, the greatest bandwidth"));
  return uses;
}

std::vector<double> read_ratios(const JsonAt& node, std::size_t uses) {
  if (!node.value().is_array() || node.value().size() != uses) {
    const std::string has = node.value().is_array() ? text_of("is a list of ", node.value().size(), "; it ") : "";
    node.refuse(text_of(has, "must be a list of ", uses, ", one for each of the curves' uses"));
  }
  std::vector<double> ratios;
  for (const JsonAt& ratio : node.list(uses, uses)) {
    const double value = ratio.number(1, 100);
    if (!ratios.empty() && value < ratios.back()) {
      ratio.refuse(text_of("is ", value, "; it must be ", ratios.back(),
                           ", which stands before it, or more: latencies do not fall as the use rises"));
    }
    ratios.push_back(value);
  }
  return ratios;
}

Curves::Row read_row(const JsonAt& node, std::size_t uses) {
  node.allow_only({"read_percent", "bandwidth_gb_per_s", "latency_ratios"}, machine_schema);
  return {.reads = node["read_percent"].number(0, 100) / 100,
          .bandwidth = node["bandwidth_gb_per_s"].number(least_bandwidth, most_bandwidth),
          .latency = read_ratios(node["latency_ratios"], uses)};
}

/// What the tier's own numbers say of reads or writes alone must be what its curves say: policies and copies of pages
/// go by the former, loads and stores by the latter.
void must_agree(const JsonAt& tier, const char* key, double curves, std::string_view row) {
  constexpr double rounding = 1e-3;  // of four digits
  const double given = number_of(tier, key, least_bandwidth, most_bandwidth);
  if (std::abs(given - curves) > rounding * curves)
    tier[key].refuse(
        text_of("is ", given, "; it must be ", curves, ", as the ", row, " row of the tier's curves has it"));
}

}  // namespace

std::optional<Curves> read_curves(const JsonAt& tier) {
  if (!tier.has("curves")) return {};
  const JsonAt curves = tier["curves"];
  curves.allow_only({"source", "uses", "rows"}, machine_schema);
  (void)words_of(curves, "source");
  for (const char* key : {"loaded_latency_ratio", "copy_bandwidth_gb_per_s"}) {
    if (tier.has(key)) tier[key].refuse("is what the tier's curves say; remove it or them");
  }
  std::vector<double> uses = read_uses(curves["uses"]);
  std::vector<Curves::Row> rows;
  for (const JsonAt& row : curves["rows"].list(1, most)) {
    Curves::Row read = read_row(row, uses.size());
    if (!rows.empty()) must_rise(row["read_percent"], read.reads * 100, rows.back().reads * 100, "in the row before");
    rows.push_back(std::move(read));
  }
  must_agree(tier, "read_bandwidth_gb_per_s", rows.back().bandwidth, "last");
  must_agree(tier, "write_bandwidth_gb_per_s", rows.front().bandwidth, "first");
  return Curves(std::move(uses), std::move(rows));
}

}  // namespace lbhm::emulator
