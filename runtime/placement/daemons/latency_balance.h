// How many of the accesses should move from one tier to the other so that both answer equally fast: the controller of
// Colloid (Vuppalapati, Agarwal, SOSP '24, section 3.2, Algorithm 2; constants and cases as in the authors'
// colloid-mon.c).
#pragma once

#include "runtime/base/units.h"

namespace lbhm::placement {

class LatencyBalance {
 public:
  static constexpr double delta = 0.05;    ///< COLLOID_DELTA_PERCENT: latencies that differ by less are equal
  static constexpr double epsilon = 0.01;  ///< COLLOID_EPSILON_PERCENT: p_lo and p_hi have met
  /// Weight of the last quantum: 50 looks, 10 ms apart (SAMPLE_INTERVAL_MS), of weight 1/16 (EWMA_EXP 4) each.
  static constexpr double newest = 0.96;

  /// What a tier was asked for in one quantum.
  struct Load {
    AccessCount accesses;
    Nanoseconds latency;  ///< mean, queueing included
  };

  /// Latencies that are taken while a tier is not used: the idle ones.
  LatencyBalance(Nanoseconds fast_idle, Nanoseconds slow_idle) : fast_{.idle = fast_idle}, slow_{.idle = slow_idle} {}

  /// Ends a quantum.
  void observe(const Load& fast, const Load& slow);

  /// Does the fast tier answer first?
  bool fast_is_faster() const { return fast_.latency() < slow_.latency(); }
  /// By how much p, the share of accesses that the fast tier serves, is to change: up if fast_is_faster(), else down.
  double shift() const { return shift_; }
  /// Accesses of a quantum.
  AccessCount accesses() const { return AccessCount(fast_.accesses + slow_.accesses); }

 private:
  struct OneTier {
    Nanoseconds idle;
    double occupancy = 0, accesses = 0;  ///< smoothed; occupancy: summed latencies (Little's law: N = rate * latency)
    Nanoseconds latency() const { return accesses > 0 ? Nanoseconds(occupancy / accesses) : idle; }
    void observe(const Load& load);
  };

  OneTier fast_, slow_;
  double low_ = 0, high_ = 1;  ///< p_lo, p_hi: the p that balances lies between
  double shift_ = 0;
};

}  // namespace lbhm::placement
