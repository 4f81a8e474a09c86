// Exact counts by page (setting page_counts): which interval of a lane has ended. Nothing is done where nobody counts.
#pragma once

#include <span>
#include <string>

#include "runtime/machine/machine.h"
#include "runtime/phases/region_instance.h"

namespace lbhm {

class PageIntervals {
 public:
  /// `counts`: null if nobody wants them.
  PageIntervals(Execution& execution, PageCounts* counts) : execution_(execution), counts_(counts) {}

  bool on() const { return counts_ != nullptr; }
  /// The initial thread has worked alone up to now.
  void end_serial();
  /// The initial thread works alone from now on.
  void begin_serial();
  /// Behind end_serial: LB_HM_config is called.
  void next_epoch();
  /// The lane has come to a barrier of its team.
  void lane_at_barrier(LaneState& state);
  /// The program ends. `regions`: names of the parallel constructs, by number. Errors: those of PageCounts::save.
  Status save(std::span<const std::string> regions);

 private:
  Execution& execution_;
  PageCounts* counts_;
  // Changed by the initial thread outside of teams.
  std::uint32_t epoch_ = 0;  ///< calls of LB_HM_config so far
  Nanoseconds alone_since_;
};

}  // namespace lbhm
