// What a nanosecond of each lane's time is worth: learned from who waits at barriers.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "runtime/base/values.h"

namespace lbhm::placement {

/// The end of a round is its last lane's. Which one that is, is a game against the placement, and multiplicative
/// weights find its prices (Freund and Schapire, Games and Economic Behavior 29, 1999): who waited at the barrier for a
/// part of the round loses weight by it, at the rate sqrt(8 ln n / rounds). After k rounds the next one is another one
/// with chance 1 / (1 + k) (Gott, Nature 363, 1993), and so much of the weight is dealt out anew (fixed share: Herbster
/// and Warmuth, Machine Learning 32, 1998).
class LanePrices {
 public:
  /// Rounds that are shorter than `shortest` are not told apart: nothing can be adapted to them. A round ends when
  /// another region runs, at `phase_began`, and when most of those that waited work again.
  void look(std::span<const AccessSample> samples, const std::optional<RunningRegion>& running, bool phase_began,
            Nanoseconds now, Nanoseconds elapsed, Nanoseconds shortest);
  /// Of a round, in the mean.
  Nanoseconds round_time() const { return round_time_; }
  /// The lanes that wait for others of the round, and the part of the horizon that is left for each when it has ended.
  /// A round that has taken longer than the mean goes on for as long again (Gott).
  std::map<LaneId, double> waiting(Nanoseconds horizon) const;
  /// Of all lanes that work together 1.
  double price(LaneId lane) const;

 private:
  static constexpr double part = 1.0 / 8;  ///< of means: what is newest. As TCP's of round trips (RFC 6298)
  struct Lane {
    Nanoseconds gap, seen{-1};  ///< between two samples; the last one
    double idle = 0;            ///< in this round
    bool waits = false;         ///< for the whole time since the last look
    bool worked = false;        ///< in this round
  };
  struct Region {
    std::map<LaneId, double> weight;
    double rounds = 0;
  };
  void see(const AccessSample& sample);
  bool barrier_opened() const;
  void end_round(std::uint32_t region_number, Nanoseconds shortest);
  static double mean_weight(const Region& region);
  double weight(LaneId lane) const;

  std::map<LaneId, Lane> lanes_;
  std::map<LaneId, double> prices_;
  std::map<std::uint32_t, Region> regions_;
  std::optional<RunningRegion> round_;
  Nanoseconds begin_, looked_, round_time_;
  double rounds_ = 0;
  double working_ = 0;  // weight of those that work
};

}  // namespace lbhm::placement
