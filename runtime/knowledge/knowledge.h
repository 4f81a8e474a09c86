// Door of runtime/knowledge: what was learnt of each phase, and what its next instance will do.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "model/model.h"
#include "runtime/knowledge/block_profile.h"
#include "runtime/knowledge/forecast.h"
#include "runtime/knowledge/object_knowledge.h"
#include "runtime/knowledge/phase_forecast.h"
#include "runtime/knowledge/prediction.h"
#include "runtime/objects/objects.h"
#include "runtime/patterns/patterns.h"
#include "runtime/phases/phases.h"

namespace lbhm {

/// The basic blocks that some task of a region has executed, in the order in which they were met: programs have
/// thousands, a region a hundred. What is known of blocks is by these numbers.
class ExecutedBlocks {
 public:
  /// Counts by counter, of one task: those that are new get the next numbers. Returns the counts by number.
  std::vector<double> take(std::span<const double> by_counter);
  /// The same without new ones.
  std::vector<double> counts(std::span<const double> by_counter) const;
  std::vector<BlockFacts> facts(std::span<const BlockFacts> by_counter) const;
  std::size_t size() const { return counters_.size(); }

 private:
  std::vector<std::uint32_t> counters_;  // by number
  std::vector<bool> known_;              // by counter
};

/// What is known of the tasks of a region of a phase.
struct RegionKnowledge {
  PhaseProfile profile;   ///< of the first instance of the phase that had the region: its base
  KnownObjects objects;   ///< by lane and slot
  BlockKnowledge blocks;  ///< empty where blocks are not counted; by number of `executed`
  ExecutedBlocks executed;
  std::vector<SeenTimes> base;     ///< of the base, by lane
  const Correlation* f = nullptr;  ///< that they were derived with, of the last forecast; null: they were not
  std::vector<std::vector<SeenTimes>> times;  ///< of the last instances behind the base, by lane
  std::uint32_t executions = 0;               ///< of the region in the base instance; 0: before that
};

/// By number of the region: those that have had their base instance.
using PhaseKnowledge = std::map<std::uint32_t, RegionKnowledge>;

/// What an instance taught that a report shows: its accesses, by slot.
struct CountedAccesses {
  std::vector<AccessCount> sums;
  std::vector<std::map<std::uint32_t, AccessCount>> by_lane;  ///< lanes without an access are left out
};

/// What files and settings say, constant afterwards.
struct KnowledgeSources {
  StencilTable stencils{};                ///< of the machine
  std::optional<BlockProfile> profile{};  ///< what blocks take, where it was measured
  InputScaling scaling = InputScaling::sizes;
};

/// All phases' knowledge. Not thread-safe, but for patterns().
class Knowledge {
 public:
  Knowledge(const Topology& topology, KnowledgeSources sources) : topology_(topology), sources_(std::move(sources)) {}

  PhaseKnowledge& of(const Phase& phase) { return phases_[phase.number]; }
  PatternCatalog& patterns() { return patterns_; }
  const KnowledgeSources& sources() const { return sources_; }

  /// What a finished instance says. The first that had a region leaves its profile and what is known of the objects
  /// there; each later one refines that. `hints`: by slot, what the user said of objects; `period`: one access in so
  /// many was sampled; `follow_pages`: pages are expected to be used as in the last instances. Throws std::bad_alloc.
  CountedAccesses learn(const PhaseInstance& run, std::span<const std::optional<PatternKind>> hints, AccessCount period,
                        bool follow_pages);

  /// The forecasts of all regions of the phase that have been profiled, as one: TaskForecast::region counts them in the
  /// order of PhaseKnowledge. `placement` says where the pages are now, `rooms`, by tier, how many bytes managed pages
  /// may have there.
  PhaseForecast forecast_of(const PhaseInstance& run, PagePlacement placement, std::span<const Bytes> rooms,
                            const Correlation& f);

  /// The times that the tasks would be planned by under the other rule of scaling, in the order of the forecast.
  std::vector<HomogeneousTimes> times_by_other_rule(const PhaseInstance& run);

  /// What was expected of an object, all tasks together.
  struct ObjectEstimate {
    std::string kind;      ///< its patterns: "stream+gather"
    AccessCount accesses;  ///< of this instance, before it
    double alpha = 1;      ///< that would give `accesses` by Eq. 1
  };
  /// By slot.
  std::vector<ObjectEstimate> estimates(const PhaseInstance& run, const PhaseForecast& forecast);

 private:
  /// With the f of the last forecast.
  InputModel input_of(RegionKnowledge& region) const;
  void learn_region(const PhaseInstance& run, const RegionRun& now, std::span<const std::optional<PatternKind>> hints,
                    AccessCount period, bool follow_pages, RegionKnowledge& known, CountedAccesses& counted);
  void learn_patterns_of(const PhaseInstance& run, const RegionRun& now,
                         std::span<const std::optional<PatternKind>> hints, AccessCount period, RegionKnowledge& known);
  void learn_blocks(const PhaseInstance& run, const RegionRun& now, RegionKnowledge& known) const;

  const Topology& topology_;
  KnowledgeSources sources_;
  PatternCatalog patterns_;
  std::map<std::uint32_t, PhaseKnowledge> phases_;  ///< by number
  const Correlation* f_ = &analytic_correlation();
};

}  // namespace lbhm
