// Eigenvalues of dense symmetric matrices and bases: the power iteration, Jacobi's rotations, Gram and Schmidt's
// orthogonalisation in two variants, Householder's reduction to tridiagonal form, Sturm's bisection of many tridiagonal
// matrices (Golub, Van Loan: Matrix Computations, 4th edition, chapters 5 and 8).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

CORPUS_REGION void randomise(std::size_t n, Reals& a, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = corpus::random_real(seed, std::max(i, j) * n + std::min(i, j));
  }
}

CORPUS_REGION void apply(std::size_t n, const Reals& a, const Reals& x, Reals& y) {
#pragma omp parallel for schedule(guided)
  for (std::size_t i = 0; i < n; ++i) {
    double even = 0, odd = 0;
    for (std::size_t j = 0; j + 1 < n; j += 2) even += a[i * n + j] * x[j], odd += a[i * n + j + 1] * x[j + 1];
    y[i] = even + odd;
  }
}

double power_iteration(std::size_t n, const Reals& a, Reals& x, Reals& y) {
  double value = 0;
  for (int k = 0; k < 6; ++k) {
    apply(n, a, x, y);
    double square = 0, shadow = 0;
    for (std::size_t i = 0; i < n; ++i) square += y[i] * y[i], shadow += x[i] * y[i];
    value = shadow;
    for (std::size_t i = 0; i < n; ++i) x[i] = y[i] / std::sqrt(square);
  }
  return value;
}

/// One of Jacobi's rotations on rows and columns p and q: two streams and two strides.
CORPUS_REGION void rotate_rows(std::size_t n, std::size_t p, std::size_t q, double c, double s, Reals& a) {
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
}

CORPUS_REGION void rotate_columns(std::size_t n, std::size_t p, std::size_t q, double c, double s, Reals& a) {
  for (std::size_t k = 0; k < n; ++k) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
}

void jacobi(std::size_t n, std::size_t rotations, Reals& a) {
  for (std::size_t r = 0; r < rotations; ++r) {
    const std::size_t p = r * 37 % (n / 2), q = n - 1 - r * 11 % (n / 2);
    if (a[p * n + q] == 0) continue;
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1);
    rotate_rows(n, p, q, c, t * c, a);
    rotate_columns(n, p, q, c, t * c, a);
  }
}

/// The largest element off the diagonal, as Jacobi's classical method looks for it.
CORPUS_REGION double largest(std::size_t n, const Reals& a) {
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::fabs(a[i * n + j]) > most) most = std::fabs(a[i * n + j]);
    }
  }
  return most;
}

/// Rows of a become orthonormal, each against those before it at once (classical).
CORPUS_REGION void classical(std::size_t n, std::size_t rows, Reals& a, Reals& shadow) {
  for (std::size_t i = 0; i < rows; ++i) {
#pragma omp parallel for
    for (std::size_t k = 0; k < i; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[k * n + j] * a[i * n + j];
      shadow[k] = sum;
    }
    double square = 0;
#pragma omp parallel for reduction(+ : square)
    for (std::size_t j = 0; j < n; ++j) {
      double value = a[i * n + j];
      for (std::size_t k = 0; k < i; ++k) value -= shadow[k] * a[k * n + j];
      a[i * n + j] = value;
      square += value * value;
    }
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= std::sqrt(square);
  }
}

/// All later rows are freed of row i as soon as it is there (modified).
CORPUS_REGION void modified(std::size_t n, std::size_t rows, Reals& a) {
  for (std::size_t i = 0; i < rows; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < n; ++j) square += a[i * n + j] * a[i * n + j];
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= std::sqrt(square);
#pragma omp parallel for schedule(static, 1)
    for (std::size_t k = i + 1; k < rows; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * a[k * n + j];
      for (std::size_t j = 0; j < n; ++j) a[k * n + j] -= sum * a[i * n + j];
    }
  }
}

CORPUS_REGION double unorthogonal(std::size_t n, std::size_t rows, const Reals& a) {
  double most = 0;
#pragma omp parallel for collapse(2) reduction(max : most)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < rows; ++k) {
      double sum = i == k ? -1 : 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * a[k * n + j];
      most = std::max(most, std::fabs(sum));
    }
  }
  return most;
}

/// One step of the tridiagonal reduction: a -= v w^T + w v^T.
CORPUS_REGION void rank_two(std::size_t n, const Reals& v, const Reals& w, Reals& a) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= v[i] * w[j] + w[i] * v[j];
  }
}

/// How many eigenvalues of each tridiagonal matrix are below `at` (Sturm): matrices lie side by side, so this
/// vectorises.
CORPUS_REGION void sturm(std::size_t n, std::size_t matrices, const Reals& diagonal, const Reals& beside, double at,
                         Reals& below) {
#pragma omp parallel for
  for (std::size_t first = 0; first < matrices; first += 16) {
    double q[16], count[16] = {};
    for (double& each : q) each = 1;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t m = 0; m < 16; ++m) {
        const double b = beside[i * matrices + first + m];
        q[m] = diagonal[i * matrices + first + m] - at - b * b / q[m];
        count[m] += q[m] < 0 ? 1 : 0;
      }
    }
    for (std::size_t m = 0; m < 16; ++m) below[first + m] = count[m];
  }
}

/// Gershgorin's bounds of each of them.
CORPUS_REGION double gershgorin(std::size_t n, std::size_t matrices, const Reals& diagonal, const Reals& beside) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t p = 0; p < (n - 1) * matrices; ++p) {
    most = std::max(most, diagonal[p] + std::fabs(beside[p]) + std::fabs(beside[p + matrices]));
  }
  return most;
}

CORPUS_REGION void disturb(std::uint64_t seed, Reals& a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 1 + 0.5 * corpus::random_real(seed, i);
}

corpus::Answer eigen(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(360, 480), rows = 24, matrices = 960;
  Reals a(n * n), x(n, 1.0), y(n), shadow(rows), diagonal(n / 2 * matrices), beside(n / 2 * matrices), below(matrices);
  randomise(n, a, input.seed);
  const double value = power_iteration(n, a, x, y);
  jacobi(n, 150, a);
  const double most = largest(n, a);
  for (std::size_t i = 0; i < n; ++i) y[i] = 0.5 * value * x[i];
  rank_two(n, x, y, a);  // the dominant eigenvalue is gone
  disturb(input.seed, diagonal);
  for (std::size_t i = 0; i < beside.size(); i += 3) beside[i] = 0.25;
  const double bound = gershgorin(n / 2, matrices, diagonal, beside);
  sturm(n / 2, matrices, diagonal, beside, bound, below);
  const std::size_t size = n / 2;
  const bool all = *std::min_element(below.begin(), below.end()) == static_cast<double>(size);
  const std::size_t wide = n * n / rows;  // the matrix as some long rows
  classical(wide, rows / 2, a, shadow);
  modified(wide, rows, a);
  return {value + most + bound, all && unorthogonal(wide, rows, a) < 1e-9};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, eigen); }
