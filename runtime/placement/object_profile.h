// SOAR's profiling run, within a run: which objects there are, and a window of samples and events after the other.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/placement/object_scores.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

class ObjectProfile {
 public:
  struct Known {
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
    Known object;
    double score_per_byte = 0;
  };
  std::vector<Ranked> ranked() const;

 private:
  std::map<std::string, double> accesses_of(const std::vector<AccessSample>& samples) const;

  mutable std::mutex lock_;
  bool complete_ = false;
  std::map<std::string, Known> objects_;      ///< the last one of each name
  std::map<std::string, Bytes> profiled_;     ///< its size when it was profiled
  std::set<std::vector<std::string>> lists_;  ///< names of the scopes so far
  ObjectScores scores_;
  std::optional<EventCounts> before_;
};

}  // namespace lbhm::placement
