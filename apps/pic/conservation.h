// What is conserved, summed up box by box in one order. Serial: this is for checking, not for speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/pic/plasma_boxes.h"

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

// Is the result physics? Conserved quantities at the end against those at the start.

/// Of a plasma at rest between two steps.
struct Conserved {
  explicit Conserved(const Plasma& plasma);

  std::size_t particles;
  double weight;
  double charge_scale;           ///< largest density of charge
  std::vector<double> residual;  ///< of Gauss' law
  Energy energy;

 private:
  Conserved(const Plasma& plasma, std::vector<double> density);
};

/// How far something that is conserved went off.
struct Drift {
  bool complete;  ///< no particle is lost or outside of its box, and their weights are the same
  double charge;  ///< Gauss' law, relative to the largest density; rounding alone if the currents are right
  double energy;  ///< relative to that of the start; the scheme conserves it to second order in the time step
  bool acceptable() const;
};
Drift drift_since(const Conserved& start, const Plasma& plasma);

inline constexpr double charge_tolerance = 1e-10;
// Assumption: six times what the standard deck shows. Momentum is no criterion: the ions at rest take up a part.
inline constexpr double energy_tolerance = 0.02;

}  // namespace pic
