// Current deposition that keeps the continuity equation, and Gauss' law with it, to rounding.
// Source: T. Esirkepov, "Exact charge conservation scheme for Particle-in-Cell simulation with an arbitrary
// form-factor", Comp. Phys. Comm. 135(2), 2001, with linear form factors in two dimensions; WarpX's default scheme.
#pragma once

#include "apps/pic/plasma.h"

namespace pic {

/// J at t + dt/2 of the particles of one box that push() moved last, in the box and its guard cells.
void deposit(Box& box, double h, double dt);

/// The linear form factor of a particle at `position`, on the points 0, 1 and 2; 0 <= position <= 2.
struct Shape {
  explicit Shape(double position)
      : s{position < 1 ? 1 - position : 0, position < 1 ? position : 2 - position, position > 1 ? position - 1 : 0} {}
  double s[3];
};

}  // namespace pic
