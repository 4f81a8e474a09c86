// What a scope learns from an instance that has ended. All calls hold Engine::mutex.
#pragma once

#include <span>

#include "runtime/engine/state.h"

namespace lbhm::engine {

/// One access in so many is sampled.
AccessCount period_of(Engine& e);

/// From the base instance: with which patterns each lane accesses each object.
void learn_patterns(Engine& e, ScopeInstance& run);
/// The counts of an instance, by lane, into what is known and into the record of its plan.
void learn_counts(Engine& e, ScopeInstance& run, std::span<const LaneCounts> counts);
/// How often the blocks of each lane ran.
void learn_blocks(Engine& e, ScopeInstance& run);
/// What an instance behind the base says about the times of its tasks with everything in one memory.
void learn_times(Engine& e, Scope& scope, const ScopeProfile& instance);

}  // namespace lbhm::engine
