// model-rows MODEL [fast_time | curve] < rows > predictions: what the flat trees of a model file (lbhm.model/2)
// predict, so that a test can compare with XGBoost. Rows are float32 in the order of the columns; with `curve` they are
// without the last one, r, and f comes at 21 shares for each. Predictions are float32.
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/learned/learned.h"
#include "model/learned/trees.h"
#include "model/model.h"

namespace {

using lbhm::model::TrainedCorrelation;

void row_by_row(const lbhm::model::Trees& trees, std::size_t columns) {
  std::vector<float> row(columns);
  while (std::fread(row.data(), sizeof(float), columns, stdin) == columns) {
    float prediction = 0;
    trees.predict(std::span(row).first(columns - 1), std::span(row).last(1), std::span(&prediction, 1));
    std::fwrite(&prediction, sizeof prediction, 1, stdout);
  }
}

/// As the runtime asks: by the names of the features.
void curves(const TrainedCorrelation& f, const std::vector<std::size_t>& positions) {
  std::vector<float> row(positions.size());
  while (std::fread(row.data(), sizeof(float), row.size(), stdin) == row.size()) {
    lbhm::CorrelationFeatures features;
    for (std::size_t i = 0; i < row.size(); ++i) features.values[positions[i]] = static_cast<double>(row[i]);
    std::array<double, lbhm::TaskTimes::points> curve{};
    f.evaluate(features, {}, curve);
    for (const double value : curve) {
      const auto prediction = static_cast<float>(value);
      std::fwrite(&prediction, sizeof prediction, 1, stdout);
    }
  }
}

/// Of all columns but r, from the file itself.
std::vector<std::size_t> positions_in(const std::string& content) {
  std::vector<std::size_t> positions;
  for (const auto& name : nlohmann::json::parse(content).at("features")) {
    for (std::size_t i = 0; i < lbhm::CorrelationFeatures::count; ++i) {
      if (name == lbhm::CorrelationFeatures::names[i]) positions.push_back(i);
    }
  }
  return positions;
}

}  // namespace

int main(int count, char** arguments) {  // NOLINT(bugprone-exception-escape): a test tool may end so
  if (count < 2) {
    std::fputs("model-rows MODEL [fast_time | curve] < rows > predictions\n", stderr);
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const auto model = lbhm::parse_model(content);
  if (!model) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], model.error().message().c_str());
    return 1;
  }
  const auto& f = dynamic_cast<const TrainedCorrelation&>(*model->f);
  const auto positions = positions_in(content);
  if (count > 2 && std::strcmp(arguments[2], "curve") == 0)
    curves(f, positions);
  else
    row_by_row(count > 2 ? f.fast_time_trees() : f.trees(), positions.size() + 1);
  return 0;
}
