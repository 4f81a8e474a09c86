// What the kernel threads of MEMTIS do whatever decides on promotions: wake up, take samples, demote at watermarks.
// Used by the policies memtis, colloid and lbhm.
#pragma once

#include <vector>

#include "runtime/placement/hot_pages.h"

namespace lbhm::placement {

class MemtisDaemon {
 public:
  explicit MemtisDaemon(double pace) : pace_(pace) {}
  HotPages& pages() { return pages_; }
  const HotPages& pages() const { return pages_; }

  /// Looks at the clock; at a wake-up drains the samples and brings pages() up to date. False: not yet, or the machine
  /// has no samples.
  bool wake_up(PolicyContext& context);
  /// The samples of this wake-up, and the time since the last one.
  const std::vector<AccessSample>& samples() const { return samples_; }
  Nanoseconds elapsed() const { return elapsed_; }

  /// Cold pages go, as many hot ones come, the hottest first.
  MigrationPlan exchange(Bytes page);

  /// need_toptier_demotion and demote_node of htmm_migrater.c: room for `wanted` pages and the high watermark, or for
  /// the watermark alone when the low one is passed. Cold pages go, the coldest first; then warm ones, if that leaves
  /// too little room for what is wanted (MEMTIS demotes those one wake-up later). Returns how many pages may come in.
  std::uint64_t demote_cold(std::uint64_t wanted, Bytes page, MigrationPlan& plan);

 private:
  HotPages pages_;
  std::vector<AccessSample> samples_;
  Nanoseconds last_, elapsed_;
  double pace_;
};

}  // namespace lbhm::placement
