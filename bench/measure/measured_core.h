// What a core is like. Every function measures once; nan: not measurable here.
#pragma once

#include <span>

#include "bench/measure/code.h"
#include "bench/measure/kernels/lines.h"

namespace measure {

/// Cycles a nanosecond: a chain of dependent additions of registers takes one cycle each.
double frequency_ghz();

/// Cycles of a floating-point addition whose result the next one needs.
double addition_cycles();

/// Instructions a cycle, at most: no-operations, and additions without a dependence mixed with them.
double dispatch_width();

/// Cycles that a mispredicted branch costs, from the load that it depends on to the next instruction: branches on
/// random bytes against branches on equal ones; of the random ones the predictor can only get half.
double misprediction_cycles();

/// How many `filler` instructions fit between two loads that miss before they no longer overlap: Wong, "Measuring
/// Reorder Buffer Capacity", 2013. With no-operations it is the reorder window, with stores the store buffer. `most`
/// is the largest number that is tried. `lines` are linked to a chase through memory.
double window(std::span<const Line> lines, Bytes filler, std::size_t most);

}  // namespace measure
