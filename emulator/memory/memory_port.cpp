#include "emulator/memory/memory_port.h"

#include <utility>

namespace lbhm::emulator {
namespace {

// In memory-mode.
constexpr std::size_t cache_tier = 0;
constexpr std::size_t memory_tier = 1;

constexpr LineId line_mask = (1u << (page_bits - line_bits)) - 1;

Picoseconds times(Picoseconds time, double slower) {
  return static_cast<Picoseconds>(static_cast<double>(time) * slower);
}

}  // namespace

MemoryPort::MemoryPort(const MachineDescription& machine, PageMap& pages, std::uint64_t core)
    : pages_(pages), load_(pages.load()) {
  const double slower = machine.slower(core);
  for (std::size_t k = 0; k < machine.topology.tiers.size(); ++k) {
    const Tier& tier = machine.topology.tiers[k];
    const LineCost line = line_cost(tier);
    tiers_[k] = {.latency = {times(to_picoseconds(tier.latency_random), slower),
                             times(to_picoseconds(tier.latency_sequential), slower)},
                 .line = {.read = times(line.read, slower), .write = times(line.write, slower)},
                 .demand = {},
                 .buffer = DeviceBuffer(tier.granularity, machine.detail(k).buffer)};
  }
  if (MemoryCache* cache = pages.memory_cache()) front_.emplace(*cache, core);
  plain_ = !front_;
}

bool MemoryPort::bring_in(const Line& line, bool write, Picoseconds now) {
  move(cache_tier, line.id, false);  // the tag, and with it the data of whatever is there
  const std::optional<PhysicalFrame> frame = pages_.physical_frame(line.page);
  if (!frame) return true;  // touched within this quantum: it gets its frame at the end
  const PhysicalLine physical = (PhysicalLine{*frame} << (page_bits - line_bits)) | (line.id & line_mask);
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called in memory-mode only, where it is there
  const MemoryCacheView::Outcome outcome = front_->access(physical, write, now);
  if (outcome.dirty_victim) move(memory_tier, static_cast<LineId>(outcome.victim), true);
  return !outcome.hit;
}

MemoryPort::Served MemoryPort::read_through(const Line& line, bool neighbour, bool waited_for, Picoseconds now) {
  if (!front_) {
    counter_->read(line.page, move(line.home.value, line.id, false));
    return {.tier = line.home, .latency = latency(line.home.value, neighbour, waited_for)};
  }
  const bool missed = bring_in(line, false, now);
  const Picoseconds check = latency(cache_tier, neighbour, waited_for);
  if (!missed) return {.tier = TierId(cache_tier), .latency = check};
  move(memory_tier, line.id, false);
  move(cache_tier, line.id, true);
  return {.tier = TierId(memory_tier), .latency = check + latency(memory_tier, neighbour, waited_for)};
}

/// A core has read the line before it wrote to it, so on the machine that is meant it is still there: it was fetched
/// less than the on-chip caches' size of misses ago, 0.12 GB against a cache of 192 GB. Here it is 2 MB against some
/// ten: what a miss costs more (Hildebrand et al.: one read of tier 1, one more write of tier 0) is not charged.
void MemoryPort::write_through(const Line& line, Picoseconds now) {
  if (!front_) return counter_->written(line.page, move(line.home.value, line.id, true));
  bring_in(line, true, now);
  move(cache_tier, line.id, true);
}

Demand MemoryPort::take_demand() {
  Demand demand{};
  for (std::size_t k = 0; k < tiers_.size(); ++k) demand[k] = std::exchange(tiers_[k].demand, {});
  if (front_) front_->publish();
  return demand;
}

}  // namespace lbhm::emulator
