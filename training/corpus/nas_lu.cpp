// Symmetric successive over-relaxation of a coupled system in wave fronts i + j + k = constant: after the
// pseudo-application LU of the NAS Parallel Benchmarks (Bailey et al., NASA RNR-94-007, section 3.3). The points of a
// front come from a list, so the sweeps gather.
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr std::size_t parts = 5, block = parts * parts;
constexpr double omega = 1.2;

struct Box {
  std::size_t n, plane, size;
  std::vector<std::uint32_t> points;  ///< front by front
  std::vector<std::size_t> begins;
};

CORPUS_REGION Box fronts(std::size_t n) {
  Box b{n, n * n, n * n * n, {}, std::vector<std::size_t>(3 * n)};
  b.points.resize(b.size);
  auto front = [n](std::size_t p) { return p / (n * n) + p / n % n + p % n; };
  for (std::size_t p = 0; p < b.size; ++p) ++b.begins[front(p) + 1];
  for (std::size_t f = 1; f < 3 * n; ++f) b.begins[f] += b.begins[f - 1];
  std::vector<std::size_t> next = b.begins;
  for (std::size_t p = 0; p < b.size; ++p) b.points[next[front(p)]++] = static_cast<std::uint32_t>(p);
  return b;
}

/// The inverse of the diagonal block of every point: 7 I + a random symmetric coupling, by Gauss and Jordan.
CORPUS_REGION void diagonal_inverses(std::uint64_t seed, std::size_t size, Reals& inverse) {
#pragma omp parallel for
  for (std::size_t p = 0; p < size; ++p) {
    double a[block], *x = &inverse[p * block];
    for (std::size_t r = 0; r < parts; ++r) {
      for (std::size_t c = 0; c < parts; ++c) {
        a[r * parts + c] =
            (r == c ? 7 : 0) + 0.1 * corpus::random_real(seed, p * block + (r < c ? r * parts + c : c * parts + r));
        x[r * parts + c] = r == c;
      }
    }
    for (std::size_t d = 0; d < parts; ++d) {
      const double scale = 1 / a[d * parts + d];
      for (std::size_t c = 0; c < parts; ++c) a[d * parts + c] *= scale, x[d * parts + c] *= scale;
      for (std::size_t r = 0; r < parts; ++r) {
        const double factor = r == d ? 0 : a[r * parts + d];
        for (std::size_t c = 0; c < parts; ++c) {
          a[r * parts + c] -= factor * a[d * parts + c];
          x[r * parts + c] -= factor * x[d * parts + c];
        }
      }
    }
  }
}

CORPUS_REGION void force(std::uint64_t seed, Reals& f) {
#pragma omp parallel for
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = corpus::random_real(seed, i) - 0.5;
}

inline void add(const Reals& u, std::size_t p, double* sum) {
  for (std::size_t c = 0; c < parts; ++c) sum[c] += u[p * parts + c];
}

inline void relax(const Reals& inverse, std::size_t p, const double* sum, Reals& u) {
  for (std::size_t r = 0; r < parts; ++r) {
    double value = 0;
    for (std::size_t c = 0; c < parts; ++c) value += inverse[p * block + r * parts + c] * sum[c];
    u[p * parts + r] += omega * (value - u[p * parts + r]);
  }
}

inline void neighbours(const Box& b, const Reals& u, std::size_t p, double* sum) {
  const std::size_t i = p % b.n, j = p / b.n % b.n, k = p / b.plane;
  if (i > 0) add(u, p - 1, sum);
  if (j > 0) add(u, p - b.n, sum);
  if (k > 0) add(u, p - b.plane, sum);
  if (i + 1 < b.n) add(u, p + 1, sum);
  if (j + 1 < b.n) add(u, p + b.n, sum);
  if (k + 1 < b.n) add(u, p + b.plane, sum);
}

CORPUS_REGION void lower(const Box& b, const Reals& f, const Reals& inverse, Reals& u) {
#pragma omp parallel
  for (std::size_t front = 0; front < 3 * b.n - 2; ++front) {
#pragma omp for
    for (std::size_t q = b.begins[front]; q < b.begins[front + 1]; ++q) {
      double sum[parts] = {};
      add(f, b.points[q], sum);
      neighbours(b, u, b.points[q], sum);
      relax(inverse, b.points[q], sum, u);
    }
  }
}

/// Backwards, in lines of one plane after another: a thread per line would race, so fronts within the plane.
CORPUS_REGION void upper(const Box& b, const Reals& f, const Reals& inverse, Reals& u) {
#pragma omp parallel
  for (std::size_t k = b.n; k-- > 0;) {
    for (std::size_t front = 2 * b.n - 1; front-- > 0;) {
      const std::size_t first = front < b.n ? 0 : front - b.n + 1, last = front < b.n ? front : b.n - 1;
#pragma omp for
      for (std::size_t j = first; j <= last; ++j) {
        const std::size_t p = k * b.plane + j * b.n + front - j;
        double sum[parts] = {};
        neighbours(b, u, p, sum);
        add(f, p, sum);
        relax(inverse, p, sum, u);
      }
    }
  }
}

/// In the unscaled form inverse (f + neighbours) - u, whose zero is the solution, too.
CORPUS_REGION double residual(const Box& b, const Reals& f, const Reals& inverse, const Reals& u, Reals& r) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t p = 0; p < b.size; ++p) {
    double sum[parts] = {};
    add(f, p, sum);
    neighbours(b, u, p, sum);
    for (std::size_t row = 0; row < parts; ++row) {
      double value = -u[p * parts + row];
      for (std::size_t c = 0; c < parts; ++c) value += inverse[p * block + row * parts + c] * sum[c];
      r[p * parts + row] = value;
      square += value * value;
    }
  }
  return std::sqrt(square);
}

/// The norm of each quantity, as the benchmark verifies it: a reduction over five columns.
CORPUS_REGION double norms(const Reals& u) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0;
#pragma omp parallel for reduction(+ : s0, s1, s2, s3, s4)
  for (std::size_t i = 0; i < u.size(); i += parts) {
    s0 += u[i] * u[i];
    s1 += u[i + 1] * u[i + 1];
    s2 += u[i + 2] * u[i + 2];
    s3 += u[i + 3] * u[i + 3];
    s4 += u[i + 4] * u[i + 4];
  }
  return std::sqrt(s0) + std::sqrt(s1) + std::sqrt(s2) + std::sqrt(s3) + std::sqrt(s4);
}

/// The integral over the face i = 0, as the benchmark's pintgr: one point of every row.
CORPUS_REGION double surface(const Box& b, const Reals& u) {
  double sum = 0;
  for (std::size_t p = 0; p < b.size; p += b.n) sum += u[p * parts] + 0.5 * u[(p + 1) * parts + 1];
  return sum;
}

corpus::Answer lu(const corpus::Input& input) {
  const Box b = fronts(input.pick<std::size_t>(20, 28));
  Reals u(b.size * parts), f(u.size()), r(u.size()), inverse(b.size * block);
  diagonal_inverses(input.seed, b.size, inverse);
  force(input.seed, f);
  const double before = residual(b, f, inverse, u, r);
  lower(b, f, inverse, u);
  upper(b, f, inverse, u);
  const double after = residual(b, f, inverse, u, r);
  return {norms(u) + norms(r) + surface(b, u), after < 0.8 * before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, lu); }
