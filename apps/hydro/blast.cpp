#include "apps/hydro/blast.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hydro {

Mesh::Mesh(int elements_a_side)
    : side(elements_a_side),
      nodes((side + 1) * (side + 1)),
      elements(side * side),
      corner_node(4 * static_cast<std::size_t>(elements)),
      first_corner(static_cast<std::size_t>(nodes) + 1),
      corners_of_node(4 * static_cast<std::size_t>(elements)),
      x_fixed(static_cast<std::size_t>(fixed())),
      y_fixed(static_cast<std::size_t>(fixed())),
      neighbours(4 * static_cast<std::size_t>(elements)),
      by_material(static_cast<std::size_t>(elements)),
      first_of_material(materials + 1) {
  const int width = side + 1;
  for (int e = 0; e < elements; ++e) {
    const int node = e / side * width + e % side;
    const int around[4] = {node, node + 1, node + width + 1, node + width};
    for (int k = 0; k < 4; ++k) corner_node[4 * e + k] = around[k];
  }
  // Counts, then their sums, then the corners one after the other.
  std::fill_n(first_corner.data(), nodes + 1, 0);
  for (int c = 0; c < 4 * elements; ++c) ++first_corner[corner_node[c] + 1];
  for (int n = 0; n < nodes; ++n) first_corner[n + 1] += first_corner[n];
  for (int c = 0; c < 4 * elements; ++c) corners_of_node[first_corner[corner_node[c]]++] = c;
  for (int n = nodes; n > 0; --n) first_corner[n] = first_corner[n - 1];
  first_corner[0] = 0;
  for (int i = 0; i < width; ++i) {
    x_fixed[i] = i * width;
    x_fixed[width + i] = i * width + side;
    y_fixed[i] = i;
    y_fixed[width + i] = side * width + i;
  }
  for (int e = 0; e < elements; ++e) {
    const int row = e / side, column = e % side;
    const std::size_t first = 4 * static_cast<std::size_t>(e);
    neighbours[first] = row > 0 ? e - side : e;
    neighbours[first + 1] = column < side - 1 ? e + 1 : e;
    neighbours[first + 2] = row < side - 1 ? e + side : e;
    neighbours[first + 3] = column > 0 ? e - 1 : e;
  }
  deal_materials();
}

/// In runs of 1 to 64 elements, by chance.
void Mesh::deal_materials() {
  Indices material(static_cast<std::size_t>(elements));
  std::uint64_t random = 1;
  for (int e = 0; e < elements;) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const int end = std::min(elements, e + 1 + static_cast<int>(random >> 58));
    while (e < end) material[e++] = static_cast<int>((random >> 33) % materials);
  }
  int next = 0;
  for (int m = 0; m < materials; ++m) {
    first_of_material[m] = next;
    for (int e = 0; e < elements; ++e)
      if (material[e] == m) by_material[next++] = e;
  }
  first_of_material[materials] = next;
}

State::State(const Mesh& mesh)
    : x(mesh.nodes),
      y(mesh.nodes),
      vx(mesh.nodes),
      vy(mesh.nodes),
      energy(mesh.elements),
      pressure(mesh.elements),
      sound(mesh.elements),
      viscosity(mesh.elements) {}

Masses::Masses(const Mesh& mesh)
    : element(mesh.elements),
      node(mesh.nodes),
      force_x(mesh.nodes),
      force_y(mesh.nodes),
      acceleration_x(mesh.nodes),
      acceleration_y(mesh.nodes),
      mean_vx(mesh.nodes),
      mean_vy(mesh.nodes),
      area(mesh.elements),
      length(mesh.elements),
      divergence(mesh.elements),
      work(mesh.elements) {}

