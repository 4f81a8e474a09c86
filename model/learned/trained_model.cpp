// A model file, schema lbhm.model/2: where it was trained, the features, what the trees say of them, and XGBoost's own
// JSON; the same of T_fast (`fast_time`). lbhm.model/1 is the same without `target`, which is f there.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "model/learned/learned.h"
#include "model/learned/trees.h"
#include "runtime/base/fingerprint.h"
#include "runtime/base/json.h"

namespace lbhm::model {
namespace {

struct Walk {
  const TreeNode* nodes;
  std::span<const float> row;
  std::span<const float> points;
  std::span<float> sums;

  /// The next node of the way down. Which one it is nobody can guess, so nothing here is a branch.
  std::uint32_t child(const TreeNode& split, std::uint32_t at) const {
    const float x = row[split.column];
    const bool left = (x < split.value) | (std::isnan(x) & split.missing_goes_left);
    return left ? at + 1 : split.right;
  }

  /// Adds the leaves that the points [first, last) come to from the node `at` on. `first` < `last`.
  void add_leaves(std::uint32_t at, std::size_t first, std::size_t last) const {
    while (nodes[at].right != 0) {
      const TreeNode& split = nodes[at];
      if (split.column < row.size()) {
        at = child(split, at);
        continue;
      }
      std::size_t cut = first;
      while (cut < last && points[cut] < split.value) ++cut;
      if (cut != first && cut != last) {
        add_leaves(at + 1, first, cut);
        first = cut;
      }
      at = cut == last ? at + 1 : split.right;
    }
    for (std::size_t i = first; i < last; ++i) sums[i] += nodes[at].value;
  }
};

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

using Row = std::array<float, CorrelationFeatures::count>;

Row row_of(const CorrelationFeatures& features, std::span<const std::size_t> columns) {
  Row row{};
  for (std::size_t i = 0; i < columns.size(); ++i) row[i] = column(features.values[columns[i]]);
  return row;
}

}  // namespace

void Trees::predict(std::span<const float> row, std::span<const float> points, std::span<float> sums) const {
  std::ranges::fill(sums, base);
  if (points.empty()) return;
  const Walk walk{nodes.data(), row, points, sums};
  for (const std::uint32_t root : roots) walk.add_leaves(root, 0, points.size());
}

void TrainedCorrelation::evaluate(const CorrelationFeatures& features, const HomogeneousTimes&,
                                  std::span<double, TaskTimes::points> f) const {
  const Row row = row_of(features, features_);
  std::array<float, TaskTimes::points> sums{};
  trees_.predict(std::span(row).first(features_.size()), shares, sums);
  std::ranges::copy(sums, f.begin());
  if (target_ == Target::f) return;
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = 1 + f[i] * TaskTimes::share(i);
}

double TrainedCorrelation::fast_time(const CorrelationFeatures& features) const {
  if (fast_time_.roots.empty()) return 1;
  const Row row = row_of(features, features_);
  constexpr float all = 1;
  float logarithm = 0;
  fast_time_.predict(std::span(row).first(features_.size()), std::span(&all, 1), std::span(&logarithm, 1));
  return std::exp(static_cast<double>(logarithm));
}

}  // namespace lbhm::model

namespace lbhm {
namespace {

constexpr JsonLimits limits{.levels = 32, .values = 1 << 24};  // XGBoost nests 8; a tree has a dozen values a node

std::string read_fingerprint(const JsonAt& at) {
  const std::string& print = at.text();
  const bool digits = print.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!digits || (print.size() != 16 && !print.empty())) at.refuse("is not 16 hexadecimal digits");
  return print;
}

/// Positions in CorrelationFeatures; without the last column, which is r.
std::vector<std::size_t> read_features(const JsonAt& list) {
  const auto& known = CorrelationFeatures::names;
  const std::vector<JsonAt> names = list.list(1, CorrelationFeatures::count + 1);
  std::vector<std::size_t> features;
  for (const JsonAt& name : names) {
    if (&name == &names.back()) {
      name.must_be("r_dram_acc");
      break;
    }
    const auto found = static_cast<std::size_t>(std::ranges::find(known, name.text()) - known.begin());
    if (found == known.size()) name.refuse("is " + name.quoted() + ", which this LB-HM does not know");
    if (std::ranges::find(features, found) != features.end()) name.refuse("is there twice");
    features.push_back(found);
  }
  return features;
}

/// XGBoost keeps the names if it was given them. Trees over columns in another order would predict nonsense.
void check_names(const JsonAt& features, const JsonAt& booster) {
  if (!booster["learner"].has("feature_names")) return;
  const auto expected = features.list(1, CorrelationFeatures::count + 1);
  const auto names = booster["learner"]["feature_names"].list(0, 1u << 16);
  if (names.empty()) return;
  const auto same = [](const JsonAt& a, const JsonAt& b) { return a.text() == b.text(); };
  if (!std::ranges::equal(names, expected, same))
    booster["learner"]["feature_names"].refuse("are not those of 'features'");
}

model::Target read_target(const JsonAt& file) {
  if (file["schema"].text() == "lbhm.model/1") return model::Target::f;
  file["schema"].must_be("lbhm.model/2");
  if (file["target"].text() == "f") return model::Target::f;
  file["target"].must_be("(f - 1) / r_dram_acc");
  return model::Target::slope;
}

TrainedModel read_model(const JsonAt& file, const std::string& print) {
  const model::Target target = read_target(file);
  const std::string machine = file["machine"].text();
  const std::vector<std::size_t> features = read_features(file["features"]);
  check_names(file["features"], file["xgboost"]);
  model::Trees trees = model::read_trees(file["xgboost"], features.size() + 1), fast_time;
  if (file.has("fast_time")) fast_time = model::read_trees(file["fast_time"], features.size() + 1);
  return {.machine = machine,
          .machine_fingerprint = read_fingerprint(file["machine_fingerprint"]),
          .f = std::make_unique<model::TrainedCorrelation>(machine + "/" + print, features, target, std::move(trees),
                                                           std::move(fast_time))};
}

}  // namespace

Result<TrainedModel> parse_model(std::string_view content) {
  if (content.size() > largest_model.value)
    return failure(StatusCode::malformed, "it is larger than " + std::to_string(largest_model.value >> 20) + " MiB");
  Fingerprint print;
  print.add(content);
  const JsonFile file;  // whoever has read it says its name
  return read_json(content, file, [&](const JsonAt& top) { return read_model(top, print.hex()); }, limits);
}

}  // namespace lbhm
