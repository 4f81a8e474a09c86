// Door of runtime/engine: the loop in which the rooms meet, as libomp-ext sees it.
// Everything here may be called from callbacks of the OpenMP runtime: nothing throws, and on trouble the program goes
// on as if LB-HM were not there.
#pragma once

#include <cstdint>
#include <span>

#include "lbhm/units.h"

namespace lbhm::engine {

/// Reads the settings and makes the machine. Called once, before the first other call; later calls do nothing.
void start();
/// True if a machine with several tiers is there or a report was asked for: only then are the callbacks needed.
bool active();
/// Writes the report. Called once, at the end of the program.
void finish();

/// One execution of a parallel construct.
struct RegionInstance;

RegionInstance* region_begin(const void* codeptr);
void lane_begin(RegionInstance* region, LaneId lane, std::uint32_t team_size);
enum class WaitKind : std::uint8_t { barrier, join, mutex, tasks };
void wait_begin(RegionInstance* region, LaneId lane, WaitKind kind, const void* what);
void wait_end(RegionInstance* region, LaneId lane, WaitKind kind, const void* what);
void mutex_released(const void* mutex);
void region_end(RegionInstance* region);
/// Around calls of the OpenMP runtime whose outcome depends on who comes first (dynamic schedules, single).
void ordered_begin();
void ordered_end();
/// omp_control_tool: start and pause.
void measure(bool on);

/// What the custom traits of an allocator ask for (omp_traits.h).
struct MemoryTraits {
  bool managed = false;
  bool migratable = true;
  int tier_hint = -1;          ///< -1: none
  const char* name = nullptr;  ///< copied
};

/// Memory for a managed object, page-aligned and zeroed; null if there is none.
void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits);
/// True, and the memory is gone, if `address` came from allocate_object.
bool release_object(void* address);
/// Bytes asked for at allocate_object; 0 if `address` did not come from there.
Bytes object_bytes(const void* address);

/// One object of LB_HM_config. bytes = 0: ask the registry.
struct ConfiguredObject {
  const void* address = nullptr;
  Bytes bytes;
};

/// Plans for the regions that follow. `site` tells calls of LB_HM_config apart. Returns an opaque handle, or null with
/// last_error() set.
void* configure(const void* site, std::span<const ConfiguredObject> objects);
/// Sentence about the last failure on this thread; empty if there was none.
const char* last_error();
void set_last_error(const char* sentence);

}  // namespace lbhm::engine
