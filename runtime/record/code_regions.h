// Part of the door of runtime/record: code regions as the markers of the compiler plugin tell of them
// (lbhm/code_regions.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/phases/lanes.h"

namespace lbhm {

/// From now on code regions are measured on this machine, `most_measured` executions of a region by a thread; later
/// ones are only counted. `used` is set by the first one: programs without OpenMP have a report, too. All are kept by
/// reference.
void measure_code_regions(Machine& machine, const Lanes& lanes, std::uint64_t most_measured, std::atomic<bool>& used);
/// The run is over.
void stop_code_regions();

}  // namespace lbhm
