// The running instance of a scope: what its regions add to it. All calls hold Engine::mutex.
#pragma once

#include "runtime/engine/lane_state.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

/// A lane worked for `time` in an instance of `region`.
void scope_add_lane(Engine& e, std::uint32_t region, LaneId lane, Nanoseconds time, const EventCounts& events);
/// Behind scope_add_lane: what the lane executed.
void scope_add_blocks(Engine& e, std::uint32_t region, LaneId lane, const BlockCounts& counts);
/// The loops that a lane began in a region that scope_add_lane was told of.
void scope_add_notes(Engine& e, std::uint32_t region, LaneId lane, LaneNotes& notes);
/// Which lane the others waited for in each phase of a region that scope_add_lane was told of.
void scope_add_phases(Engine& e, std::uint32_t region, const RegionInstance& instance);
/// An instance of a region ended: writes predictions and budgets into `record`, collects the samples.
void scope_end_region(Engine& e, RegionRecord& record);
/// Ends the running instance, if there is one. The first that had a region leaves its profile and what is known of the
/// objects there; each later one refines that.
void scope_close(Engine& e);

}  // namespace lbhm::engine
