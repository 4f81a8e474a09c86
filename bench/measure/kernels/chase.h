// Pointer chases: each load needs the one before, so the time of a step is a latency.
//
// Two latencies are told apart, both load to use, with the translation of the address at hand:
//   random      the line is unrelated to the one before;
//   sequential  the line is the neighbour (+64 bytes) of the one before, and no prefetcher has asked for it.
// A walk from neighbour to neighbour would be prefetched. So a chase goes through runs of 1 or 2 lines in random order:
// with runs of 1 every step takes the random latency R; with runs of 2 every other step takes the sequential one S, and
// no stride ever follows itself. n steps take n R and n (R + S) / 2, so S is twice the second time minus the first,
// over n. Where hardware fetches lines in pairs, S is nearly nothing, and that is true of such hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/measure/kernels/lines.h"

namespace measure {

/// Links `lines` to one cycle, which starts at the first line. Lines of a block of `block` lines come one after the
/// other, in runs of `run` neighbours; the runs are in random order, the same at every call. `lines.size()` is cut to a
/// multiple of `run`. A block smaller than what the TLB reaches keeps page walks out of the time.
/// Returns how many lines are in the cycle.
std::size_t link_chase(std::span<Line> lines, std::size_t block, std::size_t run);

/// Goes `steps` steps from `line`. Returns where it ends: use it, or the compiler removes the walk.
const Line* chase(const Line* line, std::size_t steps);

}  // namespace measure
