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
  std::size_t slack = 0;      ///< so far from its share fast memory may be without being out of balance
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
};

/// True if fast memory holds another share of the pages than it should.
bool out_of_balance(const ReferenceHistogram& pages, const PeriodLimits& limits);

/// GlobalScan.cc of memory-optimizer: calc_migrate_count, calc_migrate_parameter and anti_thrashing. As many pages go
/// up as go down once fast memory holds its share ("1:1", release note a3), more in the direction that is wanting
/// before; only pages found in all scans go up as long as slow memory does not hold too much.
ReferenceThresholds thresholds_of(const ReferenceHistogram& pages, const PeriodLimits& limits);

}  // namespace lbhm::placement
