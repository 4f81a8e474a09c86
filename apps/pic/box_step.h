// What a time step does with the particles and the fields of one box.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "apps/pic/plasma_boxes.h"

namespace pic {

// Field gather and momentum and position push of the particles of one box.
// Sources: C. Birdsall, A. Langdon, "Plasma Physics via Computer Simulation", 1985, sections 4-3, 4-4, 15-4 (Boris'
// rotation, relativistic); the energy-conserving gather of WarpX: a component is constant in the directions in which it
// is staggered and linear in the others.

/// u from t - dt/2 to t + dt/2, x from t to t + dt. Counts those who leave the box in its outbox. A particle that left
/// has its position unwrapped, less than a cell outside.
void push(Box& box, double h, double dt);

// Current deposition that keeps the continuity equation, and Gauss' law with it, to rounding.
// Source: T. Esirkepov, "Exact charge conservation scheme for Particle-in-Cell simulation with an arbitrary
// form-factor", Comp. Phys. Comm. 135(2), 2001, with linear form factors in two dimensions; WarpX's default scheme.

/// J at t + dt/2 of the particles of one box that push() moved last, in the box and its guard cells.
void deposit(Box& box, double h, double dt);

/// The linear form factor of a particle at `position`, on the points 0, 1 and 2; 0 <= position <= 2.
struct Shape {
  explicit Shape(double position)
      : s{position < 1 ? 1 - position : 0, position < 1 ? position : 2 - position, position > 1 ? position - 1 : 0} {}
  double s[3];
};

// Maxwell's equations by finite differences in time domain (Yee), on the cells of one box. Units: c = 1.

/// B over half a time step, from E with its guard cells.
void advance_b(Box& box, double courant);
/// E over a time step, from B with its guard cells and J.
void advance_e(Box& box, double courant, double dt);

// What the boxes tell each other about fields. A box reads its neighbours and writes itself, so the boxes can be worked
// on in any order and by any number of threads.

/// Copies the neighbours' cells into the guard cells of box `number`.
void fill_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list);

/// Adds what particles of the neighbours deposited in their guard cells to the cells of box `number`.
void add_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list);

}  // namespace pic
