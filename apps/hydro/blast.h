// The mesh, what is known in its nodes and elements, and the blast that everything begins with.
#pragma once

#include <cstdint>

#include "apps/hydro/buffer.h"

namespace hydro {

constexpr double adiabatic = 1.4;        ///< ratio of the heat capacities
constexpr double initial_density = 1;    ///< everywhere
constexpr double quiet_energy = 1e-6;    ///< of a unit of mass, where there is no blast
constexpr double blast_energy = 0.0625;  ///< in the element at the origin: a quarter of the whole blast's

/// Quadrilaterals that know their nodes, and nodes that know the corners of elements that lie there: nothing below
/// relies on the order of either. Element e has the corners 4e to 4e + 3, counter-clockwise.
struct Mesh {
  explicit Mesh(int elements_a_side);

  int side;
  int nodes;
  int elements;
  Indices corner_node;   ///< node of each corner
  Indices first_corner;  ///< nodes + 1: where a node's corners begin in corners_of_node
  Indices corners_of_node;
  Indices x_fixed, y_fixed;  ///< nodes on walls, which keep their x or y: 2 * (side + 1) each
  int fixed() const { return 2 * (side + 1); }
  Indices neighbours;  ///< of element e across its sides: 4e to 4e + 3; itself at walls
  /// Elements by material, one after the other. All are the same gas; some cost more to evaluate.
  static constexpr int materials = 11;
  Indices by_material;
  Indices first_of_material;  ///< materials + 1

 private:
  void deal_materials();
};

/// Positions and velocities of nodes, energies of elements, and what follows from these.
struct State {
  explicit State(const Mesh& mesh);

  Numbers x, y, vx, vy;
  Numbers energy;  ///< internal, of a unit of mass
  Numbers pressure, sound, viscosity;
};

/// What lives as long as the mesh.
struct Masses {
  explicit Masses(const Mesh& mesh);

  Numbers element, node;
  Numbers force_x, force_y, acceleration_x, acceleration_y;  ///< of nodes
  Numbers mean_vx, mean_vy;                                  ///< of nodes, during a step
  Numbers area, length, divergence, work;  ///< of elements; work: what a step takes from a unit of mass
};

/// The unit square at rest, hot at the origin: by symmetry a quarter of a blast in a plane.
void set_blast(const Mesh& mesh, Masses& masses, State& state);

struct Conservation {
  double energy_drift;   ///< of the total energy, as a part of it
  double asymmetry;      ///< largest difference to the mirror image at x = y
  double smallest_area;  ///< of an element, as a part of what it was
  double shock;          ///< distance of the densest element from the origin, along the x axis
};
Conservation look_at(const Mesh& mesh, const Masses& masses, const State& state);

/// Of positions, velocities and energies, in every bit.
std::uint64_t checksum(const Mesh& mesh, const State& state);

/// Shock radius of Sedov's solution for a blast in a plane.
double sedov_radius(double time);

/// Of a quadrilateral, counter-clockwise.
inline double area_of(const double (&x)[4], const double (&y)[4]) {
  return 0.5 * ((x[2] - x[0]) * (y[3] - y[1]) - (x[3] - x[1]) * (y[2] - y[0]));
}

}  // namespace hydro
