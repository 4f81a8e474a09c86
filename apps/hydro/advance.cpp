// Staggered Lagrangian hydrodynamics in compatible form (E. J. Caramana et al., The Construction of Compatible
// Hydrodynamics Algorithms Utilizing Conservation of Total Energy, J. Comput. Phys. 146, 1998): an element works on its
// nodes by corner forces, and loses exactly the energy that these give. Every loop is a parallel region of its own.
#include "apps/hydro/advance.h"

#include <algorithm>
#include <cmath>

namespace hydro {
namespace {

constexpr double courant = 0.25;
constexpr double linear_viscosity = 0.5;
constexpr double quadratic_viscosity = 1.2;  // (gamma + 1) / 2
constexpr double hourglass_damping = 0.1;

/// What a step needs to know about elements and corners between its loops.
struct Scratch {
  explicit Scratch(const Mesh& mesh)
      : area(mesh.elements),
        density(mesh.elements),
        length(mesh.elements),
        divergence(mesh.elements),
        viscosity(mesh.elements),
        normal_x(4 * static_cast<std::size_t>(mesh.elements)),
        normal_y(4 * static_cast<std::size_t>(mesh.elements)),
        force_x(4 * static_cast<std::size_t>(mesh.elements)),
        force_y(4 * static_cast<std::size_t>(mesh.elements)),
        node_force_x(mesh.nodes),
        node_force_y(mesh.nodes),
        mean_vx(mesh.nodes),
        mean_vy(mesh.nodes) {}

  Numbers area, density, length, divergence, viscosity;
  Numbers normal_x, normal_y;  ///< of corners: what the area grows by when the node moves
  Numbers force_x, force_y;    ///< of corners, on their nodes
  Numbers node_force_x, node_force_y;
  Numbers mean_vx, mean_vy;  ///< during the step
};

/// The values in an element's corners.
struct Corners {
  Corners(const Mesh& mesh, int element, const Numbers& of_x, const Numbers& of_y) {
    for (int k = 0; k < 4; ++k) {
      x[k] = of_x[mesh.corner_node[4 * element + k]];
      y[k] = of_y[mesh.corner_node[4 * element + k]];
    }
  }
  double x[4], y[4];
};

double square_of_distance(const Corners& at, int first, int second) {
  const double x = at.x[second] - at.x[first];
  const double y = at.y[second] - at.y[first];
  return x * x + y * y;
}

/// The side of a square of this area and diagonal; less for what is not square.
double length_of(const Corners& at, double area) {
  const double first = square_of_distance(at, 0, 2);
  const double second = square_of_distance(at, 1, 3);
  return area * std::sqrt(2 / std::max(first, second));
}

void find_normals(const Mesh& mesh, const State& now, Scratch& scratch) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners at(mesh, e, now.x, now.y);
    for (int k = 0; k < 4; ++k) {
      scratch.normal_x[4 * e + k] = 0.5 * (at.y[(k + 1) % 4] - at.y[(k + 3) % 4]);
      scratch.normal_y[4 * e + k] = 0.5 * (at.x[(k + 3) % 4] - at.x[(k + 1) % 4]);
    }
    scratch.area[e] = area_of(at.x, at.y);
    scratch.length[e] = length_of(at, scratch.area[e]);
  }
}

void find_densities(const Mesh& mesh, const Masses& masses, Scratch& scratch) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) scratch.density[e] = masses.element[e] / scratch.area[e];
}

void find_divergences(const Mesh& mesh, const State& now, Scratch& scratch) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners v(mesh, e, now.vx, now.vy);
    double growth = 0;
    for (int k = 0; k < 4; ++k) growth += scratch.normal_x[4 * e + k] * v.x[k] + scratch.normal_y[4 * e + k] * v.y[k];
    scratch.divergence[e] = growth / scratch.area[e];
  }
}

/// Von Neumann's and Richtmyer's, with Landshoff's linear term: where elements are compressed.
void find_viscosities(const Mesh& mesh, const State& now, Scratch& scratch) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const double jump = std::max(-scratch.divergence[e] * scratch.length[e], 0.0);
    scratch.viscosity[e] = scratch.density[e] * jump * (quadratic_viscosity * jump + linear_viscosity * now.sound[e]);
  }
}

void push_by_pressure(const Mesh& mesh, const State& now, Scratch& scratch) {
#pragma omp parallel for
  for (int c = 0; c < 4 * mesh.elements; ++c) {
    const double pressure = now.pressure[c / 4] + scratch.viscosity[c / 4];
    scratch.force_x[c] = pressure * scratch.normal_x[c];
    scratch.force_y[c] = pressure * scratch.normal_y[c];
  }
}

