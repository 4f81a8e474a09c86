// Stencils on regular grids.
#include <utility>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

void smooth(std::size_t n, const double* from, double* to) {
#pragma omp parallel for
  for (std::size_t i = 1; i < n - 1; ++i) to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

/// Some hundred steps over a line that stays in a cache.
Kernel stencil_1d(std::size_t n) {
  return [n, a = random_reals(n), b = random_reals(n)]() mutable {
    for (int step = 0; step < 100; ++step) {
      smooth(n, a.data(), b.data());
      std::swap(a, b);
    }
    return a[n / 2];
  };
}

void step_2d(std::size_t side, const double* from, double* to) {
#pragma omp parallel for
  for (std::size_t row = 1; row < side - 1; ++row) {
    for (std::size_t i = row * side + 1; i < row * side + side - 1; ++i) {
      to[i] = 0.25 * (from[i - side] + from[i - 1] + from[i + 1] + from[i + side]);
    }
  }
}

Kernel jacobi_2d(std::size_t side) {
  return [side, a = random_reals(side * side), b = random_reals(side * side)]() mutable {
    step_2d(side, a.data(), b.data());
    std::swap(a, b);
    return a[side + 1];
  };
}

void step_3d(std::size_t side, const double* from, double* to) {
  const std::size_t plane = side * side;
#pragma omp parallel for
  for (std::size_t z = 1; z < side - 1; ++z) {
    for (std::size_t y = 1; y < side - 1; ++y) {
      const std::size_t row = z * plane + y * side;
      for (std::size_t i = row + 1; i < row + side - 1; ++i) {
        to[i] = 0.4 * from[i] + 0.1 * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side] +  //
                                       from[i - plane] + from[i + plane]);
      }
    }
  }
}

Kernel stencil_3d(std::size_t side) {
  return [side, a = random_reals(side * side * side), b = random_reals(side * side * side)]() mutable {
    step_3d(side, a.data(), b.data());
    std::swap(a, b);
    return a[(side + 1) * (side + 1)];
  };
}

/// In place: every point waits for its left neighbour.
void relax(std::size_t side, double* grid) {
  for (std::size_t row = 1; row < side - 1; ++row) {
    for (std::size_t i = row * side + 1; i < row * side + side - 1; ++i) {
      grid[i] = 0.25 * (grid[i - side] + grid[i - 1] + grid[i + 1] + grid[i + side]);
    }
  }
}

Kernel gauss_seidel_2d(std::size_t side) {
  return [side, grid = random_reals(side * side)]() mutable {
    relax(side, grid.data());
    return grid[side + 1];
  };
}

constexpr Entry entries[] = {{"stencil-1d", stencil_1d, Threads::share, 60'000, 100, 12'000},
                             {"jacobi-2d", jacobi_2d, Threads::share, 1500, 50, 150},
                             {"stencil-3d", stencil_3d, Threads::share, 256, 10, 32},
                             {"gauss-seidel-2d", gauss_seidel_2d, Threads::copies, 1200, 40, 150}};

}  // namespace

std::span<const Entry> stencil_kernels() { return entries; }

}  // namespace host
