// What a nanosecond of each lane's time is worth: learned from who waits at barriers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "runtime/base/values.h"

namespace lbhm::placement {

/// The end of a round is its last lane's. Which one that is, is a game against the placement, and multiplicative
/// weights find its prices (Freund and Schapire, Games and Economic Behavior 29, 1999): who waited at the barrier for a
/// part of the round loses weight by it, at the rate sqrt(8 ln n / rounds). After k rounds the next one is another one
/// with chance 1 / (1 + k) (Gott, Nature 363, 1993), and so much of the weight is dealt out anew (fixed share: Herbster
/// and Warmuth, Machine Learning 32, 1998).
class LanePrices {
 public:
  /// `team`: that is under way now; where there is none, those work that these samples are of. Rounds that are shorter
  /// than `shortest` are not told apart: nothing can be adapted to them.
  void look(const std::optional<RunningTeam>& team, std::span<const AccessSample> samples, Nanoseconds now,
            Nanoseconds shortest);
  /// Of a round, in the mean.
  Nanoseconds round_time() const { return round_time_; }
  /// The lanes that wait for others of the round, and the part of the horizon that is left for each when it has ended.
  /// A round that has taken longer than the mean goes on for as long again (Gott).
  std::map<LaneId, double> waiting(Nanoseconds horizon) const;
  /// Of all lanes that have worked since the last look 1 together.
  double price(LaneId lane) const;

 private:
  static constexpr double part = 1.0 / 8;  ///< of means: what is newest. As TCP's of round trips (RFC 6298)
  struct Region {
    std::vector<double> weight;  ///< by lane; 1 in the mean
    double rounds = 0;
  };
  void end_round(std::uint32_t number, Nanoseconds shortest);
  double weight(std::size_t lane) const;

  std::map<std::uint32_t, Region> regions_;
  std::optional<RunningTeam> team_;
  std::vector<Nanoseconds> waited_, idle_;  ///< since the last look, and in this round, by lane
  Nanoseconds begin_, looked_, elapsed_, round_time_;
  double rounds_ = 0;
  double working_ = 0;  // weight of those that worked since the last look
};

}  // namespace lbhm::placement
