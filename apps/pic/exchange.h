// Particles that left their box go to the neighbour, in an order that does not depend on the threads.
#pragma once

#include <cstddef>

#include "apps/pic/plasma.h"

namespace pic {

/// Makes room for what push() counted: the only memory that is asked for while a plasma runs.
void make_room(Plasma& plasma);
/// Moves the particles that left a box into its outbox, and gives them positions inside of the domain.
void send(Plasma& plasma, std::size_t number);
/// Appends what the neighbours' outboxes have for a box, neighbour by neighbour.
void receive(Plasma& plasma, std::size_t number);

}  // namespace pic
