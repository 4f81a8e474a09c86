// A made-up phase for the benchmark of decisions: what the base instance of a program with so many tasks and objects
// would have left behind.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/knowledge/forecast.h"

namespace lbhm::bench {

struct Shape {
  std::uint32_t tasks;
  std::uint32_t objects;
  Bytes footprint;
};

/// Objects are of equal size. A quarter of them, at most 8, are shared: of every other one each task reads its own
/// part, the rest it reads everywhere. The others belong to one task each, dealt out in turn. A task has left 4,096
/// samples, spread evenly over its pages, 200 block counters of which every third was executed, and all of that for
/// eight instances. The next instance is a tenth larger.
struct MadePhase {
  explicit MadePhase(const Shape& shape);

  InputModel input(const Correlation& f) const {
    return {.objects = knowledge, .blocks = &blocks, .stencils = &stencils, .base = base, .f = &f};
  }

  PhaseForecast forecast(const Correlation& f) const {
    PhaseForecast phase = forecast_on(now, topology, std::vector{fast_capacity, fast_capacity * 3});
    add_tasks(profile, topology, input(f), phase);
    return phase;
  }

  Topology topology;
  PhaseProfile profile;
  KnownObjects knowledge;
  BlockKnowledge blocks;
  StencilTable stencils;
  std::vector<SeenTimes> base;
  std::vector<SlotRange> now;
  Bytes fast_capacity;  ///< a quarter of the footprint
};

}  // namespace lbhm::bench
