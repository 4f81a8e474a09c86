#include "runtime/engine/interval_counts.h"

namespace lbhm::engine {

void end_serial_interval(Engine& e) {
  if (!e.counts || current_lane) return;
  const Nanoseconds now = e.machine->execution().now();
  e.counts->end_interval({.epoch = e.epoch, .lane = LaneId(0), .time = now - e.alone_since});
  e.alone_since = now;
}

void begin_serial_interval(Engine& e) {
  if (e.counts && !current_lane) e.alone_since = e.machine->execution().now();
}

void next_epoch(Engine& e) {
  if (!e.counts) return;
  ++e.epoch;
  e.counts->end_interval({.epoch = e.epoch, .lane = LaneId(0), .time = Nanoseconds(0)});
}

std::uint32_t counted_region(Engine& e, const void* code) {
  const std::lock_guard lock(e.mutex);
  return e.log.region(code);
}

void end_phase(Engine& e, LaneState& state) {
  if (!e.counts || !state.region->recorded) return;
  e.counts->end_interval({.epoch = e.epoch,
                          .region = state.region->number,
                          .phase = state.phase++,
                          .lane = state.lane,
                          .time = state.busy - state.counted});
  state.counted = state.busy;
}

void save_counts(Engine& e) {
  if (!e.counts) return;
  end_serial_interval(e);
  // Shells that inherit our settings count, too, and must not write over what the program did.
  if (!e.used.load()) return;
  if (Status status = e.counts->save(); !status.ok()) say(status.message());
  e.counts = nullptr;
}

}  // namespace lbhm::engine
