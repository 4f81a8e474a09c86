// Exact counts by page (setting page_counts): the engine says which interval has ended.
#pragma once

#include "runtime/engine/lane_state.h"

namespace lbhm::engine {

/// The initial thread has worked alone up to now.
void end_serial_interval(Engine& e);
/// The initial thread works alone from now on.
void begin_serial_interval(Engine& e);
/// Behind end_serial_interval: LB_HM_config is called.
void next_epoch(Engine& e);
/// Where instances of the region at `code` are booked; the same number in every run.
std::uint32_t counted_region(Engine& e, const void* code);
/// The lane has come to a barrier of its team.
void end_phase(Engine& e, LaneState& state);
/// The program ends. Says so if the counts cannot be written.
void save_counts(Engine& e);

}  // namespace lbhm::engine
