// From the base instance of a phase to what its next instance will do: model/ applied to every task.
#pragma once

#include <span>

#include "model/model.h"
#include "runtime/base/values.h"
#include "runtime/knowledge/object_knowledge.h"
#include "runtime/knowledge/phase_forecast.h"
#include "runtime/machine/machine.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

/// By slot: sizes as growth is reckoned from. Where there is an object it has a page at least: one of eight bytes that
/// becomes a megabyte did not grow 100,000-fold.
std::vector<Bytes> sizes_of(std::span<const SlotRange> objects);

/// A tier and the slowest one.
MemoryPair memory_pair(const Topology& topology, TierId fast = TierId(0));

inline const BlockKnowledge unknown_blocks{};
inline const StencilTable unmeasured_stencils{};

/// What leads from the sizes of objects to accesses and times. All of it may be empty: alpha is 1 then, and times grow
/// with the sizes of objects. Refers to what it is made from.
struct InputModel {
  std::span<const std::vector<ObjectKnowledge>> objects;  ///< by lane and slot
  const BlockKnowledge* blocks = &unknown_blocks;         ///< never null
  const StencilTable* stencils = &unmeasured_stencils;    ///< never null
  InputScaling scaling = InputScaling::sizes;
  std::span<const SeenTimes> base{};                ///< seen_in_base, by lane; never empty where times are wanted
  std::span<const std::vector<SeenTimes>> times{};  ///< of instances behind the base, by lane
  const Correlation* f = &analytic_correlation();   ///< what it knows of T_fast; never null
};

/// Accesses of the next instance on objects of the sizes `now` (section 4, Eq. 1), by task.
std::vector<AccessEstimate> expected_accesses(const PhaseProfile& profile, std::span<const Bytes> now,
                                              const Topology& topology, const InputModel& input);

/// What the profiled instance itself would have taken with everything in one memory, by task: in tier `fast` or in the
/// slowest one. Facts about blocks, and what `f` knows of T_fast, are of tier 0.
std::vector<HomogeneousTimes> homogeneous_of(const PhaseProfile& profile, const Topology& topology,
                                             std::span<const BlockFacts> facts, TierId fast = TierId(0),
                                             const Correlation& f = analytic_correlation());

/// The part of `scale` that later accesses allow. A task that waits for memory waits for each access: the part of its
/// time in which it waits grows no more than its accesses do (`accesses`: new / base), whatever the blocks say. `base`:
/// times of the task with everything in one memory; `profile`: what it waited. Nothing known of accesses: as it is.
InputScale bounded_scale(const InputScale& scale, double accesses, const HomogeneousTimes& base,
                         const TaskProfile& profile, double cycles_per_nanosecond);

/// Accesses of each task to its objects, new / base; NaN where none were sampled.
std::vector<double> growth_of_accesses(const PhaseProfile& profile, std::span<const AccessEstimate> expected);

/// What the base instance says about homogeneous times, by task.
std::vector<SeenTimes> seen_in_base(const PhaseProfile& base, const Topology& topology,
                                    std::span<const BlockFacts> facts, const Correlation& f = analytic_correlation());

/// What an instance behind the base says about them: derived from its own samples and events.
std::vector<SeenTimes> seen_in(const PhaseProfile& instance, const PhaseProfile& base, const Topology& topology,
                               const InputModel& input);

/// Times of the next instance on objects of the sizes `now` with everything in one memory (section 5.2), by task, as
/// one of the two rules of scaling has them. By our rule later instances refine them, and accesses bound their growth
/// (`growth`: growth_of_accesses; empty: not known); the paper's knows the base alone.
std::vector<HomogeneousTimes> homogeneous_forecast(const PhaseProfile& profile, std::span<const Bytes> now,
                                                   const Topology& topology, const InputModel& input,
                                                   InputScaling scaling, std::span<const double> growth = {});

/// Eq. 2 with the events of the profiled instance and the homogeneous times of the next one, by task. `shifts`: of f,
/// by task; empty: none.
std::vector<TaskTimes> hybrid_forecast(const PhaseProfile& profile, std::span<const HomogeneousTimes> times,
                                       const Topology& topology, const Correlation& f,
                                       std::span<const Shift> shifts = {});

/// hybrid_forecast between a tier and the slowest one. `slow` has the times in the slowest tier; the base instance says
/// what the other tier makes of them. f is taken to be that of the fastest tier.
std::vector<TaskTimes> middle_forecast(const PhaseProfile& profile, std::span<const HomogeneousTimes> slow,
                                       const Topology& topology, TierId tier, const Correlation& f);

/// The forecast of the next instance on `objects`, without a task. `rooms`, by tier: how many bytes managed pages may
/// have there.
PhaseForecast forecast_on(std::span<const SlotRange> objects, const Topology& topology, std::span<const Bytes> rooms);

/// All of this: adds the tasks of a region.
void add_tasks(const PhaseProfile& profile, const Topology& topology, const InputModel& input, PhaseForecast& phase);

}  // namespace lbhm
