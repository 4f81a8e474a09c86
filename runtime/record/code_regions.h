// Part of the door of runtime/record: code regions as the markers of the compiler plugin tell of them
// (lbhm/code_regions.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "runtime/phases/lanes.h"

namespace lbhm {

/// From now on code regions are measured on this machine, `most_measured` executions of a region by a thread; later
/// ones are only counted. `used` is set by the first one: programs without OpenMP have a report, too. All are kept by
/// reference.
void measure_code_regions(Machine& machine, const Lanes& lanes, std::uint64_t most_measured, std::atomic<bool>& used);
/// Says of how many regions the time without nested ones is not known because these ran more than `most_measured`
/// times; empty: of none.
std::string remark_of_code_regions();
/// The run is over.
void stop_code_regions();

}  // namespace lbhm
