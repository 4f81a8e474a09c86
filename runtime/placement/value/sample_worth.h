// What samples are worth, in nanoseconds of the program's end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/machine/machine.h"
#include "runtime/placement/value/page_values.h"

namespace lbhm::placement {

/// What the program's end would gain if the accesses that a sample stands for had gone to fast memory: what their lane
/// waits less, at the price of its time, and what slow memory is free earlier for others.
class SampleWorth {
 public:
  /// Samples of an interval follow; `busy`: the part of it in which slow memory was. Where the machine does not say, it
  /// is that of the interval before: what its samples asked of slow memory, lines at its bandwidth (utilization law).
  void begin(const Topology& machine, Nanoseconds interval, std::optional<double> busy);
  /// What lanes did with objects that are gone is forgotten. `extents`: by address.
  void follow(std::span<const PageValues::Extent> extents);
  /// `accesses`: that it stands for. `object`: that it is of. `price`: of the lane's time.
  double of(const AccessSample& sample, double accesses, std::uintptr_t object, double price);

 private:
  /// Samples that means are of; intervals that the use of slow memory is. Assumptions.
  static constexpr double mean_of = 32, intervals = 4;
  struct Walk {
    std::uintptr_t at = 0;
    double count = 0, lines = 0, weight = 0;
  };
  struct Lane {
    Nanoseconds before;                                ///< of its last sample
    double time = 0, latency = 0;                      ///< of its accesses: less time is due to waiting side by side
    double count = 0;                                  ///< accesses
    std::unordered_map<std::uintptr_t, Walk> walks{};  ///< by object
  };
  double lines_of(const AccessSample& sample, double accesses, std::uintptr_t object, Lane& lane) const;
  double wait_saved(const AccessSample& sample, const Lane& lane);
  const Tier& slow() const { return tiers_.back(); }

  std::vector<Tier> tiers_;
  std::vector<double> loads_;    // latencies of each tier, of those when it is idle
  double line_ = 0, block_ = 1;  // bytes; lines
  Nanoseconds prefetched_;
  double use_ = 0;
  Nanoseconds interval_;  ///< that samples are of
  Nanoseconds asked_;     ///< slow memory's time for what was sampled there in it
  std::map<LaneId, Lane> lanes_;
};

}  // namespace lbhm::placement
