// Block-tridiagonal systems of 5x5 blocks along x, y and z: after the pseudo-application BT of the NAS Parallel
// Benchmarks (Bailey et al., NASA RNR-94-007, section 3.4). The blocks depend on the state of their point.
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr std::size_t parts = 5, block = parts * parts;
constexpr double step = 0.1;

std::size_t lane() { return static_cast<std::size_t>(omp_get_thread_num()); }
std::size_t lanes() { return static_cast<std::size_t>(omp_get_max_threads()); }

struct Box {
  std::size_t n;
  std::size_t size() const { return n * n * n; }
};

CORPUS_REGION void initialise(Reals& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.5 + corpus::random_real(seed, i);
}

/// The diagonal block I + step (2 D + u u^T / |u|^2); those beside it are -step D with D = diag(1, ..., 1.4).
inline void jacobian(const double* u, double* a) {
  double square = 0;
  for (std::size_t c = 0; c < parts; ++c) square += u[c] * u[c];
  for (std::size_t r = 0; r < parts; ++r) {
    for (std::size_t c = 0; c < parts; ++c) a[r * parts + c] = step * u[r] * u[c] / square;
    a[r * parts + r] += 1 + 2 * step * (1 + 0.1 * static_cast<double>(r));
  }
}

inline double beside(std::size_t r) { return -step * (1 + 0.1 * static_cast<double>(r)); }

/// b <- a^-1 b, for the `columns` columns of b; a is destroyed.
inline void solve_block(double* a, double* b, std::size_t columns) {
  for (std::size_t p = 0; p < parts; ++p) {
    const double inverse = 1 / a[p * parts + p];
    for (std::size_t c = p + 1; c < parts; ++c) a[p * parts + c] *= inverse;
    for (std::size_t c = 0; c < columns; ++c) b[p * columns + c] *= inverse;
    for (std::size_t r = 0; r < parts; ++r) {
      if (r == p) continue;
      const double factor = a[r * parts + p];
      for (std::size_t c = p + 1; c < parts; ++c) a[r * parts + c] -= factor * a[p * parts + c];
      for (std::size_t c = 0; c < columns; ++c) b[r * columns + c] -= factor * b[p * columns + c];
    }
  }
}

/// Thomas's algorithm with blocks: a line of n points, `stride` points apart, solved in place.
inline void solve_line(std::size_t n, const double* u, double* rhs, std::size_t stride, Reals& upper) {
  double diagonal[block], both[parts * (parts + 1)];
  for (std::size_t i = 0; i < n; ++i) {
    double* r = rhs + i * stride * parts;
    jacobian(u + i * stride * parts, diagonal);
    for (std::size_t row = 0; row < parts; ++row) {
      double right = r[row];
      if (i > 0) {
        right -= beside(row) * r[row - stride * parts];
        for (std::size_t c = 0; c < parts; ++c) {
          diagonal[row * parts + c] -= beside(row) * upper[(i - 1) * block + row * parts + c];
        }
      }
      for (std::size_t c = 0; c < parts; ++c) both[row * (parts + 1) + c] = c == row ? beside(row) : 0;
      both[row * (parts + 1) + parts] = right;
    }
    solve_block(diagonal, both, parts + 1);
    for (std::size_t row = 0; row < parts; ++row) {
      std::copy_n(&both[row * (parts + 1)], parts, &upper[i * block + row * parts]);
      r[row] = both[row * (parts + 1) + parts];
    }
  }
  for (std::size_t i = n - 1; i-- > 0;) {
    double* r = rhs + i * stride * parts;
    for (std::size_t row = 0; row < parts; ++row) {
      for (std::size_t c = 0; c < parts; ++c) r[row] -= upper[i * block + row * parts + c] * r[stride * parts + c];
    }
  }
}

CORPUS_REGION void solve_x(const Box& b, const Reals& u, Reals& rhs) {
  std::vector<Reals> scratch(lanes(), Reals(b.n * block));
#pragma omp parallel
  {
    Reals& upper = scratch[lane()];
#pragma omp for
    for (std::size_t line = 0; line < b.n * b.n; ++line) {
      solve_line(b.n, &u[line * b.n * parts], &rhs[line * b.n * parts], 1, upper);
    }
  }
}

CORPUS_REGION void solve_y(const Box& b, const Reals& u, Reals& rhs) {
  std::vector<Reals> scratch(lanes(), Reals(b.n * block));
#pragma omp parallel
  {
    Reals& upper = scratch[lane()];
#pragma omp for
    for (std::size_t k = 0; k < b.n; ++k) {
      for (std::size_t i = 0; i < b.n; ++i) {
        const std::size_t first = (k * b.n * b.n + i) * parts;
        solve_line(b.n, &u[first], &rhs[first], b.n, upper);
      }
    }
  }
}

CORPUS_REGION void solve_z(const Box& b, const Reals& u, Reals& rhs) {
  std::vector<Reals> scratch(lanes(), Reals(b.n * block));
#pragma omp parallel
  {
    Reals& upper = scratch[lane()];
#pragma omp for schedule(dynamic, 8)
    for (std::size_t line = 0; line < b.n * b.n; ++line) {
      solve_line(b.n, &u[line * parts], &rhs[line * parts], b.n * b.n, upper);
    }
  }
}

/// rhs = the product of the tridiagonal operator along x with v: what solve_x undoes.
CORPUS_REGION void apply_x(const Box& b, const Reals& u, const Reals& v, Reals& rhs) {
#pragma omp parallel for
  for (std::size_t p = 0; p < b.size(); ++p) {
    double a[block];
    jacobian(&u[p * parts], a);
    const std::size_t i = p % b.n;
    for (std::size_t r = 0; r < parts; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < parts; ++c) sum += a[r * parts + c] * v[p * parts + c];
      if (i > 0) sum += beside(r) * v[(p - 1) * parts + r];
      if (i + 1 < b.n) sum += beside(r) * v[(p + 1) * parts + r];
      rhs[p * parts + r] = sum;
    }
  }
}

/// The fluxes of all three directions, zero outside.
CORPUS_REGION void fluxes(const Box& b, const Reals& u, Reals& rhs) {
  const std::size_t n = b.n, plane = n * n;
#pragma omp parallel for collapse(2)
  for (std::size_t k = 1; k < n - 1; ++k) {
    for (std::size_t j = 1; j < n - 1; ++j) {
      for (std::size_t x = (k * plane + j * n + 1) * parts; x < (k * plane + j * n + n - 1) * parts; ++x) {
        rhs[x] = step * (u[x - parts] + u[x + parts] + u[x - n * parts] + u[x + n * parts] + u[x - plane * parts] +
                         u[x + plane * parts] - 6 * u[x]);
      }
    }
  }
}

CORPUS_REGION double farthest(const Reals& a, const Reals& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::fabs(a[i] - b[i]));
  return most;
}

CORPUS_REGION double update(const Reals& rhs, Reals& u) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] += rhs[i];
    sum += rhs[i] * rhs[i];
  }
  return std::sqrt(sum);
}

corpus::Answer bt(const corpus::Input& input) {
  const Box b{input.pick<std::size_t>(20, 28)};
  Reals u(b.size() * parts), rhs(u.size()), v(u.size());
  initialise(u, input.seed);
  initialise(v, input.seed + 1);
  apply_x(b, u, v, rhs);
  solve_x(b, u, rhs);
  const double error = farthest(rhs, v);
  fluxes(b, u, rhs);
  solve_x(b, u, rhs);
  solve_y(b, u, rhs);
  solve_z(b, u, rhs);
  return {update(rhs, u), error < 1e-9};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, bt); }
