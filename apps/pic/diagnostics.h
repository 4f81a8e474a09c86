// What is conserved, summed up box by box in one order. Serial: this is for checking, not for speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/pic/plasma.h"

namespace pic {

struct Energy {
  double field = 0;    ///< (E^2 + B^2) / 2 over the domain
  double kinetic = 0;  ///< of the electrons, gamma - 1 each
  double total() const { return field + kinetic; }
};
Energy energy_of(const Plasma& plasma);

/// In x, y and z: of the electrons and, E x B without regard to the staggering, of the field.
std::array<double, 3> momentum_of(const Plasma& plasma);

/// Density of the electrons' charge on the nodes of the grid, row by row, with linear form factors.
std::vector<double> charge_density(const Plasma& plasma);
/// div E - rho on the same nodes, from `density`. Gauss' law with ions at rest: it stays what it is. Guard cells of E
/// must be filled.
std::vector<double> gauss_residual(const Plasma& plasma, std::vector<double> density);

std::size_t particle_count(const Plasma& plasma);
double total_weight(const Plasma& plasma);

/// A hash of all fields and particles; the same for any order of the particles and any number of threads.
std::uint64_t checksum(const Plasma& plasma);

}  // namespace pic
