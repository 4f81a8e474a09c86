// What a core model has counted, in the words of the machine contract.
#include "emulator/core/core_model.h"

namespace lbhm::emulator {

Demand CoreModel::take_demand() {
  if (llc_shared_ && llc_.uses() != llc_uses_told_) {
    pages_.llc_shares().use(core_, llc_.uses() - llc_uses_told_);
    llc_uses_told_ = llc_.uses();
  }
  const Demand demand = memory_.take_demand();
  return contention_ ? demand : Demand{};
}

EventCounts CoreModel::events() const {
  double misses = 0;
  for (const std::uint64_t count : counters_.accesses) misses += static_cast<double>(count);
  const auto cycles_of = [this](Picoseconds t) { return static_cast<double>(t) * cycles_per_picosecond_; };
  return {.instructions = static_cast<double>(counters_.instructions),
          .cycles = cycles_of(clock() - idle_),
          .memory_wait_cycles = cycles_of(waiting_.memory),
          .l2_load_misses = static_cast<double>(counters_.l2_load_misses),
          .l3_load_misses = static_cast<double>(counters_.l3_load_misses),
          .llc_misses = misses,
          .prefetches = static_cast<double>(counters_.prefetches),
          .prefetch_misses = static_cast<double>(counters_.prefetch_misses),
          .branches = static_cast<double>(counters_.branches),
          .branch_mispredictions = static_cast<double>(counters_.mispredictions),
          .vector_instructions = static_cast<double>(counters_.vectors),
          .load_occupancy = cycles_of(counters_.load_occupancy),
          .load_cycles = cycles_of(counters_.loads.total),
          .buffers_full_cycles = cycles_of(counters_.buffers_full.total)};
}

std::vector<AccessCount> CoreModel::accesses() const {
  std::vector<AccessCount> result(tier_count_);
  for (std::size_t k = 0; k < tier_count_; ++k) result[k] = AccessCount(static_cast<double>(counters_.accesses[k]));
  return result;
}

}  // namespace lbhm::emulator
