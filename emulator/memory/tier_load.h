// How long a tier is busy with what is asked of it, and how its latency rises with its use.
//
//   latency = idle latency x g(u)
//
// u is the part of the tier's time in use. g is what the machine file has measured of the tier (Curves), by u and by
// the share of reads; without a measurement
//
//   g(u) = 1 + a u / (1 - u)        (the waiting time of an M/M/1 queue has this shape)
//
// where a follows from the file's ratio at u = 0.9.
//
// Cores that wait longer ask for less, so u is an average over quanta, the newest one with the weight 1/8. Steep curves
// would make it swing all the same. Where it comes to rest depends on how much of what is asked for waits: if nothing
// does, at the newest quantum's use n; if all does, n g(u) is what is asked for whatever u is, and it rests at the r
// with r g(r) = n g(u). So the average goes no further than r, and comes to rest from one side, however steep g is.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "emulator/base/time.h"
#include "emulator/description/curves.h"
#include "emulator/description/preset.h"
#include "emulator/memory/bandwidth.h"

namespace lbhm::emulator {

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
  struct Tier {
    TierDetail detail;
    double read_bandwidth = 0;
    double write_bandwidth = 0;
    double use = 0;
    Lines lines;           ///< averages, as the use
    Picoseconds busy = 0;  ///< since the last update, like the next one
    Transfers transfers;

    Lines bytes(const Transfers& of) const {
      return {static_cast<double>(of.read) * read_bandwidth, static_cast<double>(of.written) * write_bandwidth};
    }
    void update(Picoseconds elapsed, Picoseconds quantum);
    double no_further_than_rest(double next, double newest) const;
    double factor() const;
  };

  static constexpr double weight = 1.0 / 8;  // of the newest quantum

  const Picoseconds quantum_;
  std::array<Tier, maximum_tiers> tiers_;
  std::array<std::atomic<std::uint32_t>, maximum_tiers> factor_;
  std::array<std::atomic<Picoseconds>, maximum_tiers> busy_{};
  Picoseconds updated_ = 0;
};

}  // namespace lbhm::emulator
