// Is the result physics? Conserved quantities at the end against those at the start.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "apps/pic/diagnostics.h"
#include "apps/pic/plasma.h"

namespace pic {

/// Of a plasma at rest between two steps.
struct Conserved {
  explicit Conserved(const Plasma& plasma);

  std::size_t particles;
  double weight;
  double charge_scale;           ///< largest density of charge
  std::vector<double> residual;  ///< of Gauss' law
  Energy energy;
  std::array<double, 3> momentum;
  double momentum_scale;
};

/// How far something that is conserved went off.
struct Drift {
  bool complete;    ///< no particle is lost or outside of its box, and their weights are the same
  double charge;    ///< Gauss' law, relative to the largest density; rounding alone if the currents are right
  double energy;    ///< relative to that of the start; the scheme conserves it to second order in the time step
  double momentum;  ///< relative to the sum of the particles' momenta; neither does it conserve momentum exactly
  bool acceptable() const;
};
Drift drift_since(const Conserved& start, const Plasma& plasma);

inline constexpr double charge_tolerance = 1e-10;
// Assumptions: far above what right runs show (tests/apps/pic_verify_test.cpp), far below what a wrong sign does.
inline constexpr double energy_tolerance = 0.02;
inline constexpr double momentum_tolerance = 0.02;

}  // namespace pic
