// memory-optimizer: Intel's daemon sys-refs (github.com/intel/memory-optimizer, the baseline of Merchandiser's section
// 7). Pages are ranked by how many of the scans of their accessed bits found them accessed; every period the hottest
// slow pages go up and the coldest fast pages down, one for one.
//
// Algorithm: GlobalScan.cc as of release a5 or soon after (doc/ReleaseNote.txt). Later versions promote, once fast
// memory holds its share, only pages that every scan found; this one is the stronger. Which version Merchandiser ran
// (commit 3832466) is not known. Settings: profile_tool/sys-refs-template.yaml, which its authors ship to show what the
// daemon brings (16 times as much moves in a second as the note suggests), scaled from Merchandiser's SpGEMM of 429.3
// GB (Table 2; an assumption). A period that the quantum makes longer than scaled moves more by as much: the rate
// stays. Differences: one process, huge pages and threads of the daemon are not needed; it never ends
// (exit_on_converged); demotions come before promotions, for no page is free before. Anti-thrashing as the note has it:
// hotter pages only.
#include <cmath>

#include "runtime/placement/accessed_scans.h"
#include "runtime/placement/daemon.h"
#include "runtime/placement/policies/tier_orders.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr TierId fast{0};

constexpr std::size_t scans_per_point = 10;    // nr_scans (template)
constexpr std::size_t points_per_period = 2;   // nr_scan_rounds (template)
constexpr Nanoseconds scan_period{5e9};        // scan_period (template)
constexpr Bytes migration_size = GiB(1);       // one_period_migration_size (template: 1,048,576 KiB)
constexpr double interval_target = 4;          // times migration_size, among slow pages (a5)
constexpr double nearly_all_fast = 0.9;        // GlobalScan.cc, should_target_aep_young
constexpr std::size_t anti_thrash = 1;         // anti_thrash_threshold (template)
constexpr Nanoseconds first_interval{0.1e9};   // Option.h, initial_interval
constexpr Nanoseconds longest_interval{10e9};  // GlobalScan.cc, update_interval
constexpr std::size_t batch = 1024;            // assumption: pagetype_batchsize of 4 KiB pages

class MemoryOptimizer final : public Policy {
 public:
  explicit MemoryOptimizer(const PolicyOptions& options) : pace_(options.pace) {}
  std::string_view name() const override { return "memory-optimizer"; }
  Needs needs(const Topology& machine) const override {
    return {.first_touch = fastest_first(machine), .interval = daemon_interval, .observer = true};
  }

  void on_interval(PolicyContext& context) override {
    const Nanoseconds now = context.machine().execution().now();
    if (!alarm_.rings(now)) return;
    footprint_ = context.machine().peak_footprint();
    pages_.refresh(context);
    if (pages_.touched() == 0) return;
    if (scans_ == 0) period_began_ = now;
    if (scans_ % scans_per_point == 0) point_began_ = now;
    scan(context.machine(), now);
    ++scans_;
    if (scans_ % scans_per_point != 0) return alarm_.set(now + interval_.value());
    alarm_.set(point_began_ + time(scan_period));
    if (scans_ == scans_per_point * points_per_period) end_period(context, now);
  }

 private:
  struct Count {
    std::size_t found = 0;  // scans of this period that found the page accessed
  };
  using Pages = ProgramPages<Count>;

  Nanoseconds time(Nanoseconds published) const {
    return pace_ * scaled(published, usual_published_footprint, footprint_);
  }

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
    interval_.scanned(now, aim(machine, young, slow_young),
                      {.first = time(first_interval), .longest = time(longest_interval)});
  }

  /// Slow pages worth four times what a period moves; fast memory's share of all pages if there is hardly another.
  ScanInterval::Scan aim(Machine& machine, double young, double slow_young) const {
    const auto all = static_cast<double>(pages_.touched());
    const double fast_now = static_cast<double>(pages_.count(fast)) / all;
    if (fast_now > 0 && fast_now < nearly_all_fast)
      return {.found = slow_young, .target = interval_target * usual_migration(machine)};
    return {.found = young, .target = all * fast_share(machine)};
  }

  /// Pages that a period of usual length moves, in both directions together.
  double usual_migration(Machine& machine) const {
    const Bytes page = machine.topology().page;
    return scaled(migration_size, usual_published_footprint, footprint_, page) / page;
  }

  /// dram_percent: a whole number.
  double fast_share(Machine& machine) const {
    const double room = static_cast<double>(pages_.count(fast)) + machine.room(fast) / machine.topology().page;
    return std::floor(100 * std::min(1.0, room / static_cast<double>(pages_.touched()))) / 100;
  }

  void end_period(PolicyContext& context, Nanoseconds now) {
    ReferenceHistogram histogram(scans_);
    for (const Pages::Page& page : pages_.all()) {
      if (page.tier != no_tier) ++(page.tier == fast ? histogram.fast : histogram.slow)[page.state.found];
    }
    Machine& machine = context.machine();
    const double longer = std::max(1.0, (now - period_began_) / (points_per_period * time(scan_period)));
    migrate(context, thresholds_of(histogram, {.migration = static_cast<std::size_t>(longer * usual_migration(machine)),
                                               .fast_share = fast_share(machine),
                                               .anti_thrash = anti_thrash}));
    for (Pages::Page& page : pages_.all()) page.state = {};
    scans_ = 0;
  }

  void migrate(PolicyContext& context, ReferenceThresholds thresholds) const {
    std::vector<std::uintptr_t> up, down;
    for (const Pages::Page& page : pages_.all()) {
      if (page.tier == no_tier) continue;
      const bool in_fast = page.tier == fast;
      const bool moves = in_fast ? thresholds.demotes(page.state.found) : thresholds.promotes(page.state.found);
      if (moves) (in_fast ? down : up).push_back(page.address);
    }
    TierBelow below(context.machine(), fast);
    context.migrate(by_turns(down, below, up, batch, context.machine().topology().page));
  }

  double pace_;
  Bytes footprint_;
  Pages pages_;
  Alarm alarm_;
  std::size_t scans_ = 0;  // of this period
  Nanoseconds period_began_;
  Nanoseconds point_began_;
  ScanInterval interval_;
};

}  // namespace

std::unique_ptr<Policy> make_memory_optimizer(const PolicyOptions& options) {
  return std::make_unique<MemoryOptimizer>(options);
}

}  // namespace lbhm::policies
