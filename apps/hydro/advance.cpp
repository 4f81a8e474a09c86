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

/// What the element's area grows by when the corner moves.
struct Normals {
  explicit Normals(const Corners& at) {
    for (int k = 0; k < 4; ++k) {
      x[k] = 0.5 * (at.y[(k + 1) % 4] - at.y[(k + 3) % 4]);
      y[k] = 0.5 * (at.x[(k + 3) % 4] - at.x[(k + 1) % 4]);
    }
  }
  double x[4], y[4];
};

/// Numbers of corners, on their nodes.
struct CornerForces {
  explicit CornerForces(const Mesh& mesh)
      : x(4 * static_cast<std::size_t>(mesh.elements)), y(4 * static_cast<std::size_t>(mesh.elements)) {}
  Numbers x, y;
};

/// Each node adds its corners to what it has from before, always in the same order.
void gather(const Mesh& mesh, const CornerForces& corners, double kept, Masses& masses) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    double x = kept * masses.force_x[n];
    double y = kept * masses.force_y[n];
    for (int i = mesh.first_corner[n]; i < mesh.first_corner[n + 1]; ++i) {
      x += corners.x[mesh.corners_of_node[i]];
      y += corners.y[mesh.corners_of_node[i]];
    }
    masses.force_x[n] = x;
    masses.force_y[n] = y;
  }
}

void push_by_stress(const Mesh& mesh, const State& now, const Numbers& stress, const Numbers& area, Masses& masses) {
  const CornerForces forces(mesh);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners at(mesh, e, now.x, now.y);
    const Normals normals(at);
    area[e] = area_of(at.x, at.y);
    for (int k = 0; k < 4; ++k) {
      forces.x[4 * e + k] = stress[e] * normals.x[k];
      forces.y[4 * e + k] = stress[e] * normals.y[k];
    }
  }
  gather(mesh, forces, 0, masses);
}

/// What the hourglass forces need of each corner, in the order of corners.
struct CornerShapes {
  CornerShapes(const Mesh& mesh, const State& now)
      : normal_x(4 * static_cast<std::size_t>(mesh.elements)),
        normal_y(4 * static_cast<std::size_t>(mesh.elements)),
        x(4 * static_cast<std::size_t>(mesh.elements)),
        y(4 * static_cast<std::size_t>(mesh.elements)) {
#pragma omp parallel for
    for (int e = 0; e < mesh.elements; ++e) {
      const Corners at(mesh, e, now.x, now.y);
      const Normals normals(at);
      for (int k = 0; k < 4; ++k) {
        normal_x[4 * e + k] = normals.x[k];
        normal_y[4 * e + k] = normals.y[k];
        x[4 * e + k] = at.x[k];
        y[4 * e + k] = at.y[k];
      }
    }
  }
  Numbers normal_x, normal_y, x, y;
};

/// Against the motion in which corners move to and fro in turn, less what of it is stretching (D. P. Flanagan,
/// T. Belytschko, A Uniform Strain Hexahedron and Quadrilateral with Orthogonal Hourglass Control, Int. J. Numer. Meth.
/// Eng. 17, 1981).
void damp_hourglasses(const Mesh& mesh, const State& now, const Numbers& area, const CornerForces& forces,
                      Masses& masses) {
  const CornerShapes shapes(mesh, now);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners v(mesh, e, now.vx, now.vy);
    const int first = 4 * e;
    const double along_x = shapes.x[first] - shapes.x[first + 1] + shapes.x[first + 2] - shapes.x[first + 3];
    const double along_y = shapes.y[first] - shapes.y[first + 1] + shapes.y[first + 2] - shapes.y[first + 3];
    double mode[4];
    double vx = 0;
    double vy = 0;
    for (int k = 0; k < 4; ++k) {
      const double stretching = shapes.normal_x[first + k] * along_x + shapes.normal_y[first + k] * along_y;
      mode[k] = (k % 2 == 0 ? 1 : -1) - stretching / area[e];
      vx += mode[k] * v.x[k];
      vy += mode[k] * v.y[k];
    }
    const double drag = hourglass_damping * masses.element[e] / area[e] * now.sound[e] * masses.length[e] / 4;
    for (int k = 0; k < 4; ++k) {
      forces.x[first + k] = -drag * vx * mode[k];
      forces.y[first + k] = -drag * vy * mode[k];
    }
  }
  gather(mesh, forces, 1, masses);
}

/// Forces on nodes; those that hourglasses give stay until their work is known.
void find_forces(const Mesh& mesh, const State& now, const CornerForces& hourglasses, Masses& masses) {
  const Numbers stress(mesh.elements);
  const Numbers area(mesh.elements);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) stress[e] = now.pressure[e] + now.viscosity[e];
  push_by_stress(mesh, now, stress, area, masses);
  damp_hourglasses(mesh, now, area, hourglasses, masses);
}

void accelerate(const Mesh& mesh, const State& from, double step, Masses& masses, State& to) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    masses.acceleration_x[n] = masses.force_x[n] / masses.node[n];
    masses.acceleration_y[n] = masses.force_y[n] / masses.node[n];
  }
#pragma omp parallel for
  for (int i = 0; i < mesh.fixed(); ++i) masses.acceleration_x[mesh.x_fixed[i]] = 0;
#pragma omp parallel for
  for (int i = 0; i < mesh.fixed(); ++i) masses.acceleration_y[mesh.y_fixed[i]] = 0;
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    const double vx = from.vx[n] + step * masses.acceleration_x[n];
    const double vy = from.vy[n] + step * masses.acceleration_y[n];
    masses.mean_vx[n] = 0.5 * (from.vx[n] + vx);
    masses.mean_vy[n] = 0.5 * (from.vy[n] + vy);
    to.vx[n] = vx;
    to.vy[n] = vy;
  }
}

