// Events by the names of PAPI's presets, which is how the paper counts them (papi_avail lists what each stands for).
#include <array>
#include <utility>

#include "lbhm/model.h"

namespace lbhm {
namespace {

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

std::optional<double> papi_event(const EventCounts& raw, std::string_view name) {
  for (const auto& [preset, member] : presets) {
    if (preset == name && raw.*member >= 0) return raw.*member;
  }
  return std::nullopt;
}

}  // namespace lbhm
