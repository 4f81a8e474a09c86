// The policies that act while the program runs, and what they may do.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

/// Has the machine call the policy's on_interval() at the intervals that it asks for. Nothing if it asks for none or
/// there are no tiers. Errors: those of Machine::every.
Status tick_at_intervals(Engine& e);

/// Moves all samples since the last call to the end of `out`, also those that on_interval() has seen. Returns how many
/// were lost.
std::uint64_t take_samples(Engine& e, std::vector<AccessSample>& out);

/// Pages of these ranges that are touched from now on appear in these tiers, if they have room.
void set_preferred_tier(Engine& e, const MigrationPlan& plan);

/// Which pages of a new managed object the policy wants in which tier.
void place_new(Engine& e, std::uintptr_t address, Bytes bytes, const char* name);

/// Carries a plan out while the calling thread waits: in real time for LBHM_MOVE_TIME at most, and the rest goes to
/// `left`.
MoveReport move_in_time(Engine& e, const MigrationPlan& plan, std::span<const EvictionCandidate> candidates,
                        MigrationPlan& left);

}  // namespace lbhm::engine
