// Is the result physics? Conserved quantities at the end against those at the start.
#pragma once

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
