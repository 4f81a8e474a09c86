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

}  // namespace lbhm::emulator
