// What f of Eq. 2 may look at: the paper's eight characteristics (section 5.1) and those that we add.
//
// The paper names the eight and defines three (LLC_MPKI, IPC, PRF_Miss). The others are ratios too, so that none of
// them depends on how long a task ran: the model is trained on code regions of any length.
//
// Events by the names of PAPI's presets, which is how the paper counts them. Names and meanings: PAPI_presets(3).
//
// The paper's MEM_WCY carries PAPI's name for the cycles stalled for memory *writes* (PAPI_MEM_WCY). It says no more of
// it, and our count is of all waiting for memory; that is PAPI_MEM_SCY, and MEM_WCY has no entry here.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "model/learned/learned.h"

namespace lbhm {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// factor * part / whole; unknown if one of them was not counted or there is no whole.
double ratio(double part, double whole, double factor = 1) {
  return part >= 0 && whole > 0 ? factor * part / whole : unknown;
}

constexpr std::array<std::pair<std::string_view, double EventCounts::*>, 10> presets{{
    {"PAPI_TOT_INS", &EventCounts::instructions},
    {"PAPI_TOT_CYC", &EventCounts::cycles},
    {"PAPI_MEM_SCY", &EventCounts::memory_wait_cycles},
    {"PAPI_L2_LDM", &EventCounts::l2_load_misses},
    {"PAPI_L3_LDM", &EventCounts::l3_load_misses},
    {"PAPI_L3_TCM", &EventCounts::llc_misses},
    {"PAPI_PRF_DM", &EventCounts::prefetch_misses},
    {"PAPI_BR_CN", &EventCounts::branches},
    {"PAPI_BR_MSP", &EventCounts::branch_mispredictions},
    {"PAPI_VEC_INS", &EventCounts::vector_instructions},
}};

}  // namespace

CorrelationFeatures correlation_features(const EventCounts& raw, const Traffic& traffic,
                                         const HomogeneousTimes& times) {
  constexpr double kilo = 1000;
  CorrelationFeatures features;
  const double fast_time = ratio(times.fast_only.value, times.slow_only.value);
  const auto next = std::ranges::copy(task_events(raw).values, features.values.begin()).out;
  const std::array<double, CorrelationFeatures::count - TaskEvents::count> further{
      ratio(raw.prefetches, raw.instructions, kilo),                // PRF_PKI
      ratio(raw.useless_prefetches, raw.prefetches),                // PRF_Useless, share of the prefetches
      ratio(raw.branches, raw.instructions, kilo),                  // BR_PKI
      ratio(raw.memory_wait_cycles, raw.llc_misses),                // MISS_STALL, cycles
      ratio(raw.load_occupancy, raw.load_cycles),                   // MLP
      ratio(raw.load_cycles, raw.l3_load_misses),                   // AOL, cycles
      ratio(raw.buffers_full_cycles, raw.cycles),                   // FB_FULL, share of the cycles
      traffic.all_use,                                              // SLOW_USE
      traffic.own_use,                                              // SLOW_USE_OWN
      fast_time,                                                    // FAST_TIME
      ratio(raw.page_cycles_2, raw.load_cycles),                    // PAGES_2
      ratio(raw.page_cycles_4, raw.load_cycles),                    // PAGES_4
      ratio(raw.page_cycles_8, raw.load_cycles),                    // PAGES_8
      traffic.rate > 0 ? (1 - fast_time) / traffic.rate : unknown,  // SAVED, ns
      ratio(raw.l3_load_misses, raw.llc_misses),                    // LOADS
      ratio(raw.load_cycles, raw.cycles),                           // LOAD_CYCLES, share of the cycles
      traffic.lanes,                                                // LANES
  };
  std::ranges::copy(further, next);
  return features;
}

TaskEvents task_events(const EventCounts& raw) {
  constexpr double kilo = 1000;
  return {{
      ratio(raw.llc_misses, raw.instructions, kilo),      // LLC_MPKI
      ratio(raw.instructions, raw.cycles),                // IPC
      ratio(raw.prefetch_misses, raw.prefetches),         // PRF_Miss
      ratio(raw.memory_wait_cycles, raw.cycles),          // MEM_WCY, share of the cycles
      ratio(raw.l2_load_misses, raw.instructions, kilo),  // L2_LD_Miss, per 1000 instructions
      ratio(raw.branch_mispredictions, raw.branches),     // BR_MSP, share of the branches
      ratio(raw.vector_instructions, raw.instructions),   // VEC_INS, share of the instructions
      ratio(raw.l3_load_misses, raw.instructions, kilo),  // L3_LD_Miss, per 1000 instructions
  }};
}

std::optional<double> papi_event(const EventCounts& raw, std::string_view name) {
  for (const auto& [preset, member] : presets) {
    if (preset == name && raw.*member >= 0) return raw.*member;
  }
  return std::nullopt;
}

}  // namespace lbhm
