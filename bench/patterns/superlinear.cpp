// Work that grows faster than its objects.
#include <algorithm>
#include <cmath>

#include "bench/patterns/pattern_kernel.h"

namespace patterns {
namespace {

double number(std::size_t i) { return static_cast<double>(i % 1000) * 0.001; }

std::size_t side_of(std::size_t bytes) {
  return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(bytes) / sizeof(double))));
}

void product_of(double* c, const double* a, const double* b, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

/// N^1.5 for N elements.
Input matrix_product(std::size_t bytes) {
  Input input;
  const std::size_t n = side_of(bytes);
  double* const c = input.add<double>("c", "stream", n * n);
  const double* const a = input.add<double>("a", "stream", n * n, number);
  const double* const b = input.add<double>("b", "stream", n * n, number);
  input.run = [=] { return product_of(c, a, b, n), c[n]; };
  return input;
}

struct Body {
  double x, y, mass, force;
};

void pairs_of(Body* bodies, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    double force = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y;
      force += bodies[j].mass / (dx * dx + dy * dy + 0.01);
    }
    bodies[i].force = force;
  }
}

/// N^2.
Input all_pairs(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(Body);
  Body* const bodies =
      input.add<Body>("bodies", "strided", n, [](std::size_t i) { return Body{number(i), number(i * i), 1, 0}; });
  input.run = [=] { return pairs_of(bodies, n), bodies[n / 2].force; };
  return input;
}

/// Sorts from[0, n) by merging runs of doubling length, to and fro. Returns where the result is.
double* merge_sort(double* from, double* to, std::size_t n) {
  for (std::size_t run = 1; run < n; run *= 2, std::swap(from, to)) {
    for (std::size_t begin = 0; begin < n; begin += 2 * run) {
      const std::size_t middle = std::min(n, begin + run), end = std::min(n, begin + 2 * run);
      std::size_t left = begin, right = middle;
      for (std::size_t i = begin; i < end; ++i) {
        const bool take_left = left < middle && (right == end || from[left] <= from[right]);
        to[i] = take_left ? from[left++] : from[right++];
      }
    }
  }
  return from;
}

double sort_of(double* values, double* other, std::size_t n) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const auto lane = static_cast<std::size_t>(omp_get_thread_num());
    const auto part = n / static_cast<std::size_t>(omp_get_num_threads());
    sum += merge_sort(values + lane * part, other + lane * part, part)[part / 2];
  }
  return sum;
}

/// N log N; each lane sorts its part.
Input sort(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  Random random(bytes);
  double* const values = input.add<double>("values", "stream", n, [&](std::size_t) { return random.unit(); });
  double* const other = input.add<double>("other", "stream", n);
  input.run = [=] { return sort_of(values, other, n); };
  return input;
}

void solve_of(double* x, const double* lower, std::size_t n) {
#pragma omp parallel num_threads(1)
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= lower[i * n + j] * x[j];
    x[i] = sum;
  }
}

/// Half of N, for a triangle of N / 2 elements stored in a square; its vector grows with the root.
Input triangular_solve(std::size_t bytes) {
  Input input;
  const std::size_t n = side_of(bytes);
  const double* const lower =
      input.add<double>("lower", "stream", n * n, [=](std::size_t i) { return number(i) / static_cast<double>(n); });
  double* const x = input.add<double>("x", "stream", n, number);
  input.run = [=] { return solve_of(x, lower, n), x[n - 1]; };
  return input;
}

constexpr Entry kernels[] = {{"matrix-product", matrix_product},
                             {"all-pairs", all_pairs},
                             {"sort", sort},
                             {"triangular-solve", triangular_solve}};

}  // namespace

std::span<const Entry> superlinear_kernels() { return kernels; }

}  // namespace patterns
