// The wait between two scans of memory-optimizer (sys-refs), which adapts to how many pages scans find accessed.
#pragma once

#include "runtime/placement/interval_fit.h"

namespace lbhm::placement {

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
