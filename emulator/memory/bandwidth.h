// How threads share the bandwidth of a tier within a quantum, and how its latency rises with its use.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "emulator/base/time.h"
#include "emulator/description/preset.h"

namespace lbhm::emulator {

/// How long each tier would be busy with one core's transfers if it had nothing else to do.
using Demand = std::array<Picoseconds, maximum_tiers>;

/// What one line costs a tier.
struct LineCost {
  Picoseconds read = 0;
  Picoseconds write = 0;
};

LineCost line_cost(const Tier& tier);

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
//   latency = idle latency x g(u),  g(u) = 1 + a u / (1 - u)        (the waiting time of an M/M/1 queue has this shape)
//
// u is the part of the tier's bandwidth in use; a follows from the machine file's ratio at u = 0.9. Cores that wait
// longer ask for less, so u is smoothed over some quanta: otherwise load and latency would swing against each other.

class TierLoad {
 public:
  static constexpr double highest_use = 0.95;
  static constexpr unsigned factor_bits = 10;

  explicit TierLoad(const MachineDescription& machine);

  /// A quantum is settled: `demand` was asked for by all cores together, and the latest clock is `now`. Called under
  /// the quantum's lock; what it decides depends on virtual time alone.
  void settled(const Demand& demand, Picoseconds now);

  /// g(u) of now. Changes at the ends of quanta only.
  Picoseconds loaded(Picoseconds latency, std::size_t tier) const {
    return latency * factor_[tier].load(std::memory_order_relaxed) >> factor_bits;
  }
  double use(std::size_t tier) const { return use_[tier]; }
  /// All demand so far. Any thread.
  Picoseconds busy(std::size_t tier) const { return busy_[tier].load(std::memory_order_relaxed); }

  /// a u / (1 - u) + 1, where the factor at u = 0.9 is `ratio_at_90`.
  static double g(double use, double ratio_at_90);

 private:
  static constexpr double weight = 1.0 / 8;  // of the newest quantum

  const Picoseconds quantum_;
  std::array<double, maximum_tiers> ratio_{};
  std::array<double, maximum_tiers> use_{};
  std::array<std::atomic<std::uint32_t>, maximum_tiers> factor_;
  Demand demand_{};  // since the last update
  std::array<std::atomic<Picoseconds>, maximum_tiers> busy_{};
  Picoseconds updated_ = 0;
};

}  // namespace lbhm::emulator
