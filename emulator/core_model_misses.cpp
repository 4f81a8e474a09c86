// What an access costs that misses the first-level cache.
#include <algorithm>

#include "emulator/core_model.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

void CoreModel::miss_l1(std::uint64_t entry, LineId line, Cache::Outcome l1) {
  window_.advance(position(), waiting_);
  if (l1.victim_dirty && !l2_.mark_dirty(l1.victim) && !llc_.mark_dirty(l1.victim)) write_back(l1.victim);
  const Prefetcher::Prediction prediction =
      prefetcher_.observe(static_cast<std::uint32_t>(entry >> LBHM_EMU_SITE_SHIFT), line, clock());
  if (prediction.covered && measuring_) ++counters_.prefetches;
  const Cache::Outcome l2 = l2_.access(line, false);
  if (l2.hit) return l2_hit(entry, prediction);
  if (l2.victim_dirty && !llc_.mark_dirty(l2.victim)) write_back(l2.victim);
  const bool is_load = (entry & LBHM_EMU_WRITE) == 0;
  if (is_load && measuring_) ++counters_.l2_load_misses;
  const Cache::Outcome llc = llc_.access(line, false);
  if (llc.victim_dirty) write_back(llc.victim);
  if (llc.hit) return llc_hit(entry, prediction);
  if (measuring_) memory_access(entry, line, prediction);
}

void CoreModel::l2_hit(std::uint64_t entry, const Prefetcher::Prediction& prediction) {
  // Independent hits disappear in the reorder window; a chain of dependent loads shows them in full.
  if ((entry & LBHM_EMU_SERIAL) != 0 && !prediction.covered) load(entry, l2_latency_, false);
}

void CoreModel::llc_hit(std::uint64_t entry, const Prefetcher::Prediction& prediction) {
  const Picoseconds head_start = prediction.covered ? prediction.head_start : 0;
  if (head_start < llc_latency_) load(entry, llc_latency_ - head_start, false);
}

void CoreModel::memory_access(std::uint64_t entry, LineId line, const Prefetcher::Prediction& prediction) {
  const TierId tier = table_.tier(line >> (page_bits - line_bits));
  if (tier == no_tier) return;  // released by another thread while the access was in the buffer
  const TierTiming& timing = tiers_[tier.value];
  demand_[tier.value] += timing.line.read;  // a store reads the line for ownership, too
  ++counters_.accesses[tier.value];
  const bool is_load = (entry & LBHM_EMU_WRITE) == 0;
  if (is_load) ++counters_.l3_load_misses;
  if (prediction.covered) ++counters_.prefetch_misses;
  const Picoseconds latency = prediction.neighbour ? timing.sequential : timing.random;
  const Picoseconds head_start = prediction.covered ? prediction.head_start : 0;
  const Picoseconds left = latency > head_start ? latency - head_start : 0;
  if (sampler_.due()) sample(entry, tier, is_load ? std::max(left, l2_latency_) : latency);
  if (left > 0) load(entry, left, true);
}

void CoreModel::sample(std::uint64_t entry, TierId tier, Picoseconds latency) {
  sampler_.record({.address = entry & LBHM_EMU_ADDRESS_MASK,
                   .lane = lane_,
                   .tier = tier,
                   .write = (entry & LBHM_EMU_WRITE) != 0,
                   .latency = to_nanoseconds(latency),
                   .time = to_nanoseconds(clock())});
  waiting_.total += sample_cost_;
}

void CoreModel::load(std::uint64_t entry, Picoseconds latency, bool memory) {
  if (!measuring_ || (entry & LBHM_EMU_WRITE) != 0) return;  // stores wait in the write buffer, not the core
  if ((entry & LBHM_EMU_SERIAL) == 0) return window_.issue(position(), latency, memory, waiting_);
  waiting_.total += latency;
  if (memory) waiting_.memory += latency;
}

void CoreModel::write_back(LineId line) {
  const TierId tier = table_.tier(line >> (page_bits - line_bits));
  if (measuring_ && tier != no_tier) demand_[tier.value] += tiers_[tier.value].line.write;
}

}  // namespace lbhm::emulator
