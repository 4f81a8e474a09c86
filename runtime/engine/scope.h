// A scope: what one call site of LB_HM_config plans for, over all its instances.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/engine/object_knowledge.h"
#include "runtime/engine/pattern_notes.h"
#include "runtime/engine/plan_log.h"
#include "runtime/engine/prediction.h"
#include "runtime/engine/region_log.h"
#include "runtime/placement/placement.h"
#include "runtime/sampling/sampling.h"

namespace lbhm::engine {

/// What one lane did in the running instance of a scope, over all its regions.
struct LaneTotals {
  Nanoseconds time;
  EventCounts events;
  std::vector<double> blocks;    ///< executions by counter; empty if they are not counted
  std::vector<NotedBase> notes;  ///< loops that it began; base instance only
};

/// A region of a scope: what is known of its tasks.
struct Part {
  std::optional<ScopeProfile> profile;        ///< of the first instance of the scope that had the region: its base
  ScopeKnowledge knowledge;                   ///< by lane and slot; empty before the base instance
  BlockKnowledge blocks;                      ///< empty where blocks are not counted
  std::vector<std::vector<SeenTimes>> times;  ///< of the last instances behind the base, by lane
  std::uint32_t executions = 1;               ///< of the region in the base instance
  std::vector<double> critical;               ///< by lane, in the last instance: TaskForecast::critical
};

struct Scope {
  std::string name;
  std::uint32_t instances = 0;
  std::vector<std::uintptr_t> last_objects;  ///< of the instance before
  std::map<std::uint32_t, Part> parts;       ///< by region
  std::unique_ptr<SlotIndex> index;          ///< of the base instance's objects
  RunningError error;                        ///< of its predictions
  /// By how much of the time of its regions their tasks missed their predictions: the mean of the last instances, the
  /// policy's assumption at first, and that of the last one, if it was predicted.
  double prediction_error = 0;
  std::optional<double> last_error;
  double access_rate = 0;  ///< of its busiest task so far, accesses a nanosecond

  /// The part of a region, if it has been profiled.
  const Part* part_of(std::uint32_t region) const {
    const auto found = parts.find(region);
    return found != parts.end() && found->second.profile ? &found->second : nullptr;
  }
  bool profiled() const {
    return std::ranges::any_of(parts, [](const auto& part) { return part.second.profile.has_value(); });
  }
};

/// What a region did in the running instance of a scope, in all its executions together.
struct PartRun {
  std::uint32_t executions = 0;
  Nanoseconds time;
  std::vector<LaneTotals> lanes;
  std::vector<Nanoseconds> waited_for;  ///< by lane: how long all others waited for it or worked as long
  std::vector<AccessSample> samples;    ///< of the first executions
  Nanoseconds sampled_time;             ///< of these

  /// A program may plan once and then run millions of regions: the samples of the first ones stand for all. As many as
  /// the report shows, for their predictions are explained from their samples.
  static constexpr std::uint32_t sampled_executions = RegionLog::kept_instances;

  /// An execution ended of which samples begin at `first`.
  void add_sampled(Nanoseconds spent, std::size_t first) {
    time += spent;
    if (executions <= sampled_executions)
      sampled_time += spent;
    else
      samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end());
  }
  /// Accesses that a sample stands for, if it was taken once in `period` accesses.
  AccessCount accesses_a_sample(AccessCount period) const {
    return sampled_time.value > 0 ? period * (time / sampled_time) : period;
  }
};

/// A region instance whose predictions have yet to be explained.
struct Unexplained {
  std::uint64_t record = 0;  ///< in the region log
  std::uint32_t region = 0;
  std::size_t samples[2] = {0, 0};  ///< its samples: [begin, end) of the part's
  ScopeProfile measured;            ///< times, events and blocks; tiers follow from the samples
};

/// What the tasks of a region were expected to take. By lane.
struct PlannedPart {
  std::vector<TaskTimes> tasks;
  std::vector<std::vector<TaskTimes>> middle;  ///< MiddleTier::times of these tasks
  std::vector<TaskBudget> budget;
  double executions = 1;  ///< of the region that these times are of
};

/// What the running instance was planned with. Empty if it was not.
struct PlannedWith {
  std::map<std::uint32_t, PlannedPart> parts;  ///< by region
  const Correlation* f = nullptr;
  std::vector<Unexplained> unexplained;
  ScopeProfile region;  ///< of the region that is ending
};

/// The running instance of a scope.
struct ScopeInstance {
  Scope* scope = nullptr;
  std::optional<std::size_t> plan;  ///< number of the plan that was made for it, if the report shows it
  std::vector<SlotRange> objects;
  std::vector<ObjectRecord> object_records;  ///< of the same length
  std::map<std::uint32_t, PartRun> parts;    ///< by region
  PlannedWith planned;
  bool sampled = true;
  Nanoseconds missed;     ///< by region the largest difference of a task to its prediction, all regions together
  Nanoseconds predicted;  ///< time of the regions that were predicted
  std::uint64_t lost_samples = 0;
};

/// All scopes. One call of LB_HM_config in the source may have several addresses, because the compiler unrolled a loop
/// or inlined a function: calls from one function that list the same objects are one scope.
class ScopeTable {
 public:
  /// The scope of a call at `site` with these objects.
  Scope& at(const void* site, const std::vector<SlotRange>& objects, const std::vector<ObjectRecord>& records);
  bool empty() const { return by_site_.empty(); }

 private:
  std::vector<std::unique_ptr<Scope>> scopes_;
  std::unordered_map<const void*, Scope*> by_site_;
  std::unordered_map<std::string, Scope*> by_list_;
};

struct ScopeBook {
  ScopeTable table;
  std::optional<ScopeInstance> running;
  PlanLog plans;
  std::unordered_map<std::uint32_t, RunningError> region_errors;  ///< by region
  PredictionTotals prediction;
  Bytes migrated;  ///< before regions
  std::uint64_t begun = 0;
  std::uint64_t lost_samples = 0;
};

}  // namespace lbhm::engine
