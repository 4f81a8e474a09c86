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
    : core_(core),
      slot_time_(cycles(machine, (1 << fraction_bits) / machine.core.dispatch_width)),
      cycle_time_(cycles(machine, 1 << fraction_bits)),
      window_size_(machine.core.reorder_window),
      misprediction_time_(cycles(machine, machine.core.misprediction_cycles)),
      l1_latency_(cycles(machine, machine.core.l1_latency_cycles)),
      l2_latency_(cycles(machine, machine.core.l2_latency_cycles)),
      llc_latency_(cycles(machine, machine.core.llc_latency_cycles)),
      walk_time_(cycles(machine, machine.core.walk_cycles)),
      sample_cost_(machine.sample_cost),
      fault_cost_(machine.observation.hint_fault),
      interrupt_cost_(machine.migration.interrupt),
      cycles_per_picosecond_(machine.topology.cycles_per_nanosecond / 1e3),
      tier_count_(machine.topology.tiers.size()),
      llc_shared_(machine.core.llc_shared),
      pages_(pages),
      sites_(SiteTable::of_process()),
      l1_(machine.core.l1),
      l2_(machine.core.l2),
      llc_(machine.core.llc),
      tlb_(machine.core.tlb),
      prefetcher_(machine.core.prefetcher),
      fill_buffers_(machine.core.fill_buffers),
      window_((window_size_ * slot_time_) >> fraction_bits),
      write_buffer_(machine.core.write_buffer),
      memory_(machine, pages, core),
      table_(pages, core, ignored_pages),
      sampler_(machine.sample_period, machine.seed + core),
      flushes_seen_(pages.flushes().count()) {}

void CoreModel::begin(const Work& work, std::size_t accesses) {
  nontemporal_ = sites_.any_nontemporal();
  if (!table_.catch_up()) {
    l1_.clear();
    l2_.clear();
    llc_.clear();
    tlb_.clear();
  }
  if (!measuring_) {
    step_ = 0;
    return;
  }
  counters_.instructions += work.instructions;
  counters_.vectors += work.vectors;
  counters_.branches += work.branches;
  counters_.mispredictions += work.mispredictions;
  const std::uint64_t time = work.slots * slot_time_ + work.chain * cycle_time_;
  set_window(work.instructions, time);
  const std::uint64_t dispatch = time + step_remainder_;
  if (accesses == 0) {
    position_ += dispatch;
    step_remainder_ = 0;
    return;
  }
  step_ = dispatch / accesses;
  step_remainder_ = dispatch % accesses;
}

/// The window holds a number of instructions; how long their dispatch takes depends on what they are.
void CoreModel::set_window(std::uint64_t instructions, std::uint64_t time) {
  const std::uint64_t shortest = window_size_ * slot_time_;
  const double average = instructions == 0 ? 0 : static_cast<double>(time) / static_cast<double>(instructions);
  const auto size = static_cast<std::uint64_t>(static_cast<double>(window_size_) * average);
  window_.set_size(std::max(shortest, size) >> fraction_bits);
}

std::size_t CoreModel::run(std::span<const std::uint64_t> entries, Picoseconds until) {
  std::array<LineId, chunk> lines;
  std::size_t done = 0;
  meet_others(true);
  while (done < entries.size()) {
    const auto part = entries.subspan(done, std::min(chunk, entries.size() - done));
    translate(part, lines);
    bool under_way = loads_.latest().time > clock();
    std::size_t dispatched = 0;  // of this part: hits only pass time, so they are counted together
    for (std::size_t i = 0; i < part.size(); ++i) {
      Cache::Outcome l1;
      if (lines[i] != no_line && !(nontemporal_ && sites_.nontemporal(part[i] >> LBHM_EMU_SITE_SHIFT))) [[likely]] {
        l1 = l1_.access(lines[i], (part[i] & LBHM_EMU_WRITE) != 0);
        if (l1.hit && !(under_way && waits(part[i], lines[i]))) continue;
      } else if (part[i] == 0) {
        continue;
      }
      dispatch(i + 1 - dispatched);
      dispatched = i + 1;
      event(part[i], lines[i], l1);
      if (clock() >= until) return done + i + 1;
      under_way = loads_.latest().time > clock();
    }
    dispatch(part.size() - dispatched);
    done += part.size();
    window_.advance(position(), waiting_);
    if (clock() >= until) break;
  }
  return done;
}

/// A hit whose line, or whose address, is still under way.
inline bool CoreModel::waits(std::uint64_t entry, LineId line) const {
  return loads_.of_line(line).time > clock() || address_of(entry).time > clock();
}

inline void CoreModel::translate(std::span<const std::uint64_t> entries, std::array<LineId, chunk>& lines) {
  const Picoseconds now = clock();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint64_t address = entries[i] & LBHM_EMU_ADDRESS_MASK;
    const bool is_access = entries[i] != 0 && (entries[i] & LBHM_EMU_BRANCH) == 0;
    const Frame frame = is_access ? table_.frame(address >> page_bits, now) : no_frame;
    const auto line_in_page = static_cast<LineId>(address >> line_bits) & ((1u << (page_bits - line_bits)) - 1);
    lines[i] = frame == no_frame ? no_line : (frame << (page_bits - line_bits)) | line_in_page;
  }
}

void CoreModel::drain() {
  if (!measuring_) return;
  window_.drain(position(), waiting_);
  waiting_.until(loads_.latest().time, position(), loads_.latest().memory);
}

void CoreModel::idle_until(Picoseconds time) {
  const Picoseconds now = clock();
  if (time <= now) return;
  waiting_.total += time - now;
  idle_ += time - now;
  meet_others(false);
}

void CoreModel::wait_for_memory(Picoseconds duration) {
  waiting_.total += duration;
  waiting_.memory += duration;
}

}  // namespace lbhm::emulator