void set_blast(const Mesh& mesh, Masses& masses, State& state) {
  const int width = mesh.side + 1;
  const double step = 1.0 / mesh.side;
  const double mass = initial_density * step * step;
#pragma omp parallel for
  for (int e = 0; e < mesh.elements; ++e) {
    masses.element[e] = mass;
    state.energy[e] = e == 0 ? blast_energy / mass : quiet_energy;
    state.pressure[e] = (adiabatic - 1) * initial_density * state.energy[e];
    state.sound[e] = std::sqrt(adiabatic * (adiabatic - 1) * state.energy[e]);
    state.viscosity[e] = 0;
    masses.length[e] = step;
  }
#pragma omp parallel for
  for (int n = 0; n < mesh.nodes; ++n) {
    const int row = n / width;
    state.x[n] = n % width * step;
    state.y[n] = row * step;
    state.vx[n] = 0;
    state.vy[n] = 0;
    masses.node[n] = 0;
    for (int i = mesh.first_corner[n]; i < mesh.first_corner[n + 1]; ++i) masses.node[n] += mass / 4;
  }
}

namespace {

double total_energy(const Mesh& mesh, const Masses& masses, const State& state) {
  double internal = 0;
  for (int e = 0; e < mesh.elements; ++e) internal += masses.element[e] * state.energy[e];
  double kinetic = 0;
  for (int n = 0; n < mesh.nodes; ++n) {
    kinetic += masses.node[n] / 2 * (state.vx[n] * state.vx[n] + state.vy[n] * state.vy[n]);
  }
  return internal + kinetic;
}

double area_of_element(const Mesh& mesh, const State& state, int element) {
  double x[4];
  double y[4];
  for (int k = 0; k < 4; ++k) {
    x[k] = state.x[mesh.corner_node[4 * element + k]];
    y[k] = state.y[mesh.corner_node[4 * element + k]];
  }
  return area_of(x, y);
}

double asymmetry_of(const Mesh& mesh, const State& state) {
  const int width = mesh.side + 1;
  double largest = 0;
  for (int n = 0; n < mesh.nodes; ++n) {
    const int mirror = n % width * width + n / width;
    largest = std::max(largest, std::abs(state.x[n] - state.y[mirror]));
    largest = std::max(largest, std::abs(state.vx[n] - state.vy[mirror]));
  }
  return largest;
}

std::uint64_t add_bits(std::uint64_t sum, const Numbers& numbers, int size) {
  for (int i = 0; i < size; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &numbers[i], sizeof bits);
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 32;
  }
  return sum;
}

}  // namespace

Conservation look_at(const Mesh& mesh, const Masses& masses, const State& state) {
  const double before = blast_energy + quiet_energy * initial_density * (1 - 1.0 / mesh.elements);
  Conservation found{};
  found.energy_drift = std::abs(total_energy(mesh, masses, state) - before) / before;
  found.asymmetry = asymmetry_of(mesh, state);
  found.smallest_area = 1e300;
  for (int e = 0; e < mesh.elements; ++e) {
    found.smallest_area = std::min(found.smallest_area, area_of_element(mesh, state, e) * mesh.elements);
  }
  double smallest = 1e300;
  for (int e = 0; e < mesh.side; ++e) {  // masses are equal: the smallest is the densest
    const double area = area_of_element(mesh, state, e);
    if (area < smallest) found.shock = (state.x[e] + state.x[e + 1]) / 2;
    smallest = std::min(smallest, area);
  }
  return found;
}

std::uint64_t checksum(const Mesh& mesh, const State& state) {
  std::uint64_t sum = 1;
  for (const Numbers* numbers : {&state.x, &state.y, &state.vx, &state.vy}) sum = add_bits(sum, *numbers, mesh.nodes);
  return add_bits(sum, state.energy, mesh.elements);
}

// (E / (alpha rho))^(1/4) t^(1/2) with alpha 0.984 for a ratio of heat capacities of 1.4: J. R. Kamm, F. X. Timmes, On
// Efficient Generation of Numerically Robust Sedov Solutions, 2007 (E = 0.311357 reaches 0.75 at time 1).
double sedov_radius(double time) {
  constexpr double alpha = 0.311357 / (0.75 * 0.75 * 0.75 * 0.75);
  return std::pow(4 * blast_energy / (alpha * initial_density), 0.25) * std::sqrt(time);
}

}  // namespace hydro
