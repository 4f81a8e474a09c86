// TPP's daemon (policy tpp has its source), whoever says which promotions it may make: hint faults on pages of slow
// nodes, promotion at the second one, demotion at a watermark. Used by the policies tpp and alto.
#pragma once

#include <functional>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/daemons/linux_lists.h"
#include "runtime/placement/daemons/linux_reclaim.h"

namespace lbhm::placement {

class TppDaemon {
 public:
  // Linux scans scan_size_mb (256) each scan period of a task. The period is scan_period_min_ms (1,000) over the
  // windows of 256 MB in its memory, but 100 ms at least (MAX_SCAN_WINDOW, 2,560 MB/s); the longest is
  // scan_period_max_ms (60,000) over the windows, but not below the shortest. From 150 GB on both are 100 ms: nothing
  // is left to adapt.
  static constexpr Bytes scan_size = MiB(256);
  static constexpr Nanoseconds scan_period{100e6};
  static constexpr Nanoseconds scan_delay{1e9};                              // scan_delay_ms
  static constexpr double demotion_watermark = 0.02;                         // demote_scale_factor (5.2)
  static constexpr BytesPerNanosecond promotion_rate{65536 * 0x1p20 / 1e9};  // numa_balancing_promote_rate_limit_MBps
  static constexpr Nanoseconds promotion_burst{1e9};                         // the limit counts by the second

  /// Of a fault on an active page of a slow node: may the page be promoted?
  using Regulation = std::function<bool(const HintFault&)>;

  explicit TppDaemon(double pace) : pace_(pace) {}

  /// Demotes, promotes, scans on. Without a regulation all pages that are due are promoted.
  void run(PolicyContext& context, const Regulation& may_promote = {});

 private:
  void promote(PolicyContext& context, Nanoseconds now, const Regulation& may_promote);
  void arm(PolicyContext& context, Nanoseconds now);

  double pace_;
  LinuxReclaim reclaim_;
  RateLimit limit_{promotion_rate, promotion_burst};
  HintScan scan_;
};

}  // namespace lbhm::placement
