// A time step of a plasma in parallel regions, with a static partition of the boxes over the threads.
#pragma once

#include <cstddef>

#include "apps/pic/plasma_boxes.h"

namespace pic {

/// Particles, fields, exchange, in WarpX's order (its manual, "PIC algorithm"): the state before and after has x, E and
/// B at one time, u half a step earlier; guard cells of E and B are filled. A thread has consecutive boxes, equally
/// many as the others have. The result is the same for any number of threads.
void advance(Plasma& plasma, unsigned threads);

/// Sorts all particles by cell.
void sort_particles(Plasma& plasma, unsigned threads);

// Particles that left their box go to the neighbour, in an order that does not depend on the threads.

/// Makes room for what push() counted: the only memory that is asked for while a plasma runs.
void make_room(Plasma& plasma);
/// Moves the particles that left a box into its outbox, and gives them positions inside of the domain.
void send(Plasma& plasma, std::size_t number);
/// Appends what the neighbours' outboxes have for a box, neighbour by neighbour.
void receive(Plasma& plasma, std::size_t number);

// Particles of a box in the order of their cells, so that neighbours in memory read neighbouring fields. WarpX does it
// every few steps (warpx.sort_intervals).

/// Counting sort, row by row; particles of one cell keep their order. All of them are in the box.
void sort_by_cell(Box& box);

}  // namespace pic
