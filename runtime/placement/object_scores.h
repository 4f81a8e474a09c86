// How much each object slows a program down: SOAR's scores (Liu, Hadian, Xu, Li, OSDI '25, section 4.1; weights and
// factors as in the authors' proc_obj_e.py).
#pragma once

#include <map>
#include <string>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm::placement {

/// A second of the profiling run, scaled. Counts are of all threads.
struct ScoreWindow {
  EventCounts events;                      ///< differences between the ends of the window
  double latency_ratio = 1;                ///< idle latency of fast memory over the mean latency of the loads
  std::map<std::string, double> accesses;  ///< samples by object
};

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

}  // namespace lbhm::placement
