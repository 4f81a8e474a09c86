// What MEMTIS knows of the pages at a wake-up: counters from samples, thresholds, where each page is.
// Used by the policies memtis and colloid.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/placement/hot_threshold.h"
#include "runtime/placement/page_counters.h"
#include "runtime/placement/placement.h"
#include "runtime/placement/sample_budget.h"

namespace lbhm::placement {

/// The pages of one tier by bin, in each bin by address; with the counter of each.
struct PageBins {
  struct Page {
    std::uintptr_t address;
    std::uint64_t count;
  };
  std::array<std::vector<Page>, PageCounters::bins> bins;

  /// Pages in bins [first, last).
  std::uint64_t size(unsigned first, unsigned last) const {
    std::uint64_t pages = 0;
    for (unsigned bin = first; bin < last; ++bin) pages += bins[bin].size();
    return pages;
  }
};

class HotPages {
 public:
  /// Footprint of the largest workloads of the original: bench_cmds/XSBench.sh gives 21,800 MB at 1:2.
  static constexpr Bytes published_footprint{std::uint64_t{65'400'000'000}};
  static constexpr Nanoseconds wake_up{500e6};      ///< htmm_demotion_period_in_ms, htmm_promotion_period_in_ms
  static constexpr double cooling_samples = 2e6;    ///< htmm_cooling_period
  static constexpr double adapting_samples = 1e5;   ///< htmm_adaptation_period
  static constexpr Bytes cooling_growth = GiB(10);  ///< htmm_thres_cooling_alloc: new pages that cool, too
  static constexpr Nanoseconds quota_check{15e9};   ///< cpucap_period of htmm_sampler.c
  static constexpr double low_watermark = 0.02;     ///< get_memcg_demotion_watermark, of the fast memory
  static constexpr double high_watermark = 0.03;    ///< get_memcg_promotion_watermark

  /// A new object. From any thread.
  void born(std::uintptr_t address);
  /// Takes the samples of this wake-up in, and looks where the pages are. `pace` stretches all times.
  void update(PolicyContext& context, std::span<const AccessSample> samples, double pace);

  const HotThreshold& threshold() const { return threshold_; }
  const PageBins& fast() const { return fast_; }
  const PageBins& slow() const { return slow_; }
  std::uint64_t total() const { return counters_.total(); }
  std::uint64_t hot_in_slow() const { return slow_.size(threshold_.hot(), PageCounters::bins); }
  /// Free pages of the fast memory, and how many have to stay free after demotions.
  std::uint64_t free_pages() const { return free_; }
  std::uint64_t low() const { return low_; }
  std::uint64_t high() const { return high_; }

 private:
  void follow(std::span<const PlacedObject> objects, Bytes page);
  void find_pages(Machine& machine);
  void count(std::span<const AccessSample> samples, double period_factor);
  void adapt();
  void cool();

  PageCounters counters_;
  HotThreshold threshold_;
  SampleBudget budget_;
  PageBins fast_, slow_;
  std::uint64_t grown_ = 0;  ///< pages that appeared since that last cooled
  std::uint64_t managed_fast_ = 0, free_ = 0, low_ = 0, high_ = 0;
  double counted_ = 0, cooled_at_ = 0, adapted_at_ = 0;
  Nanoseconds checked_;
  std::mutex lock_;
  std::vector<std::uintptr_t> born_;
};

}  // namespace lbhm::placement
