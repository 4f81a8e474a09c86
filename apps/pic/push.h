// Field gather and momentum and position push of the particles of one box.
// Sources: C. Birdsall, A. Langdon, "Plasma Physics via Computer Simulation", 1985, sections 4-3, 4-4, 15-4 (Boris'
// rotation, relativistic); the energy-conserving gather of WarpX: a component is constant in the directions in which it
// is staggered and linear in the others.
#pragma once

#include "apps/pic/plasma.h"

namespace pic {

/// u from t - dt/2 to t + dt/2, x from t to t + dt. Counts those who leave the box in its outbox. A particle that left
/// has its position unwrapped, less than a cell outside.
void push(Box& box, double h, double dt);

}  // namespace pic
