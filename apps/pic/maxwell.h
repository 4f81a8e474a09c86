// Maxwell's equations by finite differences in time domain (Yee), on the cells of one box. Units: c = 1.
#pragma once

#include "apps/pic/plasma.h"

namespace pic {

/// B over half a time step, from E with its guard cells.
void advance_b(Box& box, double courant);
/// E over a time step, from B with its guard cells and J.
void advance_e(Box& box, double courant, double dt);

}  // namespace pic
