// Particles: all pairs, on a grid, in cells.
#include <algorithm>
#include <cmath>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

void accelerate(std::size_t n, const double* x, const double* y, const double* z, double* force) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const double square = dx * dx + dy * dy + dz * dz + 1e-3;
      sum += dx / (square * std::sqrt(square));
    }
    force[i] = sum;
  }
}

Kernel nbody(std::size_t n) {
  return [n, places = random_reals(3 * n), force = std::vector<double>(n)]() mutable {
    accelerate(n, places.data(), places.data() + n, places.data() + 2 * n, force.data());
    return force[n / 2];
  };
}

/// Every particle gives its charge to the two grid points beside it.
void deposit(std::size_t n, const double* place, double* grid) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto cell = static_cast<std::size_t>(place[i]);
    const double share = place[i] - static_cast<double>(cell);
    grid[cell] += 1 - share;
    grid[cell + 1] += share;
  }
}

/// n particles in no order, n / 8 cells.
Kernel pic_deposit(std::size_t n) {
  const std::size_t cells = n / 8;
  std::vector<double> place = random_reals(n);
  for (double& x : place) x *= static_cast<double>(cells);
  return [n, place = std::move(place), grid = std::vector<double>(cells + 2)]() mutable {
    std::ranges::fill(grid, 0.0);
    deposit(n, place.data(), grid.data());
    return grid[1];
  };
}

constexpr std::size_t side = 32;  // cells along an edge of a square

struct Cells {
  std::vector<std::uint32_t> first;  ///< of a cell's list, n: none
  std::vector<std::uint32_t> next;   ///< by particle
};

std::size_t cell_of(double x, double y) {
  return static_cast<std::size_t>(y * side) * side + static_cast<std::size_t>(x * side);
}

void fill_cells(std::size_t n, const double* x, const double* y, Cells& cells) {
  std::ranges::fill(cells.first, static_cast<std::uint32_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t& first = cells.first[cell_of(x[i], y[i])];
    cells.next[i] = first;
    first = static_cast<std::uint32_t>(i);
  }
}

/// Neighbours of particle i within a cell's width, among those in one cell.
std::size_t near(std::size_t n, std::size_t i, std::uint32_t other, const double* x, const double* y,
                 const std::uint32_t* next) {
  constexpr double reach = 1.0 / (side * side);
  std::size_t count = 0;
  for (; other < n; other = next[other]) {
    const double dx = x[other] - x[i], dy = y[other] - y[i];
    count += dx * dx + dy * dy < reach;
  }
  return count;
}

std::size_t count_near(std::size_t n, const double* x, const double* y, const Cells& cells) {
  const std::uint32_t* const first = cells.first.data();
  const std::uint32_t* const next = cells.next.data();
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < n; ++i) {
    const auto cx = static_cast<std::size_t>(x[i] * side), cy = static_cast<std::size_t>(y[i] * side);
    for (std::size_t row = cy - (cy > 0); row <= std::min(cy + 1, side - 1); ++row) {
      for (std::size_t column = cx - (cx > 0); column <= std::min(cx + 1, side - 1); ++column) {
        count += near(n, i, first[row * side + column], x, y, next);
      }
    }
  }
  return count;
}

Kernel cell_lists(std::size_t n) {
  return [n, places = random_reals(2 * n),
          cells = Cells{std::vector<std::uint32_t>(side * side), std::vector<std::uint32_t>(n)}]() mutable {
    fill_cells(n, places.data(), places.data() + n, cells);
    return static_cast<double>(count_near(n, places.data(), places.data() + n, cells));
  };
}

constexpr Entry entries[] = {{"nbody", nbody, Threads::share, 1'000, 48, 300},
                             {"pic-deposit", pic_deposit, Threads::copies, 4'000'000, 6, 60'000},
                             {"cell-lists", cell_lists, Threads::share, 50'000, 2, 4'000}};

}  // namespace

std::span<const Entry> particle_kernels() { return entries; }

}  // namespace host
