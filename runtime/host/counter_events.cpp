// The table of events and their fall-backs.
//
// Names: PAPI_... are PAPI's presets (PAPI_presets(3)), which the paper uses; the others are libpfm's names of native
// events. Meanings of these: Intel SDM volume 3B chapter 20 (events of Skylake and later), AMD's Processor Programming
// Reference of family 17h and later (L2_PREFETCH_...: PMC 070h to 072h), Armv8-A architecture (STALL_BACKEND_MEM, ...).
#include "runtime/host/counter_events.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace lbhm::host {
namespace {

struct Wanted {
  const char* name;
  double EventCounts::* count;
  bool of_the_paper;                        ///< one of its eight characteristics is made of it
  std::initializer_list<const char*> ways;  ///< best first; "A+B": the sum
};

/// Where not all fit the first ones are counted: in the paper's order of importance (section 5.1), its own before ours.
constexpr Wanted table[] = {
    {"instructions", &EventCounts::instructions, true, {"PAPI_TOT_INS", "perf::INSTRUCTIONS"}},
    {"cycles", &EventCounts::cycles, true, {"PAPI_TOT_CYC", "perf::CYCLES"}},
    {"last-level cache misses",
     &EventCounts::llc_misses,
     true,
     {"PAPI_L3_TCM", "LONGEST_LAT_CACHE:MISS", "perf::CACHE-MISSES", "PAPI_L2_TCM"}},
    // Requests of the second level's prefetchers; AMD's three tell where they ended.
    {"prefetches",
     &EventCounts::prefetches,
     true,
     {"L2_RQSTS:ALL_PF", "L2_PREFETCH_HIT_L2+L2_PREFETCH_HIT_L3+L2_PREFETCH_MISS_L3", "perf::LLC-PREFETCHES"}},
    {"prefetches that miss",
     &EventCounts::prefetch_misses,
     true,
     {"PAPI_PRF_DM", "L2_PREFETCH_MISS_L3", "perf::LLC-PREFETCH-MISSES"}},
    {"cycles waiting for memory",
     &EventCounts::memory_wait_cycles,
     true,
     {"PAPI_MEM_SCY", "CYCLE_ACTIVITY:STALLS_L3_MISS", "CYCLE_ACTIVITY:STALLS_LDM_PENDING", "STALL_BACKEND_MEM"}},
    {"L2 load misses",
     &EventCounts::l2_load_misses,
     true,
     {"PAPI_L2_LDM", "MEM_LOAD_RETIRED:L2_MISS", "PAPI_L2_DCM", "L2D_CACHE_REFILL_RD"}},
    {"branches", &EventCounts::branches, true, {"PAPI_BR_CN", "PAPI_BR_INS", "perf::BRANCHES"}},
    {"branch mispredictions", &EventCounts::branch_mispredictions, true, {"PAPI_BR_MSP", "perf::BRANCH-MISSES"}},
    // PAPI_VEC_DP and PAPI_VEC_SP would not do: on Intel's processors they count scalar instructions, too.
    {"vector instructions",
     &EventCounts::vector_instructions,
     true,
     {"PAPI_VEC_INS", "FP_ARITH:VECTOR",
      "FP_ARITH:128B_PACKED_DOUBLE+FP_ARITH:256B_PACKED_DOUBLE+FP_ARITH:512B_PACKED_DOUBLE+"
      "FP_ARITH:128B_PACKED_SINGLE+FP_ARITH:256B_PACKED_SINGLE+FP_ARITH:512B_PACKED_SINGLE",
      "FP_ARITH:128B_PACKED_DOUBLE+FP_ARITH:256B_PACKED_DOUBLE+FP_ARITH:128B_PACKED_SINGLE+"
      "FP_ARITH:256B_PACKED_SINGLE"}},
    {"L3 load misses",
     &EventCounts::l3_load_misses,
     true,
     {"PAPI_L3_LDM", "MEM_LOAD_RETIRED:L3_MISS", "PAPI_L3_DCM", "LL_CACHE_MISS_RD", "perf::LLC-LOAD-MISSES"}},
    {"useless prefetches", &EventCounts::useless_prefetches, false, {"L2_LINES_OUT:USELESS_HWPF"}},
    {"loads under way", &EventCounts::load_occupancy, false, {"OFFCORE_REQUESTS_OUTSTANDING:L3_MISS_DEMAND_DATA_RD"}},
    {"cycles with loads under way",
     &EventCounts::load_cycles,
     false,
     {"OFFCORE_REQUESTS_OUTSTANDING:CYCLES_WITH_L3_MISS_DEMAND_DATA_RD", "CYCLE_ACTIVITY:CYCLES_L3_MISS"}},
    {"cycles with full buffers", &EventCounts::buffers_full_cycles, false, {"L1D_PEND_MISS:FB_FULL"}},
};

std::vector<std::string> split(std::string_view way) {
  std::vector<std::string> events;
  for (std::size_t begin = 0; begin <= way.size();) {
    const std::size_t end = std::min(way.find('+', begin), way.size());
    events.emplace_back(way.substr(begin, end - begin));
    begin = end + 1;
  }
  return events;
}

int index_of(std::vector<std::string>& events, const std::string& event) {
  const auto at = std::ranges::find(events, event);
  const auto index = static_cast<int>(at - events.begin());
  if (at == events.end()) events.push_back(event);
  return index;
}

}  // namespace

EventChoice choose_events(const std::function<bool(const char*)>& can_count) {
  const auto countable = [&](const std::string& event) { return can_count(event.c_str()); };
  EventChoice choice;
  for (const Wanted& wanted : table) {
    bool found = false;
    for (const char* way : wanted.ways) {
      const std::vector<std::string> events = split(way);
      found = std::ranges::all_of(events, countable);
      if (!found) continue;
      choice.counts.push_back({wanted.count, {}});
      for (const std::string& event : events) choice.counts.back().events.push_back(index_of(choice.events, event));
      break;
    }
    if (!found && wanted.of_the_paper)
      choice.missing.push_back(std::string(wanted.name) + " (" + split(*wanted.ways.begin()).front() + ")");
  }
  return choice;
}

}  // namespace lbhm::host
