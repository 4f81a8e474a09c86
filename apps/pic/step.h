// A time step of a plasma in parallel regions, with a static partition of the boxes over the threads.
#pragma once

#include "apps/pic/plasma.h"

namespace pic {

/// Particles, fields, exchange, in WarpX's order (its manual, "PIC algorithm"): the state before and after has x, E and
/// B at one time, u half a step earlier; guard cells of E and B are filled. A thread has consecutive boxes, equally
/// many as the others have. The result is the same for any number of threads.
void advance(Plasma& plasma, unsigned threads);

/// Sorts all particles by cell.
void sort_particles(Plasma& plasma, unsigned threads);

}  // namespace pic
