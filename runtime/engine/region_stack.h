// The code regions that one thread is in, innermost last, and what it has measured.
//
// A region belongs to a frame of the stack. When a frame calls us, everything below it is gone: whatever began there
// was left by an exception or a longjmp, and its end was never said. Such executions are counted, not measured.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/engine/lane_state.h"
#include "runtime/engine/region_totals.h"

namespace lbhm::engine {

/// A region and where it is entered.
struct RegionPlace {
  std::uint32_t slot = 0;  ///< RegionBook's; 0: none
  std::uint16_t kind = 0;
  std::uintptr_t frame = 0;  ///< stacks grow downwards: a smaller number is a frame called from this one
};

/// By lane, then by slot - 1.
using TotalsByLane = std::map<std::uint32_t, std::vector<RegionTotals>>;

class RegionStack {
 public:
  /// `most_measured`: executions of a region by this thread as one lane; later ones are only counted.
  explicit RegionStack(std::uint64_t most_measured) : most_measured_(most_measured) {}

  /// `lane`: that the thread executes, null outside of parallel constructs (reported as lane 0).
  void begin(Machine& machine, const LaneState* lane, const RegionPlace& place);
  void end(Machine& machine, const LaneState* lane, const RegionPlace& place);
  /// In that frame only the loop `place.slot` is under way, and the body that it is in.
  void unwound(const RegionPlace& place);

  /// Regions under way are not in it but in `executions`. Any thread may ask.
  void add_to(TotalsByLane& sums);

 private:
  struct Open {
    RegionPlace place;
    std::uint32_t lane = 0;
    bool measured = false;
    bool nested_measured = true;
    Reading begin;
    Reading nested;
  };

  RegionTotals& totals(const Open& open);
  void drop_below(std::uintptr_t frame);
  void abandon();
  void close(Machine& machine, const LaneState* lane);

  const std::uint64_t most_measured_;
  std::vector<Open> open_;
  std::mutex mutex_;  ///< guards the totals: the report may be written while this thread runs
  TotalsByLane totals_;
};

}  // namespace lbhm::engine
