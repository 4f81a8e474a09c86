// What a phase has learnt of each object in each of its tasks: its patterns, how its accesses grow, and what the task
// waits for at them.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "runtime/machine/machine.h"
#include "runtime/patterns/patterns.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

struct ObjectKnowledge {
  ObjectPatterns patterns;     ///< from the compiler; if it said nothing, one from samples
  AlphaRefinement refinement;  ///< of Eq. 1, by the counts of all instances so far
  Nanoseconds waited{};        ///< for its samples of late, had slow memory served them all
  double samples = 0;          ///< so many
};

/// [lane][slot]
using KnownObjects = std::vector<std::vector<ObjectKnowledge>>;

/// alpha of Eq. 1 for one object of a task (section 4): from its patterns, or refined if one of them that matters is
/// random, unknown, or a stencil that depends on the input. `line`: of the caches.
double alpha_of(const ObjectKnowledge& object, Bytes base, Bytes now, Bytes line, const StencilTable& stencils);

/// For how many lines' time a memory that moves whole blocks (Tier::granularity) is busy with one access to main
/// memory: neighbours use all lines of a block, a stride of a block and random accesses one of them.
double lines_an_access(const ObjectPatterns& patterns, Bytes line, Bytes block);

/// The patterns of an object in words, those of all tasks together.
std::string kind_of(const KnownObjects& knowledge, std::size_t slot);

/// How far apart the elements of each object are, by its most frequent pattern: a structure's size where its fields are
/// accessed with that step. 0 where no pattern is known.
std::vector<Bytes> elements_of(const KnownObjects& knowledge, std::size_t slots);

/// What the base instance taught about the patterns. `notes`: by lane. Of objects of which the compiler said nothing
/// the user's hint holds (`hints`: by slot), and without one they are classified from samples.
KnownObjects learn_patterns(const PatternCatalog& catalog, std::span<const std::vector<NotedBase>> notes,
                            std::span<const AccessSample> samples, AccessCount period,
                            std::span<const SlotRange> objects, std::span<const std::optional<PatternKind>> hints,
                            Bytes line);

/// Of an object, as growth is reckoned from: a page at least, if there is one.
inline Bytes reckoned_size(Bytes bytes) { return bytes.value == 0 ? bytes : std::max(bytes, Bytes(4096)); }

/// A lane's accesses by slot, `slots` of them.
std::vector<AccessCount> by_slot(const LaneCounts& lane, std::size_t slots);

/// What lanes waited for at the samples of an instance, by object. A lane cannot have waited at an access for longer
/// than it takes from one access to the next: the time between two samples by the `period`. So an access that others
/// overlap, or a prefetch is ahead of, waits for little, whatever its own latency.
void observe_waits(KnownObjects& known, std::span<const AccessSample> samples, std::span<const SlotRange> objects,
                   AccessCount period, const Topology& topology);

/// By slot: what an access of the task waits for, over the mean of all its accesses. Empty if nothing is known.
std::vector<double> relative_waits(std::span<const ObjectKnowledge> task);

/// Adds the counts of an instance, by slot, to the refinements. `a_sample`: accesses that each sample stands for.
void observe(std::vector<ObjectKnowledge>& task, std::span<const SlotRange> objects,
             std::span<const AccessCount> counted, AccessCount a_sample);

}  // namespace lbhm
