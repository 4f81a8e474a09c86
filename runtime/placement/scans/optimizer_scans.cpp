#include "runtime/placement/scans/optimizer_scans.h"

#include <cmath>

namespace lbhm::placement {
namespace {

constexpr TierId fastest{0};

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

}  // namespace

bool OptimizerScans::scan(PolicyContext& context, AccessedWatch& watch) {
  const Nanoseconds now = context.machine().execution().now();
  if (!alarm_.rings(now)) return false;
  footprint_ = context.machine().peak_footprint();
  find_pages(context);
  if (pages_.touched() == 0) return false;
  if (scans_ == 0) period_began_ = now;
  if (scans_ % scans_per_point == 0) point_began_ = now;
  look(context, watch, now);
  ++scans_;
  if (scans_ % scans_per_point != 0) {
    alarm_.set(now + interval_.value());
    return false;
  }
  alarm_.set(point_began_ + time(scan_period));
  period_ended_ = now;
  return scans_ == scans_per_point * points_per_period;
}

void OptimizerScans::find_pages(PolicyContext& context) {
  pages_.refresh(context);
  in_fast_ = pages_.count(fastest);
}

Nanoseconds OptimizerScans::time(Nanoseconds published) const {
  return pace_ * scaled(published, usual_published_footprint, footprint_);
}

void OptimizerScans::look(PolicyContext& context, AccessedWatch& watch, Nanoseconds now) {
  Machine& machine = context.machine();
  std::vector<WatchedPage> touched;
  for (const Pages::Page& page : pages_.all())
    if (page.tier != no_tier) touched.push_back({page.address, page.tier});
  const auto found = std::make_unique<bool[]>(touched.size());
  watch.scan(machine, touched, periods_, {found.get(), touched.size()});
  std::vector<std::uintptr_t> young;
  double slow_young = 0;
  std::size_t i = 0;
  for (Pages::Page& page : pages_.all()) {
    if (page.tier == no_tier || !found[i++]) continue;
    ++page.state.found;
    young.push_back(page.address);
    if (page.tier != fastest) ++slow_young;
  }
  context.found(young);
  interval_.scanned(now, aim(machine, static_cast<double>(young.size()), slow_young),
                    {.first = time(first_interval), .longest = time(longest_interval)});
}

/// Slow pages worth four times what a period moves; fast memory's share of all pages if there is hardly another.
ScanInterval::Scan OptimizerScans::aim(Machine& machine, double young, double slow_young) const {
  const auto all = static_cast<double>(pages_.touched());
  const double fast_now = static_cast<double>(pages_.count(fastest)) / all;
  if (fast_now > 0 && fast_now < nearly_all_fast)
    return {.found = slow_young, .target = interval_target * usual_migration(machine)};
  return {.found = young, .target = all * fast_share(machine)};
}

/// Pages that a period of usual length moves, in both directions together.
double OptimizerScans::usual_migration(Machine& machine) const {
  const Bytes page = machine.topology().page;
  return scaled(migration_size, usual_published_footprint, footprint_, page) / page;
}

/// dram_percent: a whole number.
double OptimizerScans::fast_share(Machine& machine) const {
  const double room = static_cast<double>(in_fast_) + machine.room(fastest) / machine.topology().page;
  return std::floor(100 * std::min(1.0, room / static_cast<double>(pages_.touched()))) / 100;
}

ReferenceThresholds OptimizerScans::thresholds(Machine& machine) const {
  ReferenceHistogram histogram(scans_);
  for (const Pages::Page& page : pages_.all()) {
    if (page.tier != no_tier) ++(page.tier == fastest ? histogram.fast : histogram.slow)[page.state.found];
  }
  const double longer = std::max(1.0, (period_ended_ - period_began_) / (points_per_period * time(scan_period)));
  return thresholds_of(histogram, {.migration = static_cast<std::size_t>(longer * usual_migration(machine)),
                                   .fast_share = fast_share(machine),
                                   .anti_thrash = anti_thrash});
}

MigrationPlan OptimizerScans::exchange(Machine& machine, const HeldBack& held_back, bool middle) {
  for (Pages::Page& page : pages_.all()) {  // as if no scan had found it
    if (held_back && page.tier != fastest && page.state.found > 0 && held_back(page.address)) page.state.found = 0;
  }
  ReferenceThresholds limits = thresholds(machine);
  std::vector<std::uintptr_t> up, down;
  for (Pages::Page& page : pages_.all()) {
    if (page.tier == no_tier) continue;
    const bool in_fast = page.tier == fastest;
    const bool moves = in_fast ? limits.demotes(page.state.found) : limits.promotes(page.state.found);
    if (moves) (in_fast ? down : up).push_back(page.address);
  }
  for (Pages::Page& page : pages_.all()) page.state.found = 0;
  scans_ = 0;
  ++periods_;
  TierBelow below(machine, fastest, middle);
  return by_turns(down, below, up, batch, machine.topology().page);
}

}  // namespace lbhm::placement
