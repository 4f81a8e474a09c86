#include "apps/pic/conservation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "apps/common/mini_app.h"

namespace pic {
namespace {

/// Calls `visit(box, index, x, y)` for every cell of the domain, box by box; x and y are those of the domain.
template <class Visit>
void for_cells(const Plasma& plasma, Visit visit) {
  for (const Box& box : plasma.boxes) {
    for (int y = 0; y < box.extent.cells[1]; ++y) {
      for (int x = 0; x < box.extent.cells[0]; ++x) {
        visit(box, box.fields.index(x, y), x + box.extent.begin[0], y + box.extent.begin[1]);
      }
    }
  }
}

template <class Visit>
void for_particles(const Plasma& plasma, Visit visit) {
  for (const Box& box : plasma.boxes) {
    for (std::size_t i = 0; i < box.particles.count(); ++i) visit(box.particles.get(i));
  }
}

double square_of(const Particle& p) { return p.ux * p.ux + p.uy * p.uy + p.uz * p.uz; }

std::size_t node(const Plasma& plasma, int x, int y) {
  const auto& cells = plasma.grid.cells();
  return static_cast<std::size_t>(y % cells[1]) * static_cast<std::size_t>(cells[0]) +
         static_cast<std::size_t>(x % cells[0]);
}

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

Energy energy_of(const Plasma& plasma) {
  Energy energy;
  for_cells(plasma, [&](const Box& box, std::size_t i, int, int) {
    for (const Component c : {Ex, Ey, Ez, Bx, By, Bz}) energy.field += box.fields[c][i] * box.fields[c][i];
  });
  energy.field *= plasma.h * plasma.h / 2;
  for_particles(plasma, [&](const Particle& p) {
    const double square = square_of(p);
    energy.kinetic += p.weight * square / (1 + std::sqrt(1 + square));  // gamma - 1 without cancellation
  });
  return energy;
}

std::array<double, 3> momentum_of(const Plasma& plasma) {
  std::array<double, 3> sum{};
  for_cells(plasma, [&](const Box& box, std::size_t i, int, int) {
    const Fields& f = box.fields;
    sum[0] += f[Ey][i] * f[Bz][i] - f[Ez][i] * f[By][i];
    sum[1] += f[Ez][i] * f[Bx][i] - f[Ex][i] * f[Bz][i];
    sum[2] += f[Ex][i] * f[By][i] - f[Ey][i] * f[Bx][i];
  });
  for (double& component : sum) component *= plasma.h * plasma.h;
  for_particles(plasma, [&](const Particle& p) {
    sum[0] += p.weight * p.ux;
    sum[1] += p.weight * p.uy;
    sum[2] += p.weight * p.uz;
  });
  return sum;
}

std::vector<double> charge_density(const Plasma& plasma) {
  const auto& cells = plasma.grid.cells();
  std::vector<double> density(static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]), 0.0);
  for_particles(plasma, [&](const Particle& p) {
    const int x = static_cast<int>(p.x);
    const int y = static_cast<int>(p.y);
    const double fx = p.x - x;
    const double fy = p.y - y;
    const double charge = -p.weight / (plasma.h * plasma.h);
    density[node(plasma, x, y)] += charge * (1 - fx) * (1 - fy);
    density[node(plasma, x + 1, y)] += charge * fx * (1 - fy);
    density[node(plasma, x, y + 1)] += charge * (1 - fx) * fy;
    density[node(plasma, x + 1, y + 1)] += charge * fx * fy;
  });
  return density;
}

std::vector<double> gauss_residual(const Plasma& plasma, std::vector<double> density) {
  for_cells(plasma, [&](const Box& box, std::size_t i, int x, int y) {
    const double* const ex = box.fields[Ex];
    const double* const ey = box.fields[Ey];
    const double divergence = (ex[i] - ex[i - 1] + ey[i] - ey[i - box.fields.stride]) / plasma.h;
    double& at = density[node(plasma, x, y)];
    at = divergence - at;
  });
  return density;
}

std::size_t particle_count(const Plasma& plasma) {
  std::size_t count = 0;
  for (const Box& box : plasma.boxes) count += box.particles.count();
  return count;
}

double total_weight(const Plasma& plasma) {
  double sum = 0;
  for_particles(plasma, [&](const Particle& p) { sum += p.weight; });
  return sum;
}

std::uint64_t checksum(const Plasma& plasma) {
  std::uint64_t sum = 0;
  for_cells(plasma, [&](const Box& box, std::size_t i, int x, int y) {
    std::uint64_t hash = node(plasma, x, y);
    for (const Component c : {Ex, Ey, Ez, Bx, By, Bz}) {
      hash = apps::combine_checksums(hash, std::bit_cast<std::uint64_t>(box.fields[c][i]));
    }
    sum += apps::mix(hash);
  });
  for_particles(plasma, [&](const Particle& p) {
    std::uint64_t hash = 0;
    for (const double value : {p.x, p.y, p.ux, p.uy, p.uz, p.weight}) {
      hash = apps::combine_checksums(hash, std::bit_cast<std::uint64_t>(value));
    }
    sum += apps::mix(hash);
  });
  return sum;
}

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