/// Against the motion that changes no area, in which corners move to and fro in turn.
void damp_hourglasses(const Mesh& mesh, const State& now, Scratch& scratch) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners v(mesh, e, now.vx, now.vy);
    const double drag = hourglass_damping * scratch.density[e] * now.sound[e] * scratch.length[e];
    const double along_x = drag * (v.x[0] - v.x[1] + v.x[2] - v.x[3]) / 4;
    const double along_y = drag * (v.y[0] - v.y[1] + v.y[2] - v.y[3]) / 4;
    for (int k = 0; k < 4; ++k) {
      scratch.force_x[4 * e + k] -= k % 2 == 0 ? along_x : -along_x;
      scratch.force_y[4 * e + k] -= k % 2 == 0 ? along_y : -along_y;
    }
  }
}

/// Each node adds up its corners itself, always in the same order.
void gather_forces(const Mesh& mesh, Scratch& scratch) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    double x = 0;
    double y = 0;
    for (int i = mesh.first_corner[n]; i < mesh.first_corner[n + 1]; ++i) {
      x += scratch.force_x[mesh.corners_of_node[i]];
      y += scratch.force_y[mesh.corners_of_node[i]];
    }
    scratch.node_force_x[n] = x;
    scratch.node_force_y[n] = y;
  }
}

void hold_at_walls(const Mesh& mesh, Scratch& scratch) {
#pragma omp parallel for
  for (int i = 0; i < mesh.fixed(); ++i) scratch.node_force_x[mesh.x_fixed[i]] = 0;
#pragma omp parallel for
  for (int i = 0; i < mesh.fixed(); ++i) scratch.node_force_y[mesh.y_fixed[i]] = 0;
}

void accelerate(const Mesh& mesh, const Masses& masses, const State& from, double step, Scratch& scratch, State& to) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    const double vx = from.vx[n] + step * scratch.node_force_x[n] / masses.node[n];
    const double vy = from.vy[n] + step * scratch.node_force_y[n] / masses.node[n];
    scratch.mean_vx[n] = 0.5 * (from.vx[n] + vx);
    scratch.mean_vy[n] = 0.5 * (from.vy[n] + vy);
    to.vx[n] = vx;
    to.vy[n] = vy;
  }
}

void move_nodes(const Mesh& mesh, const State& from, double step, const Scratch& scratch, State& to) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) to.x[n] = from.x[n] + step * scratch.mean_vx[n];
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) to.y[n] = from.y[n] + step * scratch.mean_vy[n];
}

/// The element's energy falls by the work that its corner forces have done.
void pay_work(const Mesh& mesh, const Masses& masses, const State& from, double step, const Scratch& scratch,
              State& to) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners v(mesh, e, scratch.mean_vx, scratch.mean_vy);
    double power = 0;
    for (int k = 0; k < 4; ++k) power += scratch.force_x[4 * e + k] * v.x[k] + scratch.force_y[4 * e + k] * v.y[k];
    to.energy[e] = from.energy[e] - step * power / masses.element[e];
  }
}

/// The ideal gas.
void find_pressures(const Mesh& mesh, const Masses& masses, State& state) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners at(mesh, e, state.x, state.y);
    const double energy = std::max(state.energy[e], 0.0);
    state.pressure[e] = (adiabatic - 1) * masses.element[e] / area_of(at.x, at.y) * energy;
  }
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    state.sound[e] = std::sqrt(adiabatic * (adiabatic - 1) * std::max(state.energy[e], 0.0));
  }
}

/// From one state to another, which may be the same, with the forces of a third.
void advance(const Mesh& mesh, const Masses& masses, const State& from, const State& forces, double step, State& to) {
  Scratch scratch(mesh);
  find_normals(mesh, forces, scratch);
  find_densities(mesh, masses, scratch);
  find_divergences(mesh, forces, scratch);
  find_viscosities(mesh, forces, scratch);
  push_by_pressure(mesh, forces, scratch);
  damp_hourglasses(mesh, forces, scratch);
  gather_forces(mesh, scratch);
  hold_at_walls(mesh, scratch);
  accelerate(mesh, masses, from, step, scratch, to);
  move_nodes(mesh, from, step, scratch, to);
  pay_work(mesh, masses, from, step, scratch, to);
  find_pressures(mesh, masses, to);
}

}  // namespace

double stable_step(const Mesh& mesh, const State& state) {
  double shortest = 1e300;
#pragma omp parallel for reduction(min : shortest)
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners at(mesh, e, state.x, state.y);
    const Corners v(mesh, e, state.vx, state.vy);
    const double length = length_of(at, area_of(at.x, at.y));
    double fastest = 0;  // how much faster than the next one a corner moves, squared
    for (int k = 0; k < 4; ++k) { fastest = std::max(fastest, square_of_distance(v, k, (k + 1) % 4)); }
    shortest = std::min(shortest, length / (state.sound[e] + 2 * quadratic_viscosity * std::sqrt(fastest)));
  }
  return courant * shortest;
}

void iterate(const Mesh& mesh, const Masses& masses, State& state, double step) {
  State half_way(mesh);
  advance(mesh, masses, state, state, step / 2, half_way);
  advance(mesh, masses, state, half_way, step, state);
}

}  // namespace hydro
