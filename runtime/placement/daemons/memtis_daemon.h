// What the kernel threads of MEMTIS know and do whatever decides on promotions (Lee et al., SOSP '23): sampled accesses
// counted by page, which counts are hot, how many samples a thread may handle, demotion at watermarks. Used by the
// policies memtis and colloid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/units.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

// Access counters of pages, and how the pages spread over them: MEMTIS's page access histogram
// (Lee et al., SOSP '23, section 4.1; the sizes are those of the authors' htmm_core.c).

class PageCounters {
 public:
  /// Bin b holds the pages whose counter is in [2^b - 1, 2^(b+1) - 1); the last one also all above.
  static constexpr unsigned bins = 16;
  /// What one sample adds to a page of 4 KiB: a huge page's counter is the sum of its 512 pages, so that a page of 4
  /// KiB with as many samples is 512 times as hot (HPAGE_PMD_NR in update_base_page).
  static constexpr std::uint64_t per_sample = 512;

  /// A counter with this bit is that of a page that was never sampled: it is in no bin, and its newness, which cools as
  /// all counters do, keeps it in fast memory but does not bring it there.
  static constexpr std::uint64_t fresh = std::uint64_t{1} << 63;
  /// The counter of a page that nobody has touched yet.
  static constexpr std::uint64_t untouched = ~std::uint64_t{0};

  /// Counters by page, of each object by its address, and of unmanaged pages by theirs.
  const RangeMap<std::vector<std::uint64_t>>& objects() const { return objects_; }
  const std::unordered_map<std::uintptr_t, std::uint64_t>& unmanaged() const { return unmanaged_counts_; }

  /// Forgets pages of objects that are gone, and takes on those of new objects. From now on pages appear with the
  /// counter `newborn`.
  void follow(std::span<const PlacedObject> objects, Bytes page, std::uint64_t newborn);
  /// The same for unmanaged pages, which have been touched: in this order.
  void follow_unmanaged(std::span<const PageRange> ranges);
  /// The page with this address has been touched.
  void appear(std::uintptr_t address);
  /// The same by its counter.
  void begin(std::uint64_t& counter) const;
  /// The object at this address is a new one, though there may have been one like it before. The histogram knows when
  /// follow() is called next.
  void forget(std::uintptr_t address);
  /// A sampled access. False if the address is in no page that is followed.
  bool count(std::uintptr_t address);
  /// Halves all counters.
  void cool();

  /// Pages by bin.
  const std::array<std::uint64_t, bins>& histogram() const { return histogram_; }
  /// The sum of all counters.
  std::uint64_t total() const;
  /// Addresses of all pages that may have been touched (MachineMemory::touched), and their counters, which stay where
  /// they are until the next follow(): unmanaged pages, then objects by address.
  void list(MachineMemory& memory, std::vector<std::uintptr_t>& pages, std::vector<std::uint64_t*>& counters);

  static unsigned bin_of(std::uint64_t count);
  /// A counter in this bin: 0 or 2^bin (get_accesses_from_idx).
  static std::uint64_t count_in(unsigned bin) { return bin == 0 ? 0 : std::uint64_t{1} << bin; }

 private:
  /// Null if the address is in no page that is followed.
  std::uint64_t* find(std::uintptr_t address);
  void count_bins();
  template <class Visit>
  void for_each(Visit visit) const;

  std::uint64_t page_ = 4096;
  std::uint64_t newborn_ = 0;
  std::array<std::uint64_t, bins> histogram_{};
  RangeMap<std::vector<std::uint64_t>> objects_;                        ///< counters by page
  std::vector<std::uintptr_t> unmanaged_;                               ///< addresses of pages, in order
  std::unordered_map<std::uintptr_t, std::uint64_t> unmanaged_counts_;  ///< of these
};

// Which pages are hot, warm and cold: MEMTIS's thresholds (Lee et al., SOSP '23, section 4.2; the steps and figures are
// those of the authors' __adjust_active_threshold in htmm_core.c).

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

// How many samples a thread may handle: MEMTIS raises the sampling period when its sampling thread needs more than its
// share of a processor, and lowers it when it needs less (Lee et al., SOSP '23, section 4.1.1).

/// The machine's own period is fixed, so that a longer one is had by leaving samples out.
class SampleBudget {
 public:
  static constexpr double quota = 0.030;  ///< ksampled_soft_cpu_quota, of one processor
  static constexpr double slack = 0.005;  ///< no change within it (htmm_sampler.c)
  /// What one sample takes: a walk through the page table and two or three other misses. Assumption.
  static constexpr Nanoseconds per_sample{1000};
  /// pebs_period_list of htmm.h; a step at a time.
  static constexpr std::array periods{199.,  293.,  401.,  499.,  599.,   701.,   797.,   907.,   997.,   1201.,
                                      1399., 1601., 1801., 1999., 2503.,  3001.,  3499.,  4001.,  4507.,  4999.,
                                      6007., 7001., 7993., 9001., 10007., 12007., 13999., 16001., 17989., 19997.};

