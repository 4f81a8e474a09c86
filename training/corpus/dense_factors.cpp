// Factorisations of dense matrices and what is done with them: Gauss's elimination with partial pivoting, Cholesky's in
// two orders, Householder's QR, triangular systems, an inverse (Golub, Van Loan: Matrix Computations, 4th edition,
// chapters 3 to 5).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

CORPUS_REGION void randomise(Reals& a, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = corpus::random_real(seed, i) - 0.5;
}

/// (a + a^T) / 2 + n I: positive definite.
CORPUS_REGION void symmetrise(std::size_t n, const Reals& a, Reals& s) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) s[i * n + j] = s[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
    s[i * n + i] += static_cast<double>(n);
  }
}

CORPUS_REGION std::size_t pivot(std::size_t n, std::size_t k, const Reals& a) {
  std::size_t row = k;
  for (std::size_t i = k + 1; i < n; ++i) {
    if (std::fabs(a[i * n + k]) > std::fabs(a[row * n + k])) row = i;
  }
  return row;
}

/// The first `columns` columns only: the trailing matrix is updated once for each.
CORPUS_REGION void eliminate(std::size_t n, std::size_t columns, Reals& a, std::vector<std::size_t>& rows) {
  for (std::size_t k = 0; k < columns; ++k) {
    const std::size_t p = pivot(n, k, a);
    std::swap(rows[k], rows[p]);
    if (p != k) std::swap_ranges(&a[k * n], &a[k * n] + n, &a[p * n]);
#pragma omp parallel for
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

/// Row by row (Crout): products of a row with the rows before it.
CORPUS_REGION void cholesky_rows(std::size_t n, std::size_t rows, Reals& a) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  }
}

/// Column by column, looking right: only the lower triangle is updated.
CORPUS_REGION void cholesky_columns(std::size_t n, std::size_t columns, Reals& a) {
  for (std::size_t k = 0; k < columns; ++k) {
    const double root = a[k * n + k] = std::sqrt(a[k * n + k]);
#pragma omp parallel
    {
#pragma omp for
      for (std::size_t i = k + 1; i < n; ++i) a[i * n + k] /= root;
#pragma omp for schedule(static, 4)
      for (std::size_t i = k + 1; i < n; ++i) {
        for (std::size_t j = k + 1; j <= i; ++j) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      }
    }
  }
}

/// Reflects the columns to the right of k; beta is 2 / v^T v.
CORPUS_REGION void reflect(std::size_t n, std::size_t k, double beta, const Reals& v, Reals& a, Reals& w) {
  std::fill(w.begin(), w.end(), 0.0);
  for (std::size_t i = k; i < n; ++i) {
    for (std::size_t j = k; j < n; ++j) w[j] += v[i] * a[i * n + j];
  }
#pragma omp parallel for
  for (std::size_t i = k; i < n; ++i) {
    for (std::size_t j = k; j < n; ++j) a[i * n + j] -= beta * v[i] * w[j];
  }
}

/// Householder's vector of column k.
CORPUS_REGION double householder(std::size_t n, std::size_t k, const Reals& a, Reals& v) {
  double square = 0;
  for (std::size_t i = k; i < n; ++i) {
    v[i] = a[i * n + k];
    square += v[i] * v[i];
  }
  const double length = std::copysign(std::sqrt(square), v[k]);
  v[k] += length;
  return 1 / (length * v[k]);
}

/// Forward substitution by rows, back substitution by columns, with one right-hand side.
CORPUS_REGION void forward(std::size_t n, const Reals& l, Reals& x) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= l[i * n + j] * x[j];
    x[i] = sum / l[i * n + i];
  }
}

CORPUS_REGION void back_by_columns(std::size_t n, const Reals& l, Reals& x) {
  for (std::size_t j = n; j-- > 0;) {
    x[j] /= l[j * n + j];
    for (std::size_t i = 0; i < j; ++i) x[i] -= l[j * n + i] * x[j];
  }
}

/// With the transpose read down its columns.
CORPUS_REGION void back_by_strides(std::size_t n, const Reals& l, Reals& x) {
  for (std::size_t i = n; i-- > 0;) {
    double sum = x[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= l[j * n + i] * x[j];
    x[i] = sum / l[i * n + i];
  }
}

/// Many right-hand sides at once: those of a thread are neighbours in each row of x.
CORPUS_REGION void forward_many(std::size_t n, std::size_t sides, const Reals& l, Reals& x) {
#pragma omp parallel for
  for (std::size_t first = 0; first < sides; first += 8) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum[8];
      for (std::size_t s = 0; s < 8; ++s) sum[s] = x[i * sides + first + s];
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t s = 0; s < 8; ++s) sum[s] -= l[i * n + j] * x[j * sides + first + s];
      }
      for (std::size_t s = 0; s < 8; ++s) x[i * sides + first + s] = sum[s] / l[i * n + i];
    }
  }
}

CORPUS_REGION double product(std::size_t n, const Reals& a, const Reals& x, const Reals& right) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < n; ++i) {
    double sum = -right[i];
    for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    most = std::max(most, std::fabs(sum));
  }
  return most;
}

CORPUS_REGION void mirror(std::size_t n, Reals& a) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) a[i * n + j] = a[j * n + i];
  }
}

CORPUS_REGION double frobenius(const Reals& a) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * a[i];
  return std::sqrt(sum);
}

corpus::Answer factors(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(260, 400), some = 12;
  Reals a(n * n), s(n * n), l(n * n), right(n), x(n), v(n), w(n), sides(n * 24);
  randomise(a, input.seed);
  randomise(right, input.seed + 1);
  randomise(sides, input.seed + 2);
  symmetrise(n, a, s);
  l = s;
  cholesky_rows(n, n / 3, l);  // the leading block
  forward(n / 3, l, x = right);
  l = s;
  cholesky_columns(n, some, l);
  mirror(n, l);
  for (std::size_t k = 0; k < some; ++k) reflect(n, k, householder(n, k, a, v), v, a, w);
  const double kept = frobenius(a);
  std::vector<std::size_t> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = i;
  eliminate(n, some, a, rows);
  // Symmetric Gauss-Seidel with the triangles of s solves s x = right.
  forward(n, s, x = right);
  for (std::size_t i = 0; i < n; ++i) x[i] *= s[i * n + i];
  back_by_columns(n, s, x);
  const double first = product(n, s, x, right);
  back_by_strides(n, s, w = right);
  forward_many(n, 24, s, sides);
  return {kept + first + frobenius(sides) + a[n + 1] + w[0] + l[n], first < 1 && std::isfinite(a[n * n - 1])};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, factors); }
