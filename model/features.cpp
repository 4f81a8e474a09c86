// What the correlation function may look at: the paper's eight characteristics (section 5.1) and those that we add.
#include "model/ratio.h"

#include <algorithm>

#include "model/model.h"

namespace lbhm {

CorrelationFeatures correlation_features(const EventCounts& raw, const BandwidthUse& slow,
                                         const HomogeneousTimes& times) {
  using model::ratio;
  constexpr double kilo = 1000;
  CorrelationFeatures features;
  const auto next = std::ranges::copy(task_events(raw).values, features.values.begin()).out;
  const std::array<double, CorrelationFeatures::count - TaskEvents::count> further{
      ratio(raw.prefetches, raw.instructions, kilo),        // PRF_PKI
      ratio(raw.useless_prefetches, raw.prefetches),        // PRF_Useless, share of the prefetches
      ratio(raw.branches, raw.instructions, kilo),          // BR_PKI
      ratio(raw.memory_wait_cycles, raw.llc_misses),        // MISS_STALL, cycles
      ratio(raw.load_occupancy, raw.load_cycles),           // MLP
      ratio(raw.load_cycles, raw.l3_load_misses),           // AOL, cycles
      ratio(raw.buffers_full_cycles, raw.cycles),           // FB_FULL, share of the cycles
      slow.all,                                             // SLOW_USE
      slow.own,                                             // SLOW_USE_OWN
      ratio(times.fast_only.value, times.slow_only.value),  // FAST_TIME
  };
  std::ranges::copy(further, next);
  return features;
}

}  // namespace lbhm
