// What one call of LB_HM_config takes to decide, part by part, by number of tasks, objects and MiB of footprint. The
// phase is made up (made_phase.h); the code is the runtime's, linked in. The first argument is a model file
// (lbhm.model/2); without one f is analytic.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/micro/made_phase.h"
#include "model/learned/learned.h"
#include "runtime/knowledge/forecast.h"
#include "runtime/placement/placement.h"

namespace lbhm::bench {
namespace {

/// What predicts.
const Correlation* f = &analytic_correlation();

/// The phase of the last benchmark, which the next part of the same shape uses again. All that the parts leave to the
/// next one is made once.
struct Stage {
  explicit Stage(const Shape& shape)
      : phase(shape),
        times(homogeneous_forecast(phase.profile, sizes_of(phase.now), phase.topology, phase.input(*f),
                                   InputScaling::sizes)),
        forecast(phase.forecast(*f)),
        budget(merchandiser_budget(forecast.tasks, forecast.page, forecast.room)) {}

  MadePhase phase;
  std::vector<HomogeneousTimes> times;
  PhaseForecast forecast;
  Budget budget;
};

const Stage& stage_of(const benchmark::State& state) {
  static std::unique_ptr<Stage> stage;
  static std::vector<std::int64_t> shape;
  const std::vector<std::int64_t> wanted{state.range(0), state.range(1), state.range(2)};
  if (shape != wanted) {
    stage.reset();
    stage = std::make_unique<Stage>(Shape{static_cast<std::uint32_t>(wanted[0]), static_cast<std::uint32_t>(wanted[1]),
                                          MiB(static_cast<std::uint64_t>(wanted[2]))});
    shape = wanted;
  }
  return *stage;
}

template <class Part>
void measure(benchmark::State& state, Part part) {
  const Stage& stage = stage_of(state);
  while (state.KeepRunning()) benchmark::DoNotOptimize(part(stage));
}

void counting(benchmark::State& state) {
  measure(state, [](const Stage& s) {
    return expected_accesses(s.phase.profile, sizes_of(s.phase.now), s.phase.topology, s.phase.input(*f));
  });
}

void homogeneous(benchmark::State& state) {
  measure(state, [](const Stage& s) {
    return homogeneous_forecast(s.phase.profile, sizes_of(s.phase.now), s.phase.topology, s.phase.input(*f),
                                InputScaling::sizes);
  });
}

void prediction(benchmark::State& state) {
  measure(state, [](const Stage& s) { return hybrid_forecast(s.phase.profile, s.times, s.phase.topology, *f); });
}

void budget(benchmark::State& state) {
  measure(state,
          [](const Stage& s) { return merchandiser_budget(s.forecast.tasks, s.forecast.page, s.forecast.room); });
}

void selection(benchmark::State& state) {
  measure(state, [](const Stage& s) { return select_pages(s.forecast, s.budget, TierId(0)); });
}

/// Everything, as the engine does it under the default policy.
void decision(benchmark::State& state) {
  const auto policy = make_policy("lbhm");
  measure(state, [&](const Stage& s) {
    const PhaseForecast forecast = s.phase.forecast(*f);
    return (*policy)->on_phase({.objects = {}, .machine = s.phase.topology, .forecast = &forecast});
  });
}

using Function = void (*)(benchmark::State&);
constexpr std::pair<const char*, Function> parts[]{{"counting", counting},     {"homogeneous", homogeneous},
                                                   {"prediction", prediction}, {"budget", budget},
                                                   {"selection", selection},   {"decision", decision}};

void register_all() {
  for (const int tasks : {1, 12, 24, 128, 1024}) {
    for (const int objects : {1, 24, 100, 1000, 10000}) {
      for (const int mebibytes : {64, 1024}) {
        for (const auto& [name, function] : parts)
          benchmark::RegisterBenchmark(name, function)
              ->Args({tasks, objects, mebibytes})
              ->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

}  // namespace
}  // namespace lbhm::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::unique_ptr<const lbhm::Correlation> trained;
  if (argc > 1) {
    std::ifstream file(argv[1], std::ios::binary);
    auto model = lbhm::parse_model(std::string{std::istreambuf_iterator<char>(file), {}});
    if (!model) {
      std::fprintf(stderr, "%s: %s\n", argv[1], model.error().message().c_str());
      return 1;
    }
    trained = std::move(model->f);
    lbhm::bench::f = trained.get();
  }
  benchmark::AddCustomContext("correlation", std::string(lbhm::bench::f->name()));
  lbhm::bench::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
