// The way of one core to the memory: what an access that missed all caches costs, in time and in bandwidth.
//
// Some memories work in blocks larger than a line.
// Optane modules read and write 256-byte blocks. A buffer in the module holds the last blocks, so that accesses to
// neighbouring lines move a block once, and an access to one line alone moves four times what it asked for.
// Izraelevitz et al., "Basic Performance Measurements of the Intel Optane DC Persistent Memory Module",
// arXiv:1903.05714; Yang et al., "An Empirical Guide to the Behavior and Use of Scalable Persistent Memory", FAST 2020.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "emulator/base/private_memory.h"
#include "emulator/description/preset.h"
#include "emulator/memory/bandwidth.h"
#include "emulator/memory/memory_cache.h"
#include "emulator/memory/page_map.h"
#include "emulator/parts/cache.h"
#include "emulator/parts/page_counter.h"

namespace lbhm::emulator {

/// One core's part of the buffer of one tier: sets of four blocks, the oldest out first.
class DeviceBuffer {
 public:
  /// Of a device that moves lines.
  DeviceBuffer() : DeviceBuffer(Bytes(std::int64_t{1} << line_bits), Bytes(0)) {}
  DeviceBuffer(Bytes granularity, Bytes buffer)
      : lines_(static_cast<std::uint32_t>(granularity.value >> line_bits)),
        block_shift_(static_cast<unsigned>(std::countr_zero(lines_))),
        set_count_(std::max<std::uint64_t>(buffer.value / granularity.value / ways, 1)),
        sets_(set_count_) {}

  /// How many lines the device moves for an access to this one.
  [[gnu::always_inline]] std::uint32_t lines_moved(LineId line, bool write) {
    if (lines_ == 1) return 1;
    // Blocks that were read and blocks that are being written are counted apart: each is moved once.
    const std::uint32_t block = (line >> block_shift_) << 1 | static_cast<std::uint32_t>(write);
    // Streams that are a power of two apart use different sets.
    constexpr std::uint32_t golden = 0x9e3779b1;
    const std::uint32_t hash = block * golden;
    Set& set = sets_[std::uint64_t{hash} * set_count_ >> 32];
    const Set held = set;
    const Bits bits = __builtin_convertvector(held == block, Bits);
    std::uint8_t matches = 0;
    std::memcpy(&matches, &bits, sizeof(bits));
    const bool known = (matches & ((1u << ways) - 1)) != 0;
    // The newest block stands first. Read and written as a whole: a narrow store would make the next wide load wait.
    const Set brought_in = __builtin_shufflevector(Set{block}, held, 0, 4, 5, 6);
    set = known ? held : brought_in;
    return known ? 0 : lines_;
  }

 private:
  static constexpr std::uint32_t ways = 4;
  using Set = std::uint32_t __attribute__((vector_size(4 * ways)));  // blocks
  using Bits = bool __attribute__((ext_vector_type(ways)));

  std::uint32_t lines_;
  unsigned block_shift_;
  std::uint64_t set_count_;
  PrivateVector<Set> sets_;
};

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
    if (!plain_) [[unlikely]]
      return read_through(line, neighbour, waited_for, now);
    move(line.home.value, line.id, false);
    return {.tier = line.home, .latency = latency(line.home.value, neighbour, waited_for)};
  }
  /// A line goes back to memory.
  [[gnu::always_inline]] void write(const Line& line, Picoseconds now) {
    if (!plain_) [[unlikely]]
      return write_through(line, now);
    move(line.home.value, line.id, true);
  }
  void count(PageCounter& counter) {
    counter_ = &counter;
    plain_ = false;
  }

  /// Transfers since the last call; what this core changed in a cache of all cores is known to them at the quantum's
  /// end.
  Demand take_demand();
  void add_demand(std::size_t tier, const Transfers& more) { tiers_[tier].demand += more; }

 private:
  struct Port {
    std::array<Picoseconds, 2> latency{};  // of a line somewhere, of the next one
    LineCost line;
    Transfers demand;
    DeviceBuffer buffer;
  };

  /// Returns how long the tier is busy with the line.
  [[gnu::always_inline]] Picoseconds move(std::size_t tier, LineId line, bool write) {
    Port& port = tiers_[tier];
    const Picoseconds busy = port.buffer.lines_moved(line, write) * (write ? port.line.write : port.line.read);
    (write ? port.demand.written : port.demand.read) += busy;
    return busy;
  }
  [[gnu::always_inline]] Picoseconds latency(std::size_t tier, bool neighbour, bool loaded) const {
    const Picoseconds idle = tiers_[tier].latency[static_cast<std::size_t>(neighbour)];
    return loaded ? load_.loaded(idle, tier) : idle;
  }
  // In memory-mode, or where uses are counted by page.
  Served read_through(const Line& line, bool neighbour, bool waited_for, Picoseconds now);
  void write_through(const Line& line, Picoseconds now);
  /// What the line pushes out of tier 0. False: it was there.
  bool bring_in(const Line& line, bool write, Picoseconds now);

  PageMap& pages_;
  const TierLoad& load_;
  std::array<Port, maximum_tiers> tiers_;
  PageCounter* counter_ = nullptr;
  std::optional<MemoryCacheView> front_;  // in memory-mode
  bool plain_ = true;                     // nothing is counted by page, and nothing lies in front
};

}  // namespace lbhm::emulator
