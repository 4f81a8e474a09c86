#include "emulator/core_model.h"

#include <algorithm>
#include <cmath>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {
namespace {

Picoseconds cycles(const MachineDescription& machine, double count) {
  return to_picoseconds(Nanoseconds(count / machine.topology.cycles_per_nanosecond));
}

}  // namespace

CoreModel::CoreModel(const MachineDescription& machine, PageMap& pages, std::uint64_t core, PageRange ignored_pages)
    : instruction_time_(cycles(machine, (1 << fraction_bits) / machine.core.dispatch_width)),
      misprediction_time_(cycles(machine, machine.core.misprediction_cycles)),
      l2_latency_(cycles(machine, machine.core.l2_latency_cycles)),
      llc_latency_(cycles(machine, machine.core.llc_latency_cycles)),
      sample_cost_(machine.sample_cost),
      cycles_per_picosecond_(machine.topology.cycles_per_nanosecond / 1e3),
      tier_count_(machine.topology.tiers.size()),
      l1_(machine.core.l1),
      l2_(machine.core.l2),
      llc_(machine.core.llc),
      prefetcher_(machine.core.prefetcher),
      window_((machine.core.reorder_window * instruction_time_) >> fraction_bits, machine.core.fill_buffers),
      table_(pages, core, ignored_pages),
      sampler_(machine.sample_period, machine.seed + core) {
  for (std::size_t k = 0; k < tier_count_; ++k) {
    const Tier& tier = machine.topology.tiers[k];
    tiers_[k] = {.sequential = to_picoseconds(tier.latency_sequential),
                 .random = to_picoseconds(tier.latency_random),
                 .line = line_cost(tier)};
  }
}

void CoreModel::begin(const Work& work, std::size_t accesses) {
  if (!table_.catch_up()) {
    l1_.clear();
    l2_.clear();
    llc_.clear();
  }
  if (!measuring_) {
    step_ = penalty_step_ = 0;
    return;
  }
  counters_.instructions += work.instructions;
  counters_.vectors += work.vectors;
  counters_.branches += work.branches;
  counters_.mispredictions += work.mispredictions;
  const std::uint64_t dispatch = work.instructions * instruction_time_ + step_remainder_;
  const Picoseconds penalty = work.mispredictions * misprediction_time_;
  if (accesses == 0) {
    position_ += dispatch;
    waiting_.total += penalty;
    step_remainder_ = 0;
    return;
  }
  step_ = dispatch / accesses;
  step_remainder_ = dispatch % accesses;
  penalty_step_ = penalty / accesses;
  waiting_.total += penalty % accesses;
}

std::size_t CoreModel::run(std::span<const std::uint64_t> entries, Picoseconds until) {
  std::array<LineId, chunk> lines;
  std::size_t done = 0;
  while (done < entries.size()) {
    const auto part = entries.subspan(done, std::min(chunk, entries.size() - done));
    translate(part, lines);
    std::size_t dispatched = 0;  // of this part: hits only pass time, so they are counted together
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (lines[i] == no_line) continue;
      const Cache::Outcome l1 = l1_.access(lines[i], (part[i] & LBHM_EMU_WRITE) != 0);
      if (l1.hit) continue;
      dispatch(i + 1 - dispatched);
      dispatched = i + 1;
      miss_l1(part[i], lines[i], l1);
      if (clock() >= until) return done + i + 1;
    }
    dispatch(part.size() - dispatched);
    done += part.size();
    window_.advance(position(), waiting_);
    if (clock() >= until) break;
  }
  return done;
}

inline void CoreModel::dispatch(std::uint64_t accesses) {
  position_ += accesses * step_;
  waiting_.total += accesses * penalty_step_;
}

inline void CoreModel::translate(std::span<const std::uint64_t> entries, std::array<LineId, chunk>& lines) {
  const Picoseconds now = clock();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t address = entries[i] & LBHM_EMU_ADDRESS_MASK;
    const Frame frame = entries[i] == 0 ? no_frame : table_.frame(address >> page_bits, now);
    const auto line_in_page = static_cast<LineId>(address >> line_bits) & ((1u << (page_bits - line_bits)) - 1);
    lines[i] = frame == no_frame ? no_line : (frame << (page_bits - line_bits)) | line_in_page;
  }
}

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

void CoreModel::drain() {
  if (measuring_) window_.drain(position(), waiting_);
}

void CoreModel::idle_until(Picoseconds time) {
  const Picoseconds now = clock();
  if (time <= now) return;
  waiting_.total += time - now;
  idle_ += time - now;
}

void CoreModel::wait_for_memory(Picoseconds duration) {
  waiting_.total += duration;
  waiting_.memory += duration;
}

Demand CoreModel::take_demand() {
  const Demand demand = demand_;
  demand_.fill(0);
  return demand;
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
          .vector_instructions = static_cast<double>(counters_.vectors)};
}

std::vector<AccessCount> CoreModel::accesses() const {
  std::vector<AccessCount> result;
  for (std::size_t k = 0; k < tier_count_; ++k) { result.emplace_back(static_cast<double>(counters_.accesses[k])); }
  return result;
}

}  // namespace lbhm::emulator
