// Conjugate gradients with a sparse matrix of random structure, inside inverse power iteration: the kernel CG of the
// NAS Parallel Benchmarks (Bailey et al., NASA RNR-94-007, section 2.5). The structure is a circulant one under a
// random permutation, so that it is symmetric without a sort.
#include <cmath>
#include <numeric>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

constexpr std::size_t neighbours = 5;  // on each side

struct Matrix {
  std::size_t n;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

CORPUS_REGION std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1], order[corpus::random_below(static_cast<std::uint32_t>(i), seed, i)]);
  }
  return order;
}

CORPUS_REGION void invert(const std::vector<std::uint32_t>& order, std::vector<std::uint32_t>& place) {
#pragma omp parallel for
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
}

/// Row i couples with the rows that are at fixed distances before and behind it in the shuffled order.
CORPUS_REGION void fill(Matrix& a, const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& place) {
  constexpr std::size_t distances[neighbours] = {1, 17, 303, 1291, 4099};
  const std::size_t n = a.n, width = 2 * neighbours + 1;
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* column = &a.columns[i * width];
    double* value = &a.values[i * width];
    for (std::size_t k = 0; k < neighbours; ++k) {
      column[2 * k] = order[(place[i] + distances[k]) % n];
      column[2 * k + 1] = order[(place[i] + n - distances[k]) % n];
      value[2 * k] = value[2 * k + 1] = -1.0 / static_cast<double>(k + 1);
    }
    column[width - 1] = static_cast<std::uint32_t>(i);
    value[width - 1] = 5.0;
  }
}

CORPUS_REGION void multiply(const Matrix& a, const std::vector<double>& x, std::vector<double>& y) {
  constexpr std::size_t width = 2 * neighbours + 1;
#pragma omp parallel for
  for (std::size_t i = 0; i < a.n; ++i) {
    double sum = 0;
    for (std::size_t k = i * width; k < (i + 1) * width; ++k) sum += a.values[k] * x[a.columns[k]];
    y[i] = sum;
  }
}

CORPUS_REGION double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// x += alpha p, r -= alpha q; the new square of the residual.
CORPUS_REGION double step(double alpha, const std::vector<double>& p, const std::vector<double>& q,
                          std::vector<double>& x, std::vector<double>& r) {
  double rho = 0;
#pragma omp parallel for reduction(+ : rho)
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    rho += r[i] * r[i];
  }
  return rho;
}

CORPUS_REGION void turn(double beta, const std::vector<double>& r, std::vector<double>& p) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
}

CORPUS_REGION double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

CORPUS_REGION void normalise(const std::vector<double>& z, double factor, std::vector<double>& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = z[i] * factor;
}

corpus::Answer cg(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(18'000, 30'000), width = 2 * neighbours + 1;
  Matrix a{n, std::vector<std::uint32_t>(n * width), std::vector<double>(n * width)};
  const auto order = shuffled(n, input.seed);
  std::vector<std::uint32_t> place(n);
  invert(order, place);
  fill(a, order, place);
  std::vector<double> x(n, 1.0), z(n), r(n), p(n), q(n);
  for (std::size_t i = 0; i < n; ++i) x[i] += corpus::random_real(input.seed, i);
  double residual = 0, zeta = 0;
  for (int outer = 0; outer < 2; ++outer) {
    z.assign(n, 0.0);
    r = p = x;
    double rho = dot(r, r);
    for (int inner = 0; inner < 6; ++inner) {
      multiply(a, p, q);
      const double old = std::exchange(rho, step(rho / dot(p, q), p, q, z, r));
      turn(rho / old, r, p);
    }
    multiply(a, z, q);
    residual = distance(x, q) / std::sqrt(dot(x, x));
    zeta = 1.0 / dot(x, z);
    normalise(z, 1.0 / std::sqrt(dot(z, z)), x);
  }
  return {zeta, residual < 0.1};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, cg); }
