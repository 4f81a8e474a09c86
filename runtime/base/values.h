// The values that travel from room to room.
//
//   AccessSample -> TaskProfile -> AccessEstimate -> TaskTimes -> Budget -> MigrationPlan -> MoveReport
//
// Words (docs/words.md has the long form):
//   tier      memory of one speed class; tier 0 is the fastest. Two or more; nothing here assumes two.
//   task      what must finish before the others can go on: (region, lane).
//   lane      OpenMP thread number in the team.
//   region    a parallel construct. An instance is one execution of it; the base instance is the first one.
//   phase     what one call of LB_HM_config plans for: the regions from it to the next such call.
//   object    a managed allocation; slot: its position in the list given to LB_HM_config.
//   access    an access to main memory, that is, a miss of the last-level cache.
//   budget    what a task may have of the fast memory.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lbhm/access_pattern.h"
#include "runtime/base/units.h"

namespace lbhm {

/// Who had the line of an access.
enum class ServedBy : std::uint8_t {
  memory,      ///< a tier, and the access waited for it: what most sources sample is nothing else
  prefetcher,  ///< a tier, and the line was on its way
  l1,          ///< the first-level cache
  l2,
  llc,
};
inline constexpr std::size_t servers = 5;

/// Loads that waited for less, in cycles, came from a prefetch that was in time: the default of `perf mem --ldlat`
/// (PEBS' threshold of load latency).
inline constexpr double exposed_cycles = 30;

/// One sampled access, as PEBS, IBS or the emulator report it.
struct AccessSample {
  std::uintptr_t address = 0;
  LaneId lane;
  TierId tier = no_tier;  ///< where the access was served; no_tier: by a cache
  ServedBy by = ServedBy::memory;
  bool write = false;
  Nanoseconds latency;  ///< from issue to data, queueing included
  Nanoseconds time;     ///< on the clock of the machine
  double weight = 1;    ///< it stands for so many times the accesses that the period says (SampleFeed::change_period)
};

/// Raw hardware events of one lane over an interval. A negative value means "this machine cannot count it".
struct EventCounts {
  double instructions = 0;
  double cycles = 0;
  double memory_wait_cycles = 0;  ///< cycles in which retirement waited for main memory
  double l2_load_misses = 0;
  double l3_load_misses = 0;
  double llc_misses = 0;  ///< loads, stores and prefetches that went to main memory
  double prefetches = 0;
  double prefetch_misses = 0;  ///< prefetches that themselves missed the last-level cache
  double branches = 0;
  double branch_mispredictions = 0;
  double vector_instructions = 0;
  double useless_prefetches = 0;   ///< lines that a prefetcher asked for and nobody wanted
  double load_occupancy = 0;       ///< loads from main memory under way, summed over the cycles
  double load_cycles = 0;          ///< cycles in which at least one was
  double buffers_full_cycles = 0;  ///< cycles in which a load waited for a fill buffer
  double page_cycles_2 = 0;        ///< cycles in which loads from main memory were under way from at least 2 pages
  double page_cycles_4 = 0;
  double page_cycles_8 = 0;
};

/// The paper's eight workload characteristics (section 5.1), in its order of importance.
/// NaN where the machine cannot count one of the events it is made of.
struct TaskEvents {
  static constexpr std::size_t count = 8;
  static constexpr std::array<const char*, count> names{"LLC_MPKI",   "IPC",    "PRF_Miss", "MEM_WCY",
                                                        "L2_LD_Miss", "BR_MSP", "VEC_INS",  "L3_LD_Miss"};
  std::array<double, count> values{};
};

/// Accesses of one task to one page.
struct PageCount {
  ObjectSlot slot;
  PageIndex page;
  AccessCount count;
};

/// What a tier contributed to a task.
struct TierShare {
  AccessCount accesses;
  Nanoseconds mean_latency;
  AccessCount writes;  ///< how many of the accesses were stores: their lines will be written back, too
};

/// One task in its base instance: how long it took, what it touched, how it behaved.
struct TaskProfile {
  LaneId lane;
  Nanoseconds time;  ///< time at work, waiting at barriers excluded
  EventCounts events;
  std::vector<TierShare> tiers;  ///< by TierId
  std::vector<PageCount> pages;  ///< sorted by (slot, page), each pair once
  std::vector<double> blocks{};  ///< executions of basic blocks, by counter number; empty if they are not counted
  double samples = 0;            ///< that the pages rest on; 0: all accesses were counted
};

/// What is known of a basic block before the program runs. By counter number, as TaskProfile::blocks.
struct BlockFacts {
  bool input_independent = false;  ///< executed as often whatever the input is
  double instructions = 0;         ///< of one execution; 0: unknown
  Nanoseconds slow{-1};            ///< one execution with everything in slow memory; negative: not measured
  Nanoseconds fast{-1};            ///< the same in fast memory
};

/// All tasks of a region of a phase, from its base instance.
struct PhaseProfile {
  std::vector<TaskProfile> tasks;   ///< by lane
  std::vector<Bytes> object_bytes;  ///< S_base of Eq. 1, by slot
  Nanoseconds time;                 ///< wall time of the instance on the machine's clock
};

/// Expected accesses of one task to a run of neighbouring pages.
struct ExtentEstimate {
  ObjectSlot slot;
  PageIndex first;
  std::uint64_t pages = 0;
  AccessCount count;
};

/// Eq. 1 applied to one task and the objects of a new instance.
struct AccessEstimate {
  LaneId lane;
  AccessCount total;
  std::vector<ExtentEstimate> extents;  ///< sorted by (slot, first), not overlapping
};

/// Predicted time of one task for every share of its accesses in fast memory (Eq. 2).
struct TaskTimes {
  static constexpr std::size_t points = 21;  ///< r = 0, 0.05, ..., 1: the paper's steps of 5 %
  LaneId lane;
  Nanoseconds slow_only;
  Nanoseconds fast_only;
  std::array<Nanoseconds, points> curve{};

