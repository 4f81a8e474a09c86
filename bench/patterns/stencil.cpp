// Neighbours of the element that the loops are at.
#include <cmath>

#include "bench/patterns/pattern_kernel.h"

namespace patterns {
namespace {

template <class T>
T number(std::size_t i) {
  return static_cast<T>(i % 1000) * T(0.001);
}

void line_3_of(double* out, const double* in, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 1; i < n - 1; ++i) out[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]);
}

template <class T>
void cross_5_of(T* out, const T* in, std::size_t n) {
#pragma omp parallel for
  for (std::size_t y = 1; y < n - 1; ++y) {
    for (std::size_t x = 1; x < n - 1; ++x) {
      const std::size_t i = y * n + x;
      out[i] = T(0.2) * (in[i - n] + in[i - 1] + in[i] + in[i + 1] + in[i + n]);
    }
  }
}

void box_9_of(double* out, const double* in, std::size_t n) {
#pragma omp parallel for
  for (std::size_t y = 1; y < n - 1; ++y) {
    for (std::size_t x = 1; x < n - 1; ++x) {
      const double* const at = in + y * n + x;
      const double* const up = at - n;
      const double* const down = at + n;
      out[y * n + x] = up[-1] + up[0] + up[1] + at[-1] - 8 * at[0] + at[1] + down[-1] + down[0] + down[1];
    }
  }
}

/// In place: three of the neighbours are new already.
void gauss_seidel_of(double* grid, std::size_t n) {
#pragma omp parallel num_threads(1)
  for (std::size_t y = 1; y < n - 1; ++y) {
    for (std::size_t x = 1; x < n - 1; ++x) {
      const std::size_t i = y * n + x;
      grid[i] = 0.25 * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
    }
  }
}

template <class T>
void cross_7_of(T* out, const T* in, std::size_t n) {
  const std::size_t plane = n * n;
#pragma omp parallel for
  for (std::size_t z = 1; z < n - 1; ++z) {
    for (std::size_t y = 1; y < n - 1; ++y) {
      for (std::size_t x = 1; x < n - 1; ++x) {
        const std::size_t i = z * plane + y * n + x;
        out[i] = in[i - plane] + in[i - n] + in[i - 1] - 6 * in[i] + in[i + 1] + in[i + n] + in[i + plane];
      }
    }
  }
}

/// A loop over 9 rows of 3: the offsets are constants, the loop over them is unrolled.
void box_27_of(double* out, const double* in, std::size_t n) {
  const std::size_t plane = n * n;
#pragma omp parallel for
  for (std::size_t z = 1; z < n - 1; ++z) {
    for (std::size_t y = 1; y < n - 1; ++y) {
      for (std::size_t x = 1; x < n - 1; ++x) {
        const double* const at = in + z * plane + y * n + x;
        double sum = 0;
        for (std::size_t dz = 0; dz < 3; ++dz) {
          for (std::size_t dy = 0; dy < 3; ++dy) {
            const double* const row = at + dz * plane - plane + dy * n - n;
            sum += row[-1] + row[0] + row[1];
          }
        }
        out[z * plane + y * n + x] = sum / 27;
      }
    }
  }
}

Input line_3(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  const double* const in = input.add<double>("in", "stencil", n, number<double>);
  double* const out = input.add<double>("out", "stream", n);
  input.run = [=] { return line_3_of(out, in, n), out[n / 2]; };
  return input;
}

/// A grid of `Dimensions` equal sides, of which one is read and one is written.
template <class T, unsigned Dimensions, void (*Work)(T*, const T*, std::size_t)>
Input grids(std::size_t bytes) {
  Input input;
  const double points = static_cast<double>(bytes) / sizeof(T);
  const auto n = static_cast<std::size_t>(std::llround(std::pow(points, 1.0 / Dimensions)));
  const std::size_t all = Dimensions == 2 ? n * n : n * n * n;
  const T* const in = input.add<T>("in", "stencil", all, number<T>);
  T* const out = input.add<T>("out", "stream", all);
  input.run = [=] { return Work(out, in, n), static_cast<double>(out[all / 2 + n / 2]); };
  return input;
}

Input gauss_seidel(std::size_t bytes) {
  Input input;
  const auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(bytes) / sizeof(double)));
  double* const grid = input.add<double>("grid", "stencil", n * n, number<double>);
  input.run = [=] { return gauss_seidel_of(grid, n), grid[n * n / 2 + n / 2]; };
  return input;
}

constexpr Entry kernels[] = {{"line-3", line_3},
                             {"cross-5", grids<double, 2, cross_5_of<double>>},
                             {"cross-5-float", grids<float, 2, cross_5_of<float>>},
                             {"box-9", grids<double, 2, box_9_of>},
                             {"gauss-seidel", gauss_seidel},
                             {"cross-7", grids<double, 3, cross_7_of<double>>},
                             {"cross-7-float", grids<float, 3, cross_7_of<float>>},
                             {"box-27", grids<double, 3, box_27_of>}};

}  // namespace

std::span<const Entry> stencil_kernels() { return kernels; }

}  // namespace patterns
