// Machines of more than two tiers: once the fastest tier is planned, what did not fit is planned for the next one
// against the slowest, and so on down ("apply the framework recursively", H2M, CLUSTER 2024, section III-C5).
#pragma once

#include <vector>

#include "runtime/placement/layouts/page_ranges.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

class TierByTier {
 public:
  explicit TierByTier(const PhaseForecast& fastest);

  /// What is left for a middle tier: the pages of `phase`, the forecast of the tier above it, that are not in `taken`,
  /// with the accesses to them. At share 0 a task takes as long as with what was taken so far. `moves`: of the plan so
  /// far, in order.
  PhaseForecast below(const PhaseForecast& phase, std::size_t middle, const PageRanges& taken,
                      const MigrationPlan& moves) const;

  /// The time of each task of a stage with the pages in `taken` in its tier.
  static std::vector<Nanoseconds> times(const PhaseForecast& phase, const PageRanges& taken);

 private:
  const PhaseForecast& fastest_;
  std::vector<AccessCount> totals_;  // accesses by task
};

}  // namespace lbhm::placement
