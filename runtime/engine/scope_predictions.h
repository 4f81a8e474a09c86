// The predictions of the running instance of a scope against what its regions took. All calls hold Engine::mutex.
#pragma once

#include <span>

#include "runtime/engine/block_counts.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

/// A lane of the region that is ending worked for `time`; lanes are told in their order.
void measured_lane(ScopeInstance& run, LaneId lane, Nanoseconds time, const EventCounts& events);
/// Behind measured_lane: what the lane executed.
void measured_blocks(ScopeInstance& run, const BlockCounts& counts);
/// Writes predictions and budgets of the region that is ending into `record`.
void write_predictions(const ScopeInstance& run, RegionRecord& record);
/// The region has ended; its samples are those of the scope from `first_sample` on. Errors are added up here, which is
/// cheap; they are explained later, in explain_predictions. The region log must get `record` next.
void predictions_end_region(Engine& e, ScopeInstance& run, RegionRecord& record, std::size_t first_sample);
/// What the errors of the regions that have ended are made of, into the region log: a curve a task.
void explain_predictions(Engine& e, ScopeInstance& run);

}  // namespace lbhm::engine
