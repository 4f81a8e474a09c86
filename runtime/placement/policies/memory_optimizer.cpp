// memory-optimizer: Intel's daemon sys-refs (github.com/intel/memory-optimizer, the baseline of Merchandiser's section
// 7). Pages are ranked by how many of the scans of their accessed bits found them accessed; every period the hottest
// slow pages go up and the coldest fast pages down, one for one.
//
// Constants: doc/ReleaseNote.txt, releases a3 to a5, suggested values for 4 KiB pages; Option.h; README. Times and
// amounts were meant for the machine of Merchandiser's section 7: they are scaled from its SpGEMM of 429.3 GB (Table
// 2). Differences: one process, huge pages and several threads of the daemon are not needed; demotions stand before the
// promotions of their batch, for here there is no free page to promote into first.
#include <cmath>
#include <deque>

#include "runtime/placement/flow.h"
#include "runtime/placement/interval_fit.h"
#include "runtime/placement/managed_pages.h"
#include "runtime/placement/policies/policies.h"
#include "runtime/placement/reference_thresholds.h"
#include "runtime/placement/scaled.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr TierId fast{0};
constexpr TierId slow{1};

constexpr Bytes published_footprint{429'300'000'000};         // Merchandiser, Table 2: SpGEMM
constexpr std::size_t scans_per_point = 10;                   // nr_scans (a3)
constexpr std::size_t points_per_period = 2;                  // nr_scan_rounds (a3)
constexpr Nanoseconds scan_period{20e9};                      // scan_period (a3)
constexpr Bytes migration_size = MiB(256);                    // one_period_migration_size (a3)
constexpr double interval_target = 4;                         // times migration_size (a5)
constexpr std::size_t anti_thrash = 2;                        // anti_thrash_threshold (a3)
constexpr Nanoseconds first_interval{0.1e9};                  // Option.h, initial_interval
constexpr Nanoseconds shortest_interval{0.001e9};             // GlobalScan.cc, MIN_INTERVAL
constexpr Nanoseconds longest_interval{10e9};                 // GlobalScan.cc, MAX_INTERVAL
constexpr BytesPerNanosecond bandwidth{1024 * 0x1p20 / 1e9};  // README, bandwidth_mbps: 1024
constexpr Nanoseconds bandwidth_burst{1e9};                   // assumption: it is measured by the second

class MemoryOptimizer final : public Policy {
 public:
  std::string_view name() const override { return "memory-optimizer"; }
  std::vector<TierId> first_touch_order(std::size_t tiers) const override { return fastest_first(tiers); }
  std::optional<Nanoseconds> interval(const Topology&) const override { return daemon_interval; }
  bool watches_pages() const override { return true; }
  void set_pace(double pace) override { pace_ = pace; }

  void tick(Surroundings& around) override {
    const Nanoseconds now = around.machine().execution().now();
    if (!queue_.empty()) return move_some(around, now);
    if (!alarm_.rings(now)) return;
    footprint_ = around.machine().peak_footprint();
    pages_.refresh(around);
    if (pages_.touched() == 0) return;
    if (scans_ % scans_per_point == 0) point_began_ = now;
    scan(around.machine(), now);
    ++scans_;
    if (scans_ % scans_per_point != 0) return alarm_.set(now + interval_);
    alarm_.set(point_began_ + time(scan_period));
    if (scans_ == scans_per_point * points_per_period) end_period(around, now);
  }

 private:
  struct Count {
    std::size_t found = 0;  // scans of this period that found the page accessed
  };
  using Pages = ManagedPages<Count>;

  Nanoseconds time(Nanoseconds published) const { return pace_ * scaled(published, published_footprint, footprint_); }

  void scan(Machine& machine, Nanoseconds now) {
    std::vector<std::uintptr_t> addresses;
    for (const Pages::Page& page : pages_.all())
      if (page.tier != no_tier) addresses.push_back(page.address);
    const AccessedBits accessed(machine, addresses);
    double young = 0;
    double slow_young = 0;
    std::size_t i = 0;
    for (Pages::Page& page : pages_.all()) {
      if (page.tier == no_tier || !accessed[i++]) continue;
      ++page.state.found;
      ++young;
      if (page.tier != fast) ++slow_young;
    }
    adapt_interval(machine, now, young, slow_young);
  }

  /// GlobalScan.cc, update_interval: so many young pages are wanted as are to be moved, or as fill half of fast memory.
  void adapt_interval(Machine& machine, Nanoseconds now, double young, double slow_young) {
    const bool first = last_scan_ == Nanoseconds(0);
    const Nanoseconds waited = now - last_scan_;
    last_scan_ = now;
    if (first) {
      interval_ = time(first_interval);
      return;
    }
    const PeriodLimits limits = limits_of(machine);
    IntervalFit& fit = too_much_in_slow_ ? fit_to_move_ : fit_to_share_;
    fit.add(waited, too_much_in_slow_ ? slow_young : young);
    const double target = too_much_in_slow_ ? interval_target * static_cast<double>(limits.migration)
                                            : static_cast<double>(pages_.touched()) * limits.fast_share / 2;
    interval_ = std::clamp(fit.estimate(target).value_or(interval_), time(shortest_interval), time(longest_interval));
  }

  PeriodLimits limits_of(Machine& machine) const {
    const Bytes page = machine.topology().page;
    const auto total = static_cast<double>(pages_.touched());
    const double room = static_cast<double>(pages_.count(fast)) + machine.room(fast) / page;
    PeriodLimits limits;
    limits.migration = scaled(migration_size, published_footprint, footprint_, page).value / page.value;
    limits.slack = static_cast<std::size_t>(std::max(total / 100, 1.0));
    limits.fast_share = std::floor(100 * std::min(1.0, room / total)) / 100;  // dram_percent is a whole number
    limits.anti_thrash = anti_thrash;
    return limits;
  }

  void end_period(Surroundings& around, Nanoseconds now) {
    ReferenceHistogram histogram(scans_);
    for (const Pages::Page& page : pages_.all()) {
      if (page.tier != no_tier) ++(page.tier == fast ? histogram.fast : histogram.slow)[page.state.found];
    }
    const PeriodLimits limits = limits_of(around.machine());
    too_much_in_slow_ = out_of_balance(histogram, limits) && histogram_needs_promotion(limits);
    enqueue(thresholds_of(histogram, limits));
    for (Pages::Page& page : pages_.all()) page.state = {};
    scans_ = 0;
    move_some(around, now);
  }

  /// GlobalScan.cc, should_target_aep_young: slow memory holds at least half of what it should.
  bool histogram_needs_promotion(const PeriodLimits& limits) const {
    const double fast_now = static_cast<double>(pages_.count(fast)) / static_cast<double>(pages_.touched());
    return 1 - fast_now >= (1 - limits.fast_share) / 2;
  }

  /// Batches by turns, as do_interleave_move_pages of EPTMigrate.cc.
  void enqueue(ReferenceThresholds thresholds) {
    std::vector<Move> up, down;
    for (const Pages::Page& page : pages_.all()) {
      const auto found = static_cast<std::ptrdiff_t>(page.state.found);
      if (page.tier == fast && chosen(thresholds.cold - found, thresholds.cold_rest))
        down.push_back({page.address, slow});
      if (page.tier != fast && page.tier != no_tier && chosen(found - thresholds.hot, thresholds.hot_rest))
        up.push_back({page.address, fast});
    }
    constexpr std::size_t batch = 1024;  // assumption: pagetype_batchsize of 4 KiB pages
    for (std::size_t at = 0; at < std::max(up.size(), down.size()); at += batch) {
      for (const auto* moves : {&down, &up}) {
        for (std::size_t i = at; i < std::min(at + batch, moves->size()); ++i) queue_.push_back((*moves)[i]);
      }
    }
  }

  /// `beyond`: how far a page is beyond the threshold; at the threshold only the rest is taken.
  static bool chosen(std::ptrdiff_t beyond, std::size_t& rest) {
    if (beyond != 0) return beyond > 0;
    if (rest == 0) return false;
    --rest;
    return true;
  }

  void move_some(Surroundings& around, Nanoseconds now) {
    const Bytes page = around.machine().topology().page;
    MigrationPlan plan;
    for (std::size_t n = limit_.grant(now, queue_.size(), page); n > 0; --n) {
      add_move(plan, queue_.front().page, page, queue_.front().to);
      queue_.pop_front();
    }
    around.migrate(plan);
  }

  struct Move {
    std::uintptr_t page = 0;
    TierId to;
  };

  double pace_ = 1;
  Bytes footprint_;
  Pages pages_;
  Alarm alarm_;
  std::size_t scans_ = 0;  // of this period
  Nanoseconds point_began_;
  Nanoseconds last_scan_;
  Nanoseconds interval_;
  bool too_much_in_slow_ = false;
  IntervalFit fit_to_move_;
  IntervalFit fit_to_share_;
  std::deque<Move> queue_;  // what this period still has to move
  RateLimit limit_{bandwidth, bandwidth_burst};
};

}  // namespace

std::unique_ptr<Policy> make_memory_optimizer() { return std::make_unique<MemoryOptimizer>(); }

}  // namespace lbhm::policies