/// What corner forces did; their normals are found anew, before nodes move.
void find_work(const Mesh& mesh, const State& forces, double step, const CornerForces& hourglasses, Masses& masses) {
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners v(mesh, e, masses.mean_vx, masses.mean_vy);
    const Normals normals(Corners(mesh, e, forces.x, forces.y));
    const double stress = forces.pressure[e] + forces.viscosity[e];
    double power = 0;
    for (int k = 0; k < 4; ++k) {
      power += (stress * normals.x[k] + hourglasses.x[4 * e + k]) * v.x[k];
      power += (stress * normals.y[k] + hourglasses.y[4 * e + k]) * v.y[k];
    }
    masses.work[e] = step * power / masses.element[e];
  }
}

void move_nodes(const Mesh& mesh, const State& from, double step, const Masses& masses, State& to) {
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) to.x[n] = from.x[n] + step * masses.mean_vx[n];
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) to.y[n] = from.y[n] + step * masses.mean_vy[n];
}

/// Area, length and how fast the area grows.
void find_strains(const Mesh& mesh, const State& state, Masses& masses) {
  const Numbers along_x(mesh.elements);
  const Numbers along_y(mesh.elements);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const Corners at(mesh, e, state.x, state.y);
    const Corners v(mesh, e, state.vx, state.vy);
    const Normals normals(at);
    masses.area[e] = area_of(at.x, at.y);
    masses.length[e] = length_of(at, masses.area[e]);
    along_x[e] = along_y[e] = 0;
    for (int k = 0; k < 4; ++k) {
      along_x[e] += normals.x[k] * v.x[k];
      along_y[e] += normals.y[k] * v.y[k];
    }
  }
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) masses.divergence[e] = (along_x[e] + along_y[e]) / masses.area[e];
}

/// Von Neumann's and Richtmyer's, with Landshoff's linear term: where elements are compressed, and less where their
/// neighbours are as much.
void find_viscosities(const Mesh& mesh, const Masses& masses, State& state) {
  const Numbers jump(mesh.elements);
  const Numbers limited(mesh.elements);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) jump[e] = std::max(-masses.divergence[e] * masses.length[e], 0.0);
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    double least = jump[e];
    for (int k = 0; k < 4; ++k) least = std::min(least, jump[mesh.neighbours[4 * e + k]]);
    limited[e] = jump[e] - 0.25 * least;
  }
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    const double density = masses.element[e] / masses.area[e];
    state.viscosity[e] = density * limited[e] * (quadratic_viscosity * limited[e] + linear_viscosity * state.sound[e]);
  }
}

/// How often a material is evaluated: half of them once, one of them twenty times, as if it were made of tables.
int rounds_of(int material) {
  if (material < Mesh::materials / 2) return 1;
  return material < Mesh::materials - 1 ? 2 : 20;
}

/// Energy, pressure and speed of sound of an ideal gas, for the elements of one material. It works in copies that lie
/// together, as general equations of state do.
void evaluate(const Mesh& mesh, int material, const State& from, const Masses& masses, State& to) {
  const int begin = mesh.first_of_material[material];
  const int count = mesh.first_of_material[material + 1] - begin;
  const Numbers old_energy(count);
  const Numbers work(count);
  const Numbers density(count);
  const Numbers stiffness(count);
  const Numbers energy(count);
  const Numbers pressure(count);
  const Numbers sound(count);
  for (int round = 0; round < rounds_of(material); ++round) {
#pragma omp parallel for
    for (int i = 0; i < count; ++i) {
      const int e = mesh.by_material[begin + i];
      old_energy[i] = from.energy[e];
      work[i] = masses.work[e];
      density[i] = masses.element[e] / masses.area[e];
    }
#pragma omp parallel for
    for (int i = 0; i < count; ++i) stiffness[i] = (adiabatic - 1) * density[i];
#pragma omp parallel for
    for (int i = 0; i < count; ++i) energy[i] = old_energy[i] - work[i];
#pragma omp parallel for
    for (int i = 0; i < count; ++i) pressure[i] = stiffness[i] * std::max(energy[i], 0.0);
#pragma omp parallel for
    for (int i = 0; i < count; ++i) sound[i] = std::sqrt(adiabatic * pressure[i] / density[i]);
  }
#pragma omp parallel for
  for (int i = 0; i < count; ++i) {
    const int e = mesh.by_material[begin + i];
    to.energy[e] = energy[i];
    to.pressure[e] = pressure[i];
    to.sound[e] = sound[i];
  }
}

/// From one state to another, which may be the same, with the forces of a third.
void advance(const Mesh& mesh, Masses& masses, const State& from, const State& forces, double step, State& to) {
  {
    const CornerForces hourglasses(mesh);
    find_forces(mesh, forces, hourglasses, masses);
    accelerate(mesh, from, step, masses, to);
    find_work(mesh, forces, step, hourglasses, masses);
  }
  move_nodes(mesh, from, step, masses, to);
  find_strains(mesh, to, masses);
  for (int material = 0; material < Mesh::materials; ++material) evaluate(mesh, material, from, masses, to);
  find_viscosities(mesh, masses, to);
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

void iterate(const Mesh& mesh, Masses& masses, State& state, double step) {
  State half_way(mesh);
  advance(mesh, masses, state, state, step / 2, half_way);
  advance(mesh, masses, state, half_way, step, state);
}

}  // namespace hydro
