// Which pages memory-optimizer promotes and demotes, by the number of scans that found them accessed.
#pragma once

#include <cstddef>
#include <vector>

namespace lbhm::placement {

/// Pages by how many of the scans of a period found them accessed: 0 to scans().
struct ReferenceHistogram {
  std::vector<std::size_t> fast;
  std::vector<std::size_t> slow;

  explicit ReferenceHistogram(std::size_t scans) : fast(scans + 1), slow(scans + 1) {}
  std::size_t scans() const { return fast.size() - 1; }
};

/// Limits of one period, in pages.
struct PeriodLimits {
  std::size_t migration = 0;  ///< one_period_migration_size: both directions together
  double fast_share = 0;      ///< of all pages that are to be in fast memory (dram_percent / 100)
  std::size_t anti_thrash = 0;
};

/// Slow pages found accessed in more than `hot` scans are promoted, of those found in exactly `hot` so many as
/// `hot_rest`; fast pages found in fewer than `cold` are demoted, of those in exactly `cold` so many as `cold_rest`.
struct ReferenceThresholds {
  std::ptrdiff_t hot = 0;
  std::size_t hot_rest = 0;
  std::ptrdiff_t cold = -1;
  std::size_t cold_rest = 0;

  /// Whether the next slow page, found accessed in so many scans, is promoted; counts it.
  bool promotes(std::size_t found) { return takes(static_cast<std::ptrdiff_t>(found) - hot, hot_rest); }
  /// Whether the next fast page is demoted; counts it.
  bool demotes(std::size_t found) { return takes(cold - static_cast<std::ptrdiff_t>(found), cold_rest); }

  /// `beyond`: how far a page is beyond the threshold; at the threshold only the rest is taken.
  static bool takes(std::ptrdiff_t beyond, std::size_t& rest) {
    if (beyond != 0) return beyond > 0;
    if (rest == 0) return false;
    --rest;
    return true;
  }
};

/// GlobalScan.cc of memory-optimizer as of release a5 or soon after: calc_migrate_parameter and anti_thrashing. As many
/// pages go up as go down once fast memory holds its share ("1:1", release note a3), more in the direction that is
/// wanting before. Where few pages are hot few go down, as calc_migrate_count of later versions sees to.
ReferenceThresholds thresholds_of(const ReferenceHistogram& pages, const PeriodLimits& limits);

}  // namespace lbhm::placement
