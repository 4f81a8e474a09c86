#include "emulator/core/core_model.h"

#include <algorithm>
#include <cmath>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {
namespace {

Picoseconds cycles(const MachineDescription& machine, std::uint64_t core, double count) {
  return to_picoseconds(Nanoseconds(count / machine.topology.cycles_per_nanosecond * machine.slower(core)));
}

}  // namespace

CoreModel::CoreModel(const MachineDescription& machine, PageMap& pages, std::uint64_t core,
                     PageNumberRange ignored_pages)
    : core_(core),
      counting_loads_(machine.load_counts),
      slot_time_(cycles(machine, core, (1 << fraction_bits) / machine.core.dispatch_width)),
      cycle_time_(cycles(machine, core, 1 << fraction_bits)),
      faster_addition_time_(
          cycles(machine, core, (1 << fraction_bits) * (LBHM_EMU_ADDITION - machine.core.addition_cycles))),
      window_size_(machine.core.reorder_window),
      misprediction_time_(cycles(machine, core, machine.core.misprediction_cycles)),
      l1_latency_(cycles(machine, core, machine.core.l1_latency_cycles)),
      l2_latency_(cycles(machine, core, machine.core.l2_latency_cycles)),
      llc_latency_(cycles(machine, core, machine.core.llc_latency_cycles)),
      walk_time_(cycles(machine, core, machine.core.walk_cycles)),
      sample_cost_(machine.sample_cost),
      fault_cost_(machine.observation.hint_fault),
      interrupt_cost_(machine.migration.interrupt),
      cycles_per_picosecond_(machine.topology.cycles_per_nanosecond / 1e3),
      tier_count_(machine.topology.tiers.size()),
      llc_shared_(machine.core.llc_shared),
      contention_(machine.contention),
      pages_(pages),
      sites_(SiteTable::of_process()),
      l1_(machine.core.l1),
      l2_(machine.core.l2),
      llc_(machine.core.llc),
      l2_port_(cycles(machine, core, machine.core.l2_cycles_per_line)),
      llc_port_(cycles(machine, core, machine.core.llc_cycles_per_line)),
      tlb_(machine.core.tlb),
      prefetcher_(machine.core.prefetcher),
      fill_buffers_(machine.core.fill_buffers),
      window_((window_size_ * slot_time_) >> fraction_bits),
      write_buffer_(machine.core.write_buffer),
      memory_(machine, pages, core),
      table_(pages, core, ignored_pages),
      sampler_(machine.sampling ? machine.sample_period : Sampler::never_due, mix(machine.seed) + core),
      touches_(machine.touch_period, mix(machine.seed) + core),
      flushes_seen_(pages.flushes().count()) {
  if (!machine.page_counts) return;
  counter_.reset(new PageCounter);
  memory_.count(*counter_);
  window_.count(*counter_);
}

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
  const std::uint64_t time = work_time(work);
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

/// What the plugin counts, or longer if single units are the limit of it all.
std::uint64_t CoreModel::work_time(const Work& work) const {
  const std::uint64_t chain = work.chain * cycle_time_ - work.additions * faster_addition_time_;
  return std::max(work.slots * slot_time_ + chain, work.units * cycle_time_ / 4);
}

/// The window holds a number of instructions; how long their dispatch takes depends on what they are.
void CoreModel::set_window(std::uint64_t instructions, std::uint64_t time) {
  const std::uint64_t shortest = window_size_ * slot_time_;
  const double average = instructions == 0 ? 0 : static_cast<double>(time) / static_cast<double>(instructions);
  const auto size = static_cast<std::uint64_t>(static_cast<double>(window_size_) * average);
  window_.set_size(std::max(shortest, size) >> fraction_bits);
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

// What the others did that a core notices at the ends of quanta.

void CoreModel::meet_others(bool running) {
  if (llc_shared_ && pages_.llc_shares().rounds() != llc_rounds_seen_) {
    llc_rounds_seen_ = pages_.llc_shares().rounds();
    llc_.set_share(pages_.llc_shares().lines(core_));
  }
  if (pages_.flushes().count() == flushes_seen_) return;
  Picoseconds cost = 0;
  const bool all_known = pages_.flushes().since(flushes_seen_, [&](const TlbFlushes::Batch& batch) {
    if (batch.core == core_) return;
    if (batch.interrupts) cost += interrupt_cost_;
    batch.everything ? tlb_.clear() : forget_translations(batch.pages);
  });
  if (!all_known) tlb_.clear();
  if (running) spend(cost);
}

void CoreModel::forget_translations(std::span<const PageNumber> pages) {
  for (const PageNumber page : pages) {
    if (const Frame frame = table_.known_frame(page); frame != no_frame) tlb_.remove(frame);
  }
}

// What a core model has counted, in the words of the machine contract.

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
          .buffers_full_cycles = cycles_of(counters_.buffers_full.total),
          .page_cycles_2 = cycles_of(counters_.pages.at_least(2)),
          .page_cycles_4 = cycles_of(counters_.pages.at_least(4)),
          .page_cycles_8 = cycles_of(counters_.pages.at_least(8))};
}

std::vector<AccessCount> CoreModel::accesses() const {
  std::vector<AccessCount> result(tier_count_);
  for (std::size_t k = 0; k < tier_count_; ++k) result[k] = AccessCount(static_cast<double>(counters_.accesses[k]));
  return result;
}

}  // namespace lbhm::emulator
