// How threads share the bandwidth of a tier within a quantum, and how its latency rises with its use.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "emulator/base/time.h"
#include "emulator/description/curves.h"
#include "emulator/description/preset.h"

namespace lbhm::emulator {

/// What was read and written of a tier, as the time that it takes at the bandwidth of reading and of writing.
struct Transfers {
  Picoseconds read = 0;
  Picoseconds written = 0;

  /// If reads and writes take turns.
  Picoseconds in_turns() const { return read + written; }
  Transfers& operator+=(const Transfers& other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const Transfers&) const = default;
};

/// What a core moves, by tier.
using Demand = std::array<Transfers, maximum_tiers>;

/// What one line costs a tier.
struct LineCost {
  Picoseconds read = 0;
  Picoseconds write = 0;
};

LineCost line_cost(const Tier& tier);

/// What each core's transfers are of the time that a tier is busy with all of them: as their part of all if they took
/// turns.
class PartOfBusy {
 public:
  PartOfBusy(const Transfers& all, Picoseconds busy) : all_(all.in_turns()), busy_(busy) {}
  Picoseconds of(const Transfers& own) const {
    const Picoseconds turns = own.in_turns();
    return busy_ == all_ ? turns : static_cast<Picoseconds>(static_cast<double>(turns) * ratio());
  }

 private:
  double ratio() const { return static_cast<double>(busy_) / static_cast<double>(all_); }

  Picoseconds all_;
  Picoseconds busy_;
};

/// What copying a page takes, and how long each tier is busy with it.
struct PageCopy {
  Picoseconds read = 0;
  Picoseconds write = 0;
  Picoseconds time = 0;
};

PageCopy page_copy(const MachineDescription& machine, std::size_t from, std::size_t to);

/// Processor sharing: every core that still has transfers under way gets the same part of the tier. All start at 0;
/// `demands[i]` becomes the time at which core i is served:  t_i = sum over j of min(d_i, d_j).
void share_tier(std::span<Picoseconds> demands);

/// What is left of each core's transfers when the tier has served them for `duration` in that way.
void serve_tier(std::span<Picoseconds> demands, Picoseconds duration);

// Loaded latency:
//
//   latency = idle latency x g(u)
//
// u is the part of the tier's time in use. g is what the machine file has measured of the tier (Curves), by u and by
// the share of reads; without a measurement
//
//   g(u) = 1 + a u / (1 - u)        (the waiting time of an M/M/1 queue has this shape)
//
// where a follows from the file's ratio at u = 0.9. With curves, what is left to do of earlier quanta counts as use,
// too.
//
// Cores that wait longer ask for less, so u is an average over quanta, the newest one with the weight 1/8. Steep curves
// would make it swing all the same. Where it comes to rest depends on how much of what is asked for waits: if nothing
// does, at the newest quantum's use n; if all does, n g(u) is what is asked for whatever u is, and it rests at the r
// with r g(r) = n g(u). So the average goes no further than r, and comes to rest from one side, however steep g is, if
// the tier can serve what is asked for. What it cannot, at first, when cores ask as if it were idle, keeps the use
// above r until it is served.

class TierLoad {
 public:
  static constexpr double highest_use = 0.95;  ///< of the formula, which has no end
  static constexpr unsigned factor_bits = 10;

  explicit TierLoad(const MachineDescription& machine);

  /// How long the tier is busy with all that was asked of it in a quantum.
  Picoseconds busy_with(std::size_t tier, const Transfers& all) const;

  /// A quantum is settled: `demand` was asked for by all cores together, and the latest clock is `now`. Called under
  /// the quantum's lock; what it decides depends on virtual time alone.
  void settled(const Demand& demand, Picoseconds now);

  /// g(u) of now. Changes at the ends of quanta only.
  Picoseconds loaded(Picoseconds latency, std::size_t tier) const {
    return latency * factor_[tier].load(std::memory_order_relaxed) >> factor_bits;
  }
  double use(std::size_t tier) const { return tiers_[tier].use; }
  /// How long it was busy so far. Any thread.
  Picoseconds busy(std::size_t tier) const { return busy_[tier].load(std::memory_order_relaxed); }

  /// a u / (1 - u) + 1, where the factor at u = 0.9 is `ratio_at_90`.
  static double g(double use, double ratio_at_90);

 private:
  struct Lines {  // bytes, or their averages
    double read = 0;
    double written = 0;
    double share() const { return read + written > 0 ? read / (read + written) : 1; }
  };
  struct OneTier {
    TierDetail detail;
    double read_bandwidth = 0;
    double write_bandwidth = 0;
    double use = 0;
    Lines lines;           ///< averages, as the use
    Picoseconds busy = 0;  ///< since the last update, like the next one
    Transfers transfers;
    Picoseconds left = 0;  ///< what it was asked for before, and had no time for

    Lines bytes(const Transfers& of) const {
      return {static_cast<double>(of.read) * read_bandwidth, static_cast<double>(of.written) * write_bandwidth};
    }
    void update(Picoseconds elapsed, Picoseconds quantum);
    double no_further_than_rest(double next, double newest) const;
    double factor() const;
  };

  static constexpr double weight = 1.0 / 8;  // of the newest quantum

  const Picoseconds quantum_;
  std::array<OneTier, maximum_tiers> tiers_;
  std::array<std::atomic<std::uint32_t>, maximum_tiers> factor_;
  std::array<std::atomic<Picoseconds>, maximum_tiers> busy_{};
  Picoseconds updated_ = 0;
};

}  // namespace lbhm::emulator
