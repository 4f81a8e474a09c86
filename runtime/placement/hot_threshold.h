// Which pages are hot, warm and cold: MEMTIS's thresholds (Lee et al., SOSP '23, section 4.2; the steps and figures are
// those of the authors' __adjust_active_threshold in htmm_core.c).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/placement/page_counters.h"

namespace lbhm::placement {

class HotThreshold {
 public:
  static constexpr unsigned lowest = 1;       ///< htmm_thres_hot: a page that was never sampled is never hot
  static constexpr double full_share = 0.75;  ///< hot pages that fill less of the fast memory leave it to warm ones

  /// Pages in this bin and above are hot.
  unsigned hot() const { return hot_; }
  /// Pages in this bin and above are not demoted.
  unsigned warm() const { return warm_; }

  /// The counters were halved.
  void cooled() { cooled_ = true; }
  /// As many of the hottest bins are hot as fit into `capacity` pages. Upwards at once; downwards one bin after each
  /// cooling.
  void adapt(const std::array<std::uint64_t, PageCounters::bins>& histogram, std::uint64_t capacity) {
    unsigned bin = PageCounters::bins;
    std::uint64_t pages = 0;
    while (bin > 0 && pages + histogram[bin - 1] <= capacity) pages += histogram[--bin];
    const unsigned fits = std::clamp(bin, lowest, PageCounters::bins - 1);
    if (cooled_) {
      if (fits < hot_ && hot_ > lowest) --hot_;
      cooled_ = false;
    } else {
      hot_ = std::max(hot_, fits);
    }
    const bool room = static_cast<double>(pages) < full_share * static_cast<double>(capacity);
    warm_ = room ? hot_ - 1 : hot_;
  }

 private:
  unsigned hot_ = lowest;
  unsigned warm_ = lowest;
  bool cooled_ = false;
};

}  // namespace lbhm::placement
