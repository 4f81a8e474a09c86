// What is learned of a region from an instance of its scope that has ended. All calls hold Engine::mutex.
#pragma once

#include <span>

#include "runtime/engine/state.h"

namespace lbhm::engine {

/// One access in so many is sampled.
AccessCount period_of(Engine& e);

/// From the base instance: with which patterns each lane accesses each object.
void learn_patterns(Engine& e, const ScopeInstance& run, const PartRun& now, Part& part);
/// The counts of an instance, by lane, into what is known and into the record of its plan.
void learn_counts(Engine& e, const ScopeInstance& run, std::span<const LaneCounts> counts, Part& part);
/// How often the blocks of each lane ran.
void learn_blocks(Engine& e, const ScopeInstance& run, const PartRun& now, Part& part);
/// What an instance behind the base says about the times of its tasks with everything in one memory.
void learn_times(Engine& e, Part& part, const ScopeProfile& instance);

}  // namespace lbhm::engine
