// Which lane a thread was at which time: a sample knows its time, not its lane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm::sampling {

class LaneHistory {
 public:
  /// From `time` (ns, not before earlier calls) on the thread is `lane`.
  void note(std::uint64_t time, LaneId lane) {
    if (changes_.empty() || changes_.back().lane != lane) changes_.push_back({time, lane});
  }
  /// Before the first note: the first lane.
  LaneId at(std::uint64_t time) const {
    if (changes_.empty()) return LaneId(0);
    const auto after = std::ranges::upper_bound(changes_, time, {}, &Change::time);
    return after == changes_.begin() ? after->lane : std::prev(after)->lane;
  }
  /// Nobody will ask for times before this one.
  void forget_before(std::uint64_t time) {
    const auto after = std::ranges::upper_bound(changes_, time, {}, &Change::time);
    if (after != changes_.begin()) changes_.erase(changes_.begin(), std::prev(after));
  }
  std::size_t size() const { return changes_.size(); }

 private:
  struct Change {
    std::uint64_t time;
    LaneId lane;
  };
  std::vector<Change> changes_;
};

}  // namespace lbhm::sampling
