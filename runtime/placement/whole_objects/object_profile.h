// SOAR's profiling run, within a run: which objects there are, a window of samples and events after the other, and how
// much each object slows the program down (Liu, Hadian, Xu, Li, OSDI '25, section 4.1; weights and factors as in the
// authors' proc_obj_e.py).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// A second of the profiling run, scaled. Counts are of all threads.
struct ScoreWindow {
  EventCounts events;                      ///< differences between the ends of the window
  double latency_ratio = 1;                ///< idle latency of fast memory over the mean latency of the loads
  std::map<std::string, double> accesses;  ///< samples by object
};

/// How much each object slows the program down.
class ObjectScores {
 public:
  /// Amortised off-core latency: cycles in which a load of main memory was under way, by load. What it would be in fast
  /// memory, where SOAR profiles: memory-level parallelism is taken as the same in both.
  static double amortised_latency(const ScoreWindow& window) {
    const double loads = window.events.l3_load_misses;
    return loads > 0 ? window.events.load_cycles / loads * window.latency_ratio : 0;
  }

  void add(const ScoreWindow& window);
  double of(const std::string& object) const {
    const auto found = scores_.find(object);
    return found == scores_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> scores_;
};

/// Which objects there are, and a window of samples and events after the other.
class ObjectProfile {
 public:
  struct Bearer {  ///< of a name
    std::uintptr_t address = 0;
    Bytes bytes;
  };

  /// Takes note of the objects of a phase. From any thread. True once the profile is complete: when a list of names
  /// comes up for the second time, everything that the program does over and over has been seen once.
  bool phase_begins(std::span<const PlacedObject> objects);
  /// Ends a window, if there is something to profile. From the daemon.
  void window(Machine& machine);

  /// What bears each name now, and how much it slows the program down for each byte that it had when profiled.
  struct Ranked {
    std::string name;
    Bearer object;
    double score_per_byte = 0;
  };
  std::vector<Ranked> ranked() const;

 private:
  std::map<std::string, double> accesses_of(const std::vector<AccessSample>& samples) const;

  mutable std::mutex lock_;
  bool complete_ = false;
  std::map<std::string, Bearer> objects_;     ///< the last one of each name
  RangeMap<std::string> names_;               ///< where they are; of two in one place the one that was listed last
  std::map<std::string, Bytes> profiled_;     ///< its size when it was profiled
  std::set<std::vector<std::string>> lists_;  ///< names of the phases so far
  ObjectScores scores_;
  std::optional<EventCounts> before_;
};

}  // namespace lbhm::placement
