// The problem, source iterations, and what can be asked of a solution.
#include "apps/sweep/ordinates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sweep {
namespace {

constexpr std::size_t count(int number) { return static_cast<std::size_t>(number); }

}  // namespace

// Evenly over the octant: cosines to z in equal steps, as its area is, and angles around z by the golden ratio.
Directions::Directions(int angles) : x(angles), y(angles), z(angles), weight(1.0 / (octants * angles)) {
  for (int a = 0; a < angles; ++a) {
    double whole = 0;
    const double around = std::numbers::pi / 2 * std::modf((a + 0.5) * std::numbers::phi, &whole);
    z[a] = (a + 0.5) / angles;
    const double across = std::sqrt(1 - z[a] * z[a]);
    x[a] = across * std::cos(around);
    y[a] = across * std::sin(around);
  }
}

// Neutrons lose energy: they are scattered to their own group and to the next three. The second material is denser.
Physics::Physics(int all, double time_step)
    : groups(all), total(materials * count(all)), scatter(total.size() * all), source(all), rate(all) {
  for (int m = 0; m < materials; ++m) {
    for (int from = 0; from < all; ++from) {
      const double sum = (m + 1) * (4 + 0.5 * from);
      total[m * all + from] = sum;
      const double parts[] = {0.3, 0.2, 0.1, 0.05};
      for (int down = 0; down < 4; ++down) {
        const int to = std::min(from + down, all - 1);
        scatter[(m * all + from) * all + to] += parts[down] * sum * (m == 0 ? 1 : 0.8);
      }
    }
  }
  for (int g = 0; g < all; ++g) {
    source[g] = 1.0 / (1 + g);
    rate[g] = (1 + 0.5 * g) * 0.1 / time_step;
  }
}

Diagonals::Diagonals(const Grid& grid) {
  const int chunks = (grid.size + chunk - 1) / chunk;
  for (int sum = 0; sum < chunks + 2 * grid.size - 2; ++sum) {
    first.push_back(static_cast<int>(block.size()));
    for (int z = 0; z < grid.size; ++z) {
      for (int y = 0; y < grid.size; ++y) {
        const int x = sum - y - z;
        if (x >= 0 && x < chunks) block.push_back({x, y, z});
      }
    }
  }
  first.push_back(static_cast<int>(block.size()));
}

Problem::Problem(const Grid& of, double time_step)
    : grid(of),
      directions(of.angles),
      physics(of.groups, time_step),
      diagonals(of),
      material(of.cells()),
      emits(of.cells()),
      inflow(of.groups),
      inverse(of.groups * of.cells() * of.angles) {
  const auto within = [&](int i) { return i >= of.size / 4 && i < of.size - of.size / 4; };
  for (int z = 0; z < of.size; ++z) {
    for (int y = 0; y < of.size; ++y) {
      for (int x = 0; x < of.size; ++x) {
        material[of.cell(x, y, z)] = within(x) && within(y) && within(z);
        emits[of.cell(x, y, z)] = material[of.cell(x, y, z)];
      }
    }
  }
  set_inverse();
}

void Problem::set_inverse() {
  const double faces = 2 / grid.width();
  const auto cells = static_cast<std::ptrdiff_t>(grid.cells());
#pragma omp parallel for collapse(2) schedule(static)
  for (int g = 0; g < grid.groups; ++g) {
    for (std::ptrdiff_t cell = 0; cell < cells; ++cell) {
      const double removal = physics.total[material[cell] * grid.groups + g] + physics.rate[g];
      double* inverses = &inverse[(g * cells + cell) * grid.angles];
      for (int a = 0; a < grid.angles; ++a)
        inverses[a] = 1 / (removal + faces * (directions.x[a] + directions.y[a] + directions.z[a]));
    }
  }
}

