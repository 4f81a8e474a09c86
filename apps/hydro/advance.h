// Moves the mesh and what is in it on by one time step.
#pragma once

#include "apps/hydro/blast.h"

namespace hydro {

/// The longest time step that is stable in this state.
double stable_step(const Mesh& mesh, const State& state);

/// One iteration: half a step with the forces of now, then the whole step with the forces of half-way. Its
/// kernels allocate what they work in and free it when they are done.
void iterate(const Mesh& mesh, Masses& masses, State& state, double step);

}  // namespace hydro
