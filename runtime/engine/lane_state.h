// What the engine knows of a parallel region under way, and of the lane that a thread executes in it.
#pragma once

#include <atomic>
#include <vector>

#include "runtime/engine/block_counts.h"
#include "runtime/engine/lane_states.h"
#include "runtime/engine/pattern_notes.h"
#include "runtime/engine/region_log.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

struct alignas(64) LaneState {
  RegionInstance* region = nullptr;
  LaneState* outer = nullptr;  ///< of the enclosing region, if this one is nested
  LaneId lane;
  Nanoseconds segment_begin;  ///< when the lane last went to work
  Nanoseconds busy;
  Nanoseconds counted;              ///< part of `busy` in phases that have ended
  std::uint32_t phase = 0;          ///< barriers passed; kept where pages are counted
  Nanoseconds phased;               ///< part of `busy` in `phases`
  std::vector<Nanoseconds> phases;  ///< of `busy`, between the barriers of the region; the first ones if there are many
  bool working = false;
  bool waiting = false;  ///< in a barrier or for a mutex: its time is not work, whatever the runtime does in it
  EventCounts events;    ///< at the begin, then the difference
  std::vector<AccessCount> accesses;
  BlockCounts blocks;                 ///< likewise; empty if nobody wants them
  const SlotIndex* noting = nullptr;  ///< null: nobody wants to know which loops begin
  LaneNotes notes;
};

struct RegionInstance {
  const void* code = nullptr;
  RegionInstance* enclosing = nullptr;  ///< of those that the same thread began
  unsigned depth = 0;                   ///< how many enclose it
  std::uint64_t team = 0;
  std::uint32_t lanes = 0;
  std::uint32_t number = 0;             ///< of the construct, where pages are counted
  bool recorded = false;                ///< outermost and measured
  bool counted = false;                 ///< executions of blocks are wanted
  bool phased = false;                  ///< times between its barriers are wanted
  std::atomic<bool> incomplete{false};  ///< a lane could not be followed
  Nanoseconds begin;
  LaneStates states;
  RegionRecord record;  ///< reused
};

/// The lane that the calling thread executes; null outside of regions.
extern constinit thread_local LaneState* current_lane;

/// Lanes that the calling thread executes within current_lane, if there is one, and the engine does not follow.
inline constinit thread_local unsigned unfollowed_lanes = 0;

/// The lane has reached the barrier that ends the region. True if it is called back for explicit tasks; else its work
/// is done.
bool close_lane(Engine& e, LaneState& state);

}  // namespace lbhm::engine
