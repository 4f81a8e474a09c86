// A parallel region under way, and the lanes that threads execute in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/phases/block_counts.h"
#include "runtime/phases/lane_notes.h"
#include "runtime/phases/named_tasks.h"
#include "runtime/phases/region_record.h"

namespace lbhm {

struct RegionInstance;

struct alignas(64) LaneState {
  RegionInstance* region = nullptr;
  LaneState* outer = nullptr;  ///< of the enclosing region, if this one is nested
  LaneId lane;
  std::uint32_t team_size = 0;
  Nanoseconds segment_begin;  ///< when the lane last went to work
  Nanoseconds busy;
  Nanoseconds counted;         ///< part of `busy` in intervals that PageIntervals has
  std::uint32_t barriers = 0;  ///< passed
  bool working = false;
  WorkAt work;
  /// While it waits it executes an explicit task of which nobody tells but its name: 1, and one more for each wait of
  /// that task.
  unsigned called = 0;
  const void* making = nullptr;     ///< code of the explicit task that it makes
  const void* last_made = nullptr;  ///< of the last one, and its number
  TaskNumber last_construct = 0;
  EventCounts events;  ///< at the begin, then the difference
  std::vector<AccessCount> accesses;
  BlockCounts blocks;                 ///< likewise; empty if nobody wants them
  const SlotIndex* noting = nullptr;  ///< null: nobody wants to know which loops begin
  LaneNotes notes;
  LaneTasks tasks;
};

/// Blocks of states that come into being when one of their lanes begins: programs ask for 10^8 lanes and get eight.
class LaneStates {
 public:
  static constexpr std::uint32_t block_lanes = 64;
  static constexpr std::uint32_t most_blocks = 1024;
  static constexpr std::uint32_t most_lanes = block_lanes * most_blocks;  ///< libomp has 32768 threads at most

  LaneStates();
  ~LaneStates();
  LaneStates(const LaneStates&) = delete;
  LaneStates& operator=(const LaneStates&) = delete;

  /// The block of the first lanes is there: by the thread that forks, before there are lanes. Throws std::bad_alloc.
  void make_first() {
    if (!first_) make_first_block();
  }
  /// Null beyond most_lanes. Lanes may begin at the same time. Throws std::bad_alloc.
  LaneState* make(std::uint32_t lane);
  /// Null: make was never called for the lane's block.
  LaneState* find(std::uint32_t lane) const;

 private:
  void make_first_block();

  struct Block;

  std::unique_ptr<Block> first_;  ///< what most regions need
  struct Others;
  std::atomic<Others*> others_{nullptr};
};

struct RegionInstance {
  const void* code = nullptr;
  RegionInstance* enclosing = nullptr;  ///< of those that the same thread began
  unsigned depth = 0;                   ///< how many enclose it
  std::uint64_t team = 0;
  std::uint32_t lanes = 0;
  std::uint32_t number = 0;             ///< of the construct, where pages are counted or progress is wanted
  bool recorded = false;                ///< outermost and measured
  bool counted = false;                 ///< executions of blocks are wanted
  std::atomic<bool> incomplete{false};  ///< a lane could not be followed
  Nanoseconds begin;
  /// Objects whose loops its lanes note: its own share of them, for another thread may begin a phase meanwhile.
  std::shared_ptr<const SlotIndex> noted;
  LaneStates states;
  RegionRecord record;  ///< reused
};

/// One that nobody uses, as its last user left it, or a new one. Throws std::bad_alloc.
RegionInstance* take_region();
/// Nobody uses it any more.
void give_back_region(RegionInstance* region);

}  // namespace lbhm
