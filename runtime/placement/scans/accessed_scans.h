// How memory-optimizer (sys-refs) uses scans of accessed bits: which pages go up and down by the number of scans that
// found them, and the wait between two scans, which adapts to how many pages they find.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm::placement {

// Which pages memory-optimizer promotes and demotes, by the number of scans that found them accessed.

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

// How long to wait between two scans so that a wanted number of pages is found accessed.
// memory-optimizer, IntervalFitting.h: a line through the nearest known points on both sides of the target.

class IntervalFit {
 public:
  /// After `waited` so many pages were found accessed.
  void add(Nanoseconds waited, double pages) {
    std::erase_if(points_, [&](const Point& point) { return point.waited == waited; });
    points_.push_back({waited, pages});
    if (points_.size() > remembered) points_.pop_front();
  }

  /// The interval after which `target` pages should be found; nothing without a point.
  std::optional<Nanoseconds> estimate(double target) const {
    const Point* above = nullptr;  // the nearest
    const Point* below = nullptr;
    for (const Point& point : points_) {
      const Point*& side = point.pages >= target ? above : below;
      if (!side || std::abs(point.pages - target) <= std::abs(side->pages - target)) side = &point;
    }
    if (!above && !below) return std::nullopt;
    if (!above || !below) return in_proportion(above ? *above : *below, target);
    const double slope = (above->pages - below->pages) / (above->waited.value - below->waited.value);
    return Nanoseconds(below->waited.value + (target - below->pages) / slope);
  }

 private:
  struct Point {
    Nanoseconds waited;
    double pages = 0;
  };
  static constexpr std::size_t remembered = 10;  // assumption: the instantiation gives the number

  /// With points on one side only: at most tenfold, at least a fifth (IntervalFitting.h, pure_liner_x).
  static Nanoseconds in_proportion(const Point& point, double target) {
    return point.waited * std::clamp(target / (point.pages + 1), 0.2, 10.0);
  }

  std::deque<Point> points_;  // the newest last
};

// The wait between two scans of memory-optimizer (sys-refs), which adapts to how many pages scans find accessed.

class ScanInterval {
 public:
  /// How many pages a scan found accessed, of those that it was to find: slow ones, unless nearly all are fast.
  struct Scan {
    double found = 0;
    double target = 0;
  };
  struct Limits {
    Nanoseconds first;
    Nanoseconds longest;
  };

  /// A scan was made now. GlobalScan.cc, update_interval.
  void scanned(Nanoseconds now, Scan scan, Limits limits) {
    const bool first = last_scan_ == Nanoseconds(0);
    const Nanoseconds waited = now - last_scan_;
    last_scan_ = now;
    if (first) {
      interval_ = limits.first;
      return;
    }
    fit_.add(waited, scan.found);
    interval_ = std::min(fit_.estimate(scan.target).value_or(interval_), limits.longest);
  }

  Nanoseconds value() const { return interval_; }

 private:
  Nanoseconds last_scan_;
  Nanoseconds interval_;
  IntervalFit fit_;
};

}  // namespace lbhm::placement
