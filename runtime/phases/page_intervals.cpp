#include "runtime/phases/page_intervals.h"

#include <utility>

#include "runtime/phases/lanes.h"

namespace lbhm {

void PageIntervals::end_serial() {
  if (!counts_ || current_lane) return;
  const Nanoseconds now = execution_.now();
  counts_->end_interval({.epoch = epoch_, .lane = LaneId(0), .time = now - alone_since_});
  alone_since_ = now;
}

void PageIntervals::begin_serial() {
  if (counts_ && !current_lane) alone_since_ = execution_.now();
}

void PageIntervals::next_epoch() {
  if (!counts_) return;
  ++epoch_;
  counts_->end_interval({.epoch = epoch_, .lane = LaneId(0), .time = Nanoseconds(0)});
}

void PageIntervals::lane_at_barrier(LaneState& state) {
  const std::uint32_t stretch = state.barriers++;
  if (!counts_ || !state.region->recorded) return;
  counts_->end_interval({.epoch = epoch_,
                         .region = state.region->number,
                         .stretch = stretch,
                         .lane = state.lane,
                         .time = state.busy - state.counted});
  state.counted = state.busy;
}

Status PageIntervals::save(std::span<const std::string> regions) {
  return counts_ ? std::exchange(counts_, nullptr)->save(regions) : Status();
}

}  // namespace lbhm