  static constexpr double share(std::size_t point) { return static_cast<double>(point) / (points - 1); }
};

/// What slows a program down when an object is in slow memory, as the user says (omp_traits.h).
enum class Sensitivity : std::uint8_t { none, bandwidth, latency };

/// One pattern of one object in one task: how it accesses it.
struct AccessPattern {
  PatternKind kind = PatternKind::unknown;
  Bytes element{8};              ///< of one access
  std::int64_t stride = 0;       ///< bytes from one access to the next, signed; 0 if there is no constant one
  std::uint32_t dimensions = 0;  ///< stencil: 1, 2 or 3, in how many directions its neighbours lie
  std::uint32_t points = 0;      ///< stencil: how many elements it reads, 5 for the 5-point stencil
  bool input_dependent = false;  ///< stencil: where its neighbours lie depends on data
  bool write = false;
  double weight = 1;  ///< share of the task's accesses to the object, before caches; of all patterns together 1
};

/// What one task is given.
struct TaskBudget {
  LaneId lane;
  double fast_share = 0;      ///< r_dram_acc: share of its accesses that should be fast
  AccessCount fast_accesses;  ///< the goal that page selection works towards
  Bytes fast_bytes;
  Nanoseconds predicted;  ///< time at this share
};

struct Budget {
  std::vector<TaskBudget> tasks;
};

/// Mean of |predicted / measured - 1| so far.
class RunningError {
 public:
  /// Times that are no positive numbers are no prediction, or no work: they are left out.
  void add(Nanoseconds predicted, Nanoseconds measured) {
    if (!(predicted.value > 0) || !(measured.value > 0)) return;
    sum_ += std::abs(predicted / measured - 1);
    ++tasks_;
  }
  std::uint64_t tasks() const { return tasks_; }
  /// NaN before anything was predicted.
  double mean() const { return tasks_ ? sum_ / static_cast<double>(tasks_) : std::numeric_limits<double>::quiet_NaN(); }

 private:
  double sum_ = 0;
  std::uint64_t tasks_ = 0;
};

/// What earlier instances of a phase have shown.
struct PhaseHistory {
  std::uint32_t instances = 0;  ///< before this one
  bool profiled = false;        ///< one of them was its base instance
  RunningError error{};         ///< of the predictions of all tasks
  /// By how much of the time of its regions their tasks missed their predictions: that of the last one, if it was
  /// predicted, and the mean of the last ones, which is the policy's assumption at first.
  std::optional<double> last_error{};
  double prediction_error = 0;
  Nanoseconds time{};      ///< of the regions of the last one
  Nanoseconds deciding{};  ///< what the last decision that rested on a forecast took; before: takes at least
};

/// A parallel region under way, and how far it is.
struct RunningRegion {
  std::uint32_t number = 0;    ///< of the construct, the same in every run
  std::uint32_t barriers = 0;  ///< that its first lane has passed
  auto operator<=>(const RunningRegion&) const = default;
};

/// Neighbouring pages.
struct PageRange {
  std::uintptr_t address = 0;  ///< page-aligned
  Bytes bytes;                 ///< a multiple of the page size
};

/// A run of pages and the tier that they should be in.
struct PageMove {
  std::uintptr_t address = 0;  ///< page-aligned
  Bytes bytes;                 ///< a multiple of the page size
  TierId to;
};

/// Carried out in order: what stands first matters most.
struct MigrationPlan {
  std::vector<PageMove> moves;
};

/// What became of a plan.
struct MoveReport {
  Bytes moved;                ///< copied between tiers, evictions included
  Bytes evicted;              ///< the part of `moved` that left fast memory to make room
  Bytes placed;               ///< not touched yet: will appear in the right tier, nothing was copied
  Bytes failed;               ///< stayed where it was
  Bytes left;                 ///< not asked for: the time was over
  std::string first_failure;  ///< one sentence, empty if nothing failed
};

}  // namespace lbhm
