#include "apps/pic/verify.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pic {
namespace {

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// Adding up in another order may change the last bits.
constexpr double weight_tolerance = 1e-11;

bool in_their_boxes(const Plasma& plasma) {
  return std::ranges::all_of(plasma.boxes, [](const Box& box) {
    for (std::size_t i = 0; i < box.particles.count(); ++i) {
      if (box.extent.side(0, box.particles[X][i]) != 0 || box.extent.side(1, box.particles[Y][i]) != 0) return false;
    }
    return true;
  });
}

/// The largest change of a node, NaN if there is one.
double change_of(const std::vector<double>& before, const std::vector<double>& now) {
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double change = std::fabs(now[i] - before[i]);
    if (!(change <= largest)) largest = change;
    if (std::isnan(largest)) break;
  }
  return largest;
}

}  // namespace

Conserved::Conserved(const Plasma& plasma) : Conserved(plasma, charge_density(plasma)) {}

Conserved::Conserved(const Plasma& plasma, std::vector<double> density)
    : particles(particle_count(plasma)),
      weight(total_weight(plasma)),
      charge_scale(largest_of(density)),
      residual(gauss_residual(plasma, std::move(density))),
      energy(energy_of(plasma)) {}

Drift drift_since(const Conserved& start, const Plasma& plasma) {
  Drift drift{};
  drift.complete = particle_count(plasma) == start.particles && in_their_boxes(plasma) &&
                   std::fabs(total_weight(plasma) - start.weight) <= weight_tolerance * start.weight;
  if (!drift.complete) return drift;  // a position outside of the domain has no node
  drift.charge = change_of(start.residual, gauss_residual(plasma, charge_density(plasma))) / start.charge_scale;
  drift.energy = std::fabs(energy_of(plasma).total() - start.energy.total()) / start.energy.total();
  return drift;
}

bool Drift::acceptable() const {  // false for NaN
  return complete && charge <= charge_tolerance && energy <= energy_tolerance;
}

}  // namespace pic
