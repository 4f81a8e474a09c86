// The eight workload characteristics, section 5.1 of the paper.
// The paper names them and defines three (LLC_MPKI, IPC, PRF_Miss). The others are ratios too, so that none of them
// depends on how long a task ran: the model is trained on code regions of any length.
#include "model/model.h"
#include "model/ratio.h"

namespace lbhm {

TaskEvents task_events(const EventCounts& raw) {
  using model::ratio;
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

}  // namespace lbhm
