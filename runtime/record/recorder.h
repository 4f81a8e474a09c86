// Door of runtime/record: what happens goes in, the run report comes out.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/knowledge/prediction.h"
#include "runtime/migration/mover.h"
#include "runtime/phases/region_index.h"
#include "runtime/phases/region_record.h"
#include "runtime/placement/placement.h"
#include "runtime/record/spool.h"
#include "runtime/record/timeline.h"

namespace lbhm {

/// An object of a phase, for the report.
struct ObjectRecord {
  std::string name;
  Bytes bytes;
  std::optional<SiteId> site{};  ///< where it was allocated; nothing: nobody manages it
  // Of all tasks together:
  std::string kind{};                    ///< its patterns: "stream+gather"
  double alpha = 1;                      ///< that would give `estimated` by Eq. 1
  AccessCount estimated{};               ///< of this instance, before it
  std::optional<AccessCount> counted{};  ///< in this instance; nothing where nothing was sampled
  // Not of all tasks together:
  std::map<std::uint32_t, AccessCount> counted_by_lane{};  ///< in this instance; lanes without an access are left out
  Bytes planned{};                                         ///< what the plan moves to fast memory, at once or later
};

/// What a task was expected to take with everything in one memory, by the rule of scaling that the plan was made with
/// and by the other one.
struct TaskForecastRecord {
  std::uint32_t region = 0;
  LaneId lane;
  HomogeneousTimes planned, other;
  Shift shift{};  ///< of f, as instances showed it
};

struct PlanRecord {
  std::string phase;
  std::string kind{};  ///< of its inputs; may be empty
  std::uint32_t instance = 0;
  Nanoseconds begin{};     ///< of what it moves, on the machine's clock
  Nanoseconds decision{};  ///< on the clock of the host
  MoveReport moves{};
  std::vector<TaskBudget> budget{};  ///< of the same length as `tasks`, or empty
  std::vector<ObjectRecord> objects{};
  InputScaling scaling = InputScaling::sizes;  ///< the rule that was planned by
  std::vector<TaskForecastRecord> tasks{};
  double running_error = std::numeric_limits<double>::quiet_NaN();  ///< of the phase's predictions, after the instance
};

/// What the report says of the run as a whole, from whoever knows it.
struct RunSummary {
  std::string_view machine, fingerprint, policy, correlation;
  bool virtual_time = false;
  bool memory_mode = false;
  Bytes fast_capacity, footprint;
  Nanoseconds measured;  ///< on the machine's clock
  Bytes moved_beside;    ///< at intervals and in the background
  BackgroundReport background{};
  std::vector<std::string> remarks{};
  std::span<const Tier> tiers{};
  std::vector<AccessCount>
      accesses{};  ///< of all of the program, by tier; empty: those of the regions' tasks stand for it
  const Timeline* timeline = nullptr;
  std::vector<SiteWorth> worths{};
};

/// Programs may have millions of instances: the report shows the first ones in full, all of them are in the totals, and
/// the process keeps few of them (spool.h). Not thread-safe.
class Recorder {
 public:
  static constexpr std::uint64_t kept_regions = 2'000, kept_plans = 2'000;

  /// `report`: somebody wants one; without, only totals are kept. `blocks`: with executions of basic blocks.
  Recorder(bool report, bool blocks);

  RegionIndex& regions() { return index_; }

  /// An instance ended. What was predicted of it is held against what was measured, the region's instances so far
  /// together.
  void add(const RegionRecord& region);
  /// Whether the next record is one that the report shows.
  bool keeps_next_region() const { return report_ && added_ < kept_regions; }

  /// A plan was made; its record may change until end_plan(), or the next plan.
  void begin_plan(PlanRecord plan);
  /// Null: none is under way that the report shows.
  PlanRecord* plan() { return plan_ ? &*plan_ : nullptr; }
  bool keeps_next_plan() const { return report_ && plans_ < kept_plans; }
  void end_plan();

  /// Any thread.
  void decided(Nanoseconds spent) { decision_time_.fetch_add(spent.value, std::memory_order_relaxed); }
  void moved(Bytes bytes) { migrated_ += bytes; }
  void lost(std::uint64_t samples) { lost_samples_ += samples; }

  /// The report, schema lbhm.report/1 (docs/files.md). Throws std::bad_alloc.
  std::string report(const RunSummary& run);

 private:
  /// Turning a record into text takes microseconds: it is put off until so many bytes of records wait, or to the end.
  static constexpr std::size_t most_waiting = 768u << 10;
  static std::size_t bytes_of(const RegionRecord& region) {
    return sizeof region + region.tasks.size() * sizeof(TaskRecord);
  }
  void keep_waiting();
  /// lost_regions, lost_plans: of the kept ones.
  std::vector<std::string> remarks(std::uint64_t lost_regions, std::uint64_t lost_plans) const;
  double fast_share(std::span<const AccessCount> of_the_program) const;

  const bool report_, blocks_;
  const std::string program_file_;  ///< read at the start: a program may forbid itself system calls later
  RegionIndex index_;
  std::deque<RegionRecord> waiting_;
  std::size_t waiting_bytes_ = 0;  ///< of these
  std::uint64_t added_ = 0;
  std::optional<PlanRecord> plan_;
  std::uint64_t plans_ = 0;
  Spool kept_regions_, kept_plans_;

  double acv_sum_ = 0;  ///< of standard deviation / mean of task times (A.C.V., section 7.2)
  std::uint64_t acv_instances_ = 0;
  AccessCount accesses_, fast_accesses_;
  std::unordered_map<std::uint32_t, RunningError> region_errors_;  ///< by region
  PredictionTotals prediction_;
  std::atomic<double> decision_time_{0};  ///< nanoseconds
  Bytes migrated_;                        ///< before regions
  std::uint64_t lost_samples_ = 0;
};

}  // namespace lbhm
