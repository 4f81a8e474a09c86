// Time of one task's curve, f at 21 shares of fast accesses: by the formula, and by a trained model. The first argument
// is a model file (lbhm.model/2); without one the trees are made up: 150 of depth 6, every split at random.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/learned/learned.h"
#include "model/learned/trees.h"
#include "model/model.h"

namespace {

using lbhm::CorrelationFeatures;

/// Appends a full tree over 16 columns; features are drawn from the same range, so that all paths are taken.
void grow(lbhm::model::Trees& trees, std::mt19937& random, int depth) {
  std::uniform_real_distribution<float> any(0, 1);
  const std::size_t mine = trees.nodes.size();
  trees.nodes.push_back({.value = any(random), .column = static_cast<std::uint16_t>(random() % 16)});
  if (depth == 0) return;
  grow(trees, random, depth - 1);
  trees.nodes[mine].right = static_cast<std::uint32_t>(trees.nodes.size());
  grow(trees, random, depth - 1);
}

std::unique_ptr<const lbhm::Correlation> made_up() {
  constexpr int count = 150, depth = 6;
  std::mt19937 random(1);
  lbhm::model::Trees trees;
  for (int i = 0; i < count; ++i) {
    trees.roots.push_back(static_cast<std::uint32_t>(trees.nodes.size()));
    grow(trees, random, depth);
  }
  std::vector<std::size_t> features(CorrelationFeatures::count);
  for (std::size_t i = 0; i < features.size(); ++i) features[i] = i;
  return std::make_unique<lbhm::model::TrainedCorrelation>("made-up", features, lbhm::model::Target::slope,
                                                           std::move(trees), lbhm::model::Trees{});
}

/// Another task every time, so that the branches of the last walk do not predict those of the next.
std::vector<CorrelationFeatures> tasks() {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(0, 1);
  std::vector<CorrelationFeatures> many(4096);
  for (CorrelationFeatures& features : many) {
    for (double& value : features.values) value = any(random);
  }
  return many;
}

void curve(benchmark::State& state, const lbhm::Correlation& f) {
  const auto many = tasks();
  const lbhm::HomogeneousTimes times{lbhm::Nanoseconds(4e6), lbhm::Nanoseconds(1e6), 0.5};
  std::array<double, lbhm::TaskTimes::points> values{};
  std::size_t next = 0;
  while (state.KeepRunning()) {
    f.evaluate(many[next++ % many.size()], times, values);
    benchmark::DoNotOptimize(values);
  }
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  std::unique_ptr<const lbhm::Correlation> trained = made_up();
  if (count > 1) {
    std::ifstream file(arguments[1], std::ios::binary);
    auto model = lbhm::parse_model(std::string{std::istreambuf_iterator<char>(file), {}});
    if (!model) {
      std::fprintf(stderr, "%s: %s\n", arguments[1], model.error().message().c_str());
      return 1;
    }
    trained = std::move(model->f);
  }
  benchmark::RegisterBenchmark("analytic", [](benchmark::State& s) { curve(s, lbhm::analytic_correlation()); });
  benchmark::RegisterBenchmark("trained", [&trained](benchmark::State& s) { curve(s, *trained); });
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