Fluxes::Fluxes(const Grid& grid)
    : before(count(grid.groups) * octants * grid.cells() * grid.angles),
      after(before.size()),
      scalar(grid.groups * grid.cells()),
      last(scalar.size()),
      emitted(scalar.size()),
      face_x(grid.groups * grid.faces() * grid.angles),
      face_y(face_x.size()),
      face_z(face_x.size()),
      leakage(grid.groups) {}

void set_emission(const Problem& problem, Fluxes& fluxes) {
  const Physics& physics = problem.physics;
  const int groups = physics.groups;
  const auto cells = static_cast<std::ptrdiff_t>(problem.grid.cells());
#pragma omp parallel for collapse(2) schedule(static)
  for (int g = 0; g < groups; ++g) {
    for (std::ptrdiff_t cell = 0; cell < cells; ++cell) {
      double sum = problem.emits[cell] * physics.source[g];
      const double* scatter = &physics.scatter[count(problem.material[cell]) * groups * groups];
      for (int from = 0; from <= g; ++from) sum += scatter[from * groups + g] * fluxes.last[from * cells + cell];
      fluxes.emitted[g * cells + cell] = sum;
    }
  }
}

namespace {

/// By groups, each in a fixed order.
double imbalance_of(const Problem& problem, const Fluxes& fluxes) {
  const Grid& grid = problem.grid;
  const std::size_t cells = grid.cells(), of_group = octants * cells * grid.angles;
  const double volume = std::pow(grid.width(), 3);
  Numbers parts(grid.groups);
#pragma omp parallel for schedule(static)
  for (int g = 0; g < grid.groups; ++g) {
    double emitted = 0, removed = 0, gained = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      emitted += fluxes.emitted[g * cells + cell];
      removed += problem.physics.total[problem.material[cell] * grid.groups + g] * fluxes.scalar[g * cells + cell];
    }
    for (std::size_t i = g * of_group; i < (g + 1) * of_group; ++i) gained += fluxes.after[i] - fluxes.before[i];
    gained *= problem.physics.rate[g] * problem.directions.weight;
    parts[g] = std::abs(volume * (emitted - removed - gained) - fluxes.leakage[g]) / (volume * emitted);
  }
  return std::ranges::max(parts);
}

double largest_change(const Fluxes& fluxes) {
  double largest = 0;
  const auto size = static_cast<std::ptrdiff_t>(fluxes.scalar.size());
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    largest = std::max(largest, std::abs(fluxes.scalar[i] - fluxes.last[i]) / std::max(fluxes.scalar[i], 1e-12));
  }
  return largest;
}

double smallest_of(const Numbers& numbers) {
  double smallest = numbers[0];
  const auto size = static_cast<std::ptrdiff_t>(numbers.size());
#pragma omp parallel for schedule(static) reduction(min : smallest)
  for (std::ptrdiff_t i = 0; i < size; ++i) smallest = std::min(smallest, numbers[i]);
  return smallest;
}

}  // namespace

Step advance(const Problem& problem, Fluxes& fluxes, double enough, int most) {
  Step step{0, 1, 0, 0};
  for (; step.iterations < most && step.change > enough; ++step.iterations) {
    fluxes.last.swap(fluxes.scalar);
    set_emission(problem, fluxes);
    sweep_octants(problem, fluxes);
    step.change = largest_change(fluxes);
  }
  step.imbalance = imbalance_of(problem, fluxes);
  step.smallest = smallest_of(fluxes.after);
  fluxes.before.swap(fluxes.after);
  return step;
}

// Neutrons come from higher energies alone, so one group follows from those before it.
Numbers infinite_medium(const Physics& physics, int material) {
  const int groups = physics.groups;
  Numbers flux(groups);
  for (int g = 0; g < groups; ++g) {
    double sum = physics.source[g];
    const double* scatter = &physics.scatter[count(material) * groups * groups];
    for (int from = 0; from < g; ++from) sum += scatter[from * groups + g] * flux[from];
    flux[g] = sum / (physics.total[material * groups + g] - scatter[g * groups + g]);
  }
  return flux;
}

}  // namespace sweep
