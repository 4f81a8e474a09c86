// Events by the names of PAPI's presets, which is how the paper counts them. Names and meanings: PAPI_presets(3).
//
// The paper's MEM_WCY carries PAPI's name for the cycles stalled for memory *writes* (PAPI_MEM_WCY). It says no more of
// it, and our count is of all waiting for memory; that is PAPI_MEM_SCY, and MEM_WCY has no entry here.
#include <array>
#include <utility>

#include "model/model.h"

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
