// Particles of a box in the order of their cells, so that neighbours in memory read neighbouring fields. WarpX does it
// every few steps (warpx.sort_intervals).
#pragma once

#include "apps/pic/plasma.h"

namespace pic {

/// Counting sort, row by row; particles of one cell keep their order. All of them are in the box.
void sort_by_cell(Box& box);

}  // namespace pic