  /// The share of the machine's samples that is used.
  double share() const { return periods.front() / periods[step_]; }

  /// Is this sample one of those?
  bool admit() {
    credit_ += share();
    if (credit_ < 1) return false;
    credit_ -= 1;
    ++admitted_;
    return true;
  }

  /// Looks at what the thread did in `elapsed` and goes one step. `quota_factor` times the quota is allowed.
  void adjust(Nanoseconds elapsed, double quota_factor = 1) {
    const double used = static_cast<double>(admitted_) * (per_sample / elapsed) / quota_factor;
    if (used > quota + slack && step_ + 1 < periods.size()) ++step_;
    if (used < quota - slack && step_ > 0) --step_;
    admitted_ = 0;
  }

 private:
  std::size_t step_ = 0;
  double credit_ = 0;
  std::size_t admitted_ = 0;
};

// What MEMTIS knows of the pages at a wake-up: counters from samples, thresholds, where each page is.

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
  std::vector<std::uintptr_t> addresses() const {
    std::vector<std::uintptr_t> pages;
    for (const auto& bin : bins) {
      for (const Page& page : bin) pages.push_back(page.address);
    }
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
  /// Nothing is counted, so nobody has to know of new objects.
  void forget_births();
  /// Takes the samples of this wake-up in, and looks where the pages are. `pace` stretches all times.
  void update(PolicyContext& context, std::span<const AccessSample> samples, double pace);

  const HotThreshold& threshold() const { return threshold_; }
  const PageCounters& counters() const { return counters_; }
  const PageBins& fast() const { return fast_; }
  const PageBins& slow() const { return slow_; }
  std::uint64_t total() const { return counters_.total(); }
  std::uint64_t hot_in_slow() const { return slow_.size(threshold_.hot(), PageCounters::bins); }
  /// Free pages of the fast memory, and how many have to stay free after demotions.
  std::uint64_t free_pages() const { return free_; }
  std::uint64_t low() const { return low_; }
  std::uint64_t high() const { return high_; }

 private:
  void follow(PolicyContext& context);
  void find_pages(PolicyContext& context);
  void fill_bins();
  void count(std::span<const AccessSample> samples, double period_factor);
  void adapt();
  void cool();

  PageCounters counters_;
  HotThreshold threshold_;
  SampleBudget budget_;
  // As found at this wake-up: pages, the counter of each, and where it lies.
  std::vector<std::uintptr_t> pages_;
  std::vector<std::uint64_t*> counts_;
  std::vector<TierId> tiers_;
  PageBins fast_, slow_;
  std::uint64_t grown_ = 0;  ///< pages that appeared since that last cooled
  std::uint64_t fast_pages_ = 0, free_ = 0, low_ = 0, high_ = 0;
  double counted_ = 0, cooled_at_ = 0, adapted_at_ = 0;
  Nanoseconds checked_;
  std::mutex lock_;
  std::vector<std::uintptr_t> born_;
};

// The kernel threads themselves: they wake up, take samples, demote at watermarks.

class MemtisDaemon {
 public:
  explicit MemtisDaemon(double pace) : pace_(pace) {}
  HotPages& pages() { return pages_; }
  const HotPages& pages() const { return pages_; }

  /// Looks at the clock; at a wake-up drains the samples and brings pages() up to date. False: not yet, or the machine
  /// has no samples.
  bool wake_up(PolicyContext& context);
  /// Of this wake-up.
  const std::vector<AccessSample>& samples() const { return samples_; }

  /// Cold pages go, as many hot ones come, the hottest first.
  MigrationPlan exchange(Machine& machine);

  /// need_toptier_demotion and demote_node of htmm_migrater.c: room for `wanted` pages and the high watermark, or for
  /// the watermark alone when the low one is passed. Cold pages go, the coldest first; then warm ones, if that leaves
  /// too little room for what is wanted (MEMTIS demotes those one wake-up later). They go to the next tier down with
  /// room (next_demotion_node). Returns how many pages may come in.
  std::uint64_t demote_cold(std::uint64_t wanted, Machine& machine, MigrationPlan& plan);

 private:
  HotPages pages_;
  std::vector<AccessSample> samples_;
  Nanoseconds last_;
  double pace_;
};

}  // namespace lbhm::placement
