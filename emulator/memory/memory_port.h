// The way of one core to the memory: what an access that missed all caches costs, in time and in bandwidth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "emulator/description/preset.h"
#include "emulator/memory/bandwidth.h"
#include "emulator/memory/device_buffer.h"
#include "emulator/memory/memory_cache.h"
#include "emulator/memory/page_counter.h"
#include "emulator/memory/page_map.h"

namespace lbhm::emulator {

class MemoryPort {
 public:
  struct Line {
    LineId id = no_line;
    PageId page = 0;
    TierId home = no_tier;  ///< the tier of its page
  };
  struct Served {
    TierId tier;  ///< where the line came from
    Picoseconds latency = 0;
  };

  MemoryPort(const MachineDescription& machine, PageMap& pages, std::uint64_t core);

  /// A line is read. `neighbour`: it follows the last one. `waited_for`: nobody asked for it ahead of time, so that its
  /// latency is the loaded one; a prefetcher runs further ahead as the memory gets slower.
  [[gnu::always_inline]] Served read(const Line& line, bool neighbour, bool waited_for, Picoseconds now) {
    if (front_) [[unlikely]]
      return read_through(line, neighbour, waited_for, now);
    const Picoseconds busy = move(line.home.value, line.id, false);
    if (counter_ != nullptr) [[unlikely]]
      counter_->read(line.page, busy);
    return {.tier = line.home, .latency = latency(line.home.value, neighbour, waited_for)};
  }
  /// A line goes back to memory.
  [[gnu::always_inline]] void write(const Line& line, Picoseconds now) {
    if (front_) [[unlikely]]
      return write_through(line, now);
    const Picoseconds busy = move(line.home.value, line.id, true);
    if (counter_ != nullptr) [[unlikely]]
      counter_->written(line.page, busy);
  }
  void count(PageCounter& counter) { counter_ = &counter; }

  /// Transfers since the last call; what this core changed in a cache of all cores is known to them at the quantum's
  /// end.
  Demand take_demand();
  void add_demand(std::size_t tier, Picoseconds time) { demand_[tier] += time; }

 private:
  struct Timing {
    Picoseconds sequential = 0;
    Picoseconds random = 0;
    LineCost line;
    double overlap = 0;
    Picoseconds written = 0;  ///< part of the demand
    DeviceBuffer buffer;
  };

  // NOLINTBEGIN(bugprone-unchecked-optional-access): the tiers of the machine are there, and no others are asked for.
  /// Returns how long the tier is busy with the line.
  [[gnu::always_inline]] Picoseconds move(std::size_t tier, LineId line, bool write) {
    Timing& timing = *tiers_[tier];
    const Picoseconds busy = timing.buffer.lines_moved(line, write) * (write ? timing.line.write : timing.line.read);
    (write ? timing.written : demand_[tier]) += busy;
    return busy;
  }
  [[gnu::always_inline]] Picoseconds latency(std::size_t tier, bool neighbour, bool loaded) const {
    const Picoseconds idle = neighbour ? tiers_[tier]->sequential : tiers_[tier]->random;
    return loaded ? pages_.load().loaded(idle, tier) : idle;
  }
  // NOLINTEND(bugprone-unchecked-optional-access)
  Served read_through(const Line& line, bool neighbour, bool waited_for, Picoseconds now);
  void write_through(const Line& line, Picoseconds now);
  /// What the line pushes out of tier 0. False: it was there.
  bool bring_in(const Line& line, bool write, Picoseconds now);

  PageMap& pages_;
  PageCounter* counter_ = nullptr;
  std::array<std::optional<Timing>, maximum_tiers> tiers_;
  std::optional<MemoryCacheView> front_;  // in memory-mode
  Demand demand_{};                       ///< of reads
};

}  // namespace lbhm::emulator
