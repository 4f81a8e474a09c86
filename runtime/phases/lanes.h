// Parallel constructs as a front reports them: when each lane worked, what it counted.
// Everything but the first region of a thread and RegionSink stands on the hot path of a fork and join.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "runtime/machine/machine.h"
#include "runtime/phases/page_intervals.h"
#include "runtime/phases/region_instance.h"

namespace lbhm {

/// The lane that the calling thread executes; null outside of regions.
extern constinit thread_local LaneState* current_lane;

/// `lane`: that the calling thread executes, null outside of parallel constructs; `now`: of its clock. Throws
/// std::bad_alloc.
Reading read_lane(Machine& machine, const LaneState* lane, Nanoseconds now);
inline Reading read_lane(Machine& machine, const LaneState* lane) {
  return read_lane(machine, lane, machine.execution().now());
}

/// Who is told of regions that have ended: outermost ones, measured. Called by the thread that forked.
class RegionSink {
 public:
  virtual ~RegionSink() = default;
  /// The number of the construct at `code`, the same in every run. Called where pages are counted or progress is
  /// wanted.
  virtual std::uint32_t number_of(const void* code) = 0;
  /// A region is about to begin, on the thread that forks. May throw std::bad_alloc: it begins all the same.
  virtual void region_begins(const void* code) = 0;
  /// All lanes are done. May throw std::bad_alloc: the instance is forgotten then.
  virtual void region_ended(RegionInstance& region, Nanoseconds end) = 0;
  /// What was told of an instance is not to be learned from: there was no memory for all of it.
  virtual void region_forgotten() = 0;
};

/// What is recorded of lanes; fixed when the engine starts.
struct LaneWishes {
  bool machine_counts = false;  ///< events and accesses
  bool progress = false;        ///< running()
};

/// Calls come from the threads that they are about. Nothing throws.
class Lanes {
 public:
  Lanes(Machine& machine, LaneWishes wishes, PageIntervals& intervals, RegionSink& sink)
      : machine_(machine), execution_(machine.execution()), wishes_(wishes), intervals_(intervals), sink_(sink) {}

  /// As the functions of the same names in engine.h.
  RegionInstance* region_begin(const void* code);
  void region_end();
  static RegionInstance* forked_region();
  void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size);
  void lane_end();
  bool wait_begin(Wait kind, const void* what);
  void wait_end(Wait kind, const void* what);
  /// The machine's execution for the calling lane; null if the calling thread is none that is followed.
  Execution* followed_execution() { return current_lane && unfollowed_lanes == 0 ? &execution_ : nullptr; }

  /// From here on the calling lane works at the task of that name; empty: at none.
  void work_on(std::string_view task);
  // Explicit tasks, as the functions of the same names in engine.h.
  static const void* makes_task(const void* code);
  WorkAt fresh_task(const void* code);
  WorkAt go_on_with(const WorkAt& next);

  /// What happens in a pause (omp_control_tool) is not recorded. Called outside of regions.
  void record(bool on) { recording_ = on; }
  bool recording() const { return recording_; }
  /// From the next region on: executions of basic blocks are wanted.
  void count_blocks(bool on) { counting_.store(on, std::memory_order_relaxed); }
  /// Objects whose loops the lanes of the next regions note; null: none.
  void note_loops(std::shared_ptr<const SlotIndex> objects);
  /// The outermost region under way, if there is one and progress is wanted. Any thread.
  std::optional<RunningRegion> running() const;
  /// Regions that were nested too deeply to be followed.
  std::uint64_t too_deep() const { return too_deep_.load(std::memory_order_relaxed); }

  /// Lanes that the calling thread executes within current_lane, if there is one, and nobody follows.
  static constinit inline thread_local unsigned unfollowed_lanes = 0;

 private:
  RegionInstance* fresh_region();
  std::shared_ptr<const SlotIndex> noted_objects();
  void begin(RegionInstance& region, const void* code);
  void begin(RegionInstance& region, LaneState& state, LaneId lane, std::uint32_t team_size);
  bool close(LaneState& state);
  void end_counts(LaneState& state);
  /// The calling lane, if anybody wants to know what tasks did.
  LaneState* lane_with_tasks() const;
  void note_task(LaneState& state, TaskNumber task, Nanoseconds now);
  void work_while_waiting(LaneState& state, bool works);
  void report_progress(RunningRegion region);

  Machine& machine_;
  Execution& execution_;
  const LaneWishes wishes_;
  PageIntervals& intervals_;
  RegionSink& sink_;
  bool recording_ = true;
  std::atomic<bool> counting_{false};
  std::atomic<bool> notes_loops_{false};  ///< noted_ is not null: most regions need not take the lock
  std::mutex noted_lock_;
  std::shared_ptr<const SlotIndex> noted_;
  std::atomic<std::uint64_t> too_deep_{0};
  static constexpr std::uint64_t nothing_runs = ~std::uint64_t{0};
  std::atomic<std::uint64_t> running_{nothing_runs};  // number << 32 | barriers
};

}  // namespace lbhm
