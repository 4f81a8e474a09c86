// The scans of Intel's MemoryOptimizer (sys-refs) and what it moves by them: what the policies memory-optimizer and
// merchandiser share.
//
// All pages are scanned 10 times in a row, twice in a period. At its end the slow pages that most scans found accessed
// go up and as many of the fast pages that fewest found go down. Algorithm: GlobalScan.cc as of release a5 or soon
// after (doc/ReleaseNote.txt). Settings: profile_tool/sys-refs-template.yaml, scaled from Merchandiser's SpGEMM of
// 429.3 GB (Table 2; an assumption). A period that the quantum makes longer than scaled moves more by as much: the rate
// stays. Demotions come before promotions, for no page is free before.
#pragma once

#include <algorithm>
#include <functional>

#include "runtime/placement/daemons/daemon.h"
#include "runtime/placement/scans/accessed_scans.h"
#include "runtime/placement/scans/accessed_watch.h"

namespace lbhm::placement {

class OptimizerScans {
 public:
  /// Whether a slow page is not to go up. What is held back is no candidate, so others go in its place.
  using HeldBack = std::function<bool(std::uintptr_t page)>;

  explicit OptimizerScans(double pace) : pace_(pace) {}

  /// Called at intervals: scans if it is time to. True if that was the last scan of a period; exchange() then.
  bool scan(PolicyContext& context, AccessedWatch& watch);
  /// What moves at the end of the period. `middle`: the tiers between the fastest and the slowest may be used.
  MigrationPlan exchange(Machine& machine, const HeldBack& held_back = {}, bool middle = true);

 private:
  struct Count {
    std::size_t found = 0;  // scans of this period that found the page accessed
  };
  using Pages = ProgramPages<Count>;

  Nanoseconds time(Nanoseconds published) const;
  void find_pages(PolicyContext& context);
  void look(PolicyContext& context, AccessedWatch& watch, Nanoseconds now);
  ScanInterval::Scan aim(Machine& machine, double young, double slow_young) const;
  double usual_migration(Machine& machine) const;
  double fast_share(Machine& machine) const;
  ReferenceThresholds thresholds(Machine& machine) const;

  double pace_;
  Bytes footprint_;
  Pages pages_;
  std::size_t in_fast_ = 0;  // pages that are really there
  Alarm alarm_;
  std::size_t scans_ = 0;  // of this period
  std::uint64_t periods_ = 0;
  Nanoseconds period_began_, period_ended_;
  Nanoseconds point_began_;
  ScanInterval interval_;
};

}  // namespace lbhm::placement
