// From the base instance of a scope to what its next instance will do: model/ applied to every task.
#pragma once

#include <span>

#include "model/model.h"
#include "runtime/base/values.h"
#include "runtime/knowledge/object_knowledge.h"
#include "runtime/machine/machine.h"
#include "runtime/placement/placement.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

/// By slot.
std::vector<Bytes> sizes_of(std::span<const SlotRange> objects);

/// The fastest and the slowest tier.
MemoryPair memory_pair(const Topology& topology);

inline const BlockKnowledge unknown_blocks{};
inline const StencilTable unmeasured_stencils{};

/// What leads from the sizes of objects to accesses and times. All of it may be empty: alpha is 1 then, and times grow
/// with the sizes of objects. Refers to what it is made from.
struct InputModel {
  std::span<const std::vector<ObjectKnowledge>> objects;  ///< by lane and slot
  const BlockKnowledge* blocks = &unknown_blocks;         ///< never null
  const StencilTable* stencils = &unmeasured_stencils;    ///< never null
  InputScaling scaling = InputScaling::sizes;
  std::span<const std::vector<SeenTimes>> times{};  ///< of instances behind the base, by lane
};

/// Accesses of the next instance on objects of the sizes `now` (section 4, Eq. 1), by task.
std::vector<AccessEstimate> expected_accesses(const ScopeProfile& profile, std::span<const Bytes> now,
                                              const Topology& topology, const InputModel& input);

/// What the profiled instance itself would have taken with everything in one memory, by task.
std::vector<HomogeneousTimes> homogeneous_of(const ScopeProfile& profile, const Topology& topology,
                                             std::span<const BlockFacts> facts);

/// What an instance behind the base says about homogeneous times, by task: derived from its own samples and events.
std::vector<SeenTimes> seen_in(const ScopeProfile& instance, const ScopeProfile& base, const Topology& topology,
                               const InputModel& input);

/// Times of the next instance on objects of the sizes `now` with everything in one memory (section 5.2), by task, as
/// one of the two rules of scaling has them. By our rule later instances refine them; the paper's knows the base alone.
std::vector<HomogeneousTimes> homogeneous_forecast(const ScopeProfile& profile, std::span<const Bytes> now,
                                                   const Topology& topology, const InputModel& input,
                                                   InputScaling scaling);

/// Eq. 2 with the events of the profiled instance and the homogeneous times of the next one, by task.
std::vector<TaskTimes> hybrid_forecast(const ScopeProfile& profile, std::span<const HomogeneousTimes> times,
                                       const Topology& topology, const Correlation& f);

/// All of this: forecast of the next instance on `objects` with `room` bytes of tier 0 for them.
ScopeForecast forecast(const ScopeProfile& profile, std::span<const SlotRange> objects, const Topology& topology,
                       Bytes room, const Correlation& f, const InputModel& input = {});

}  // namespace lbhm
