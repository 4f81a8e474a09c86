// Products of dense matrices in several orders of the loops, blocked, transposed, symmetric, and with vectors (Golub,
// Van Loan: Matrix Computations, 4th edition, chapter 1).
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

CORPUS_REGION void randomise(Reals& a, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = corpus::random_real(seed, i);
}

/// Rows times columns, for the first `rows` rows: b is read with a stride of a row.
CORPUS_REGION void order_ijk(std::size_t rows, std::size_t n, const Reals& a, const Reals& b, Reals& c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

CORPUS_REGION void order_ikj(std::size_t rows, std::size_t n, const Reals& a, const Reals& b, Reals& c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) c[i * n + j] = 0;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

/// A sum of outer products: every thread has some rows of c, which it passes over once for each k.
CORPUS_REGION void outer_products(std::size_t n, std::size_t rank, const Reals& a, const Reals& b, Reals& c) {
#pragma omp parallel
  for (std::size_t k = 0; k < rank; ++k) {
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

CORPUS_REGION void blocked(std::size_t rows, std::size_t n, const Reals& a, const Reals& b, Reals& c) {
  constexpr std::size_t side = 20;
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (std::size_t i0 = 0; i0 < rows; i0 += side) {
    for (std::size_t j0 = 0; j0 < n; j0 += side) {
      const std::size_t i1 = std::min(rows, i0 + side), j1 = std::min(n, j0 + side);
      for (std::size_t i = i0; i < i1; ++i) std::fill(&c[i * n + j0], &c[i * n + j0] + (j1 - j0), 0.0);
      for (std::size_t k0 = 0; k0 < n; k0 += side) {
        const std::size_t k1 = std::min(n, k0 + side);
        for (std::size_t i = i0; i < i1; ++i) {
          for (std::size_t k = k0; k < k1; ++k) {
            const double factor = a[i * n + k];
            for (std::size_t j = j0; j < j1; ++j) c[i * n + j] += factor * b[k * n + j];
          }
        }
      }
    }
  }
}

/// a times b transposed: products of rows.
CORPUS_REGION void rows_by_rows(std::size_t rows, std::size_t n, const Reals& a, const Reals& b, Reals& c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < rows; i += 2) {
    for (std::size_t j = 0; j < n; j += 2) {
      double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
      for (std::size_t k = 0; k < n; ++k) {
        s00 += a[i * n + k] * b[j * n + k];
        s01 += a[i * n + k] * b[(j + 1) * n + k];
        s10 += a[(i + 1) * n + k] * b[j * n + k];
        s11 += a[(i + 1) * n + k] * b[(j + 1) * n + k];
      }
      c[i * n + j] = s00, c[i * n + j + 1] = s01;
      c[(i + 1) * n + j] = s10, c[(i + 1) * n + j + 1] = s11;
    }
  }
}

CORPUS_REGION void transpose(std::size_t n, const Reals& a, Reals& b) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[j * n + i] = a[i * n + j];
  }
}

CORPUS_REGION void transpose_tiles(std::size_t n, const Reals& a, Reals& b) {
  constexpr std::size_t side = 8;
#pragma omp parallel for collapse(2)
  for (std::size_t i0 = 0; i0 < n; i0 += side) {
    for (std::size_t j0 = 0; j0 < n; j0 += side) {
      for (std::size_t i = i0; i < i0 + side; ++i) {
        for (std::size_t j = j0; j < j0 + side; ++j) b[j * n + i] = a[i * n + j];
      }
    }
  }
}

/// In place: pairs above and below the diagonal change places.
CORPUS_REGION void flip(std::size_t n, Reals& a) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) std::swap(a[i * n + j], a[j * n + i]);
  }
}

/// The lower triangle of a a^T, of the first `rows` rows.
CORPUS_REGION void symmetric_update(std::size_t n, std::size_t rows, const Reals& a, Reals& c) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = sum;
    }
  }
}

CORPUS_REGION void times_vector(std::size_t n, const Reals& a, const Reals& x, Reals& y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

/// Transposed: every thread sums rows in a vector of its own, then the vectors are added.
CORPUS_REGION void transposed_times_vector(std::size_t n, const Reals& a, const Reals& x, Reals& y) {
  std::vector<Reals> sums(static_cast<std::size_t>(omp_get_max_threads()), Reals(n));
#pragma omp parallel
  {
    Reals& mine = sums[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) mine[j] += a[i * n + j] * x[i];
    }
#pragma omp for
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (const Reals& each : sums) sum += each[j];
      y[j] = sum;
    }
  }
}

/// Down the columns: an access a row.
CORPUS_REGION void column_norms(std::size_t n, const Reals& a, Reals& y) {
#pragma omp parallel for
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum = std::fmax(sum, std::fabs(a[i * n + j]));
    y[j] = sum;
  }
}

CORPUS_REGION void rank_one(std::size_t n, const Reals& x, const Reals& y, Reals& a) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= x[i] * y[j];
  }
}

CORPUS_REGION double distance(const Reals& a, const Reals& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

CORPUS_REGION double trace(std::size_t n, const Reals& a) {
  double sum = 0;
  for (int diagonal = 0; diagonal < 3; ++diagonal) {
    for (std::size_t i = 0; i + 2 < n; ++i) sum += a[i * n + i + static_cast<std::size_t>(diagonal)];
  }
  return sum;
}

corpus::Answer products(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(320, 400), rows = 24;  // of the products of matrices
  Reals a(n * n), b(n * n), d(n * n), x(n), y(n), first(rows * n), second(rows * n);
  randomise(a, input.seed);
  randomise(b, input.seed + 1);
  order_ijk(rows, n, a, b, first);
  order_ikj(rows, n, a, b, second);
  double error = distance(first, second);
  blocked(rows, n, a, b, second);
  error += distance(first, second);
  transpose(n, b, d);
  rows_by_rows(rows, n, a, d, second);
  error += distance(first, second);
  transpose_tiles(n, d, b);
  flip(n, d);
  error += distance(b, d);
  symmetric_update(n, 2 * rows, a, d);
  outer_products(n, 12, a, b, d);
  column_norms(n, a, x);
  times_vector(n, b, x, y);
  transposed_times_vector(n, a, y, x);
  rank_one(n, x, y, a);
  return {trace(n, a) + trace(n, d), error < 1e-9};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, products); }
