// Stencils in one and two dimensions: heat and waves on a line, Jacobi's iteration, Gauss-Seidel in red and black and
// in order, nine points, the biharmonic operator (LeVeque: Finite Difference Methods, 2007, chapters 3, 4 and 9).
#include <algorithm>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

CORPUS_REGION void randomise(Reals& u, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = corpus::random_real(seed, i);
}

CORPUS_REGION void heat(const Reals& u, Reals& next) {
#pragma omp parallel for
  for (std::size_t i = 1; i < u.size() - 1; ++i) next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

/// Leapfrog: the new values replace the oldest.
CORPUS_REGION void wave(const Reals& u, Reals& old) {
#pragma omp parallel for
  for (std::size_t i = 2; i < u.size() - 2; ++i) {
    old[i] = 2 * u[i] - old[i] + 0.1 * (-u[i - 2] + 16 * u[i - 1] - 30 * u[i] + 16 * u[i + 1] - u[i + 2]) / 12;
  }
}

/// Burgers' equation by Lax and Friedrichs, with a limited flux: branches on data.
CORPUS_REGION void burgers(const Reals& u, Reals& next) {
#pragma omp parallel for
  for (std::size_t i = 1; i < u.size() - 1; ++i) {
    const double left = u[i] - u[i - 1], right = u[i + 1] - u[i];
    double slope = 0;
    if (left * right > 0) slope = std::fabs(left) < std::fabs(right) ? left : right;
    next[i] = 0.5 * (u[i - 1] + u[i + 1]) - 0.125 * (u[i + 1] * u[i + 1] - u[i - 1] * u[i - 1]) + 0.1 * slope;
  }
}

/// Implicit in time: Thomas's algorithm forwards and backwards, one recurrence over the whole line.
CORPUS_REGION void thomas(Reals& u, Reals& upper) {
  upper[0] = -0.2;
  for (std::size_t i = 1; i < u.size(); ++i) {
    const double inverse = 1 / (1.4 + 0.2 * upper[i - 1]);
    upper[i] = -0.2 * inverse;
    u[i] = (u[i] + 0.2 * u[i - 1]) * inverse;
  }
  for (std::size_t i = u.size() - 1; i-- > 0;) u[i] -= upper[i] * u[i + 1];
}

CORPUS_REGION void jacobi(std::size_t n, const Reals& u, const Reals& f, Reals& next) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < j * n + n - 1; ++p) {
      next[p] = 0.25 * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] - f[p]);
    }
  }
}

/// Every second point: a stride of two.
CORPUS_REGION void colour(std::size_t n, std::size_t which, const Reals& f, Reals& u) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t i = 1 + (j + which) % 2; i < n - 1; i += 2) {
      const std::size_t p = j * n + i;
      u[p] += 1.5 * (0.25 * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] - f[p]) - u[p]);
    }
  }
}

/// In order, so each point waits for the one before.
CORPUS_REGION void gauss_seidel(std::size_t n, const Reals& f, Reals& u) {
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < j * n + n - 1; ++p) {
      u[p] = 0.25 * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] - f[p]);
    }
  }
}

/// The same down the columns.
CORPUS_REGION void seidel_columns(std::size_t n, const Reals& f, Reals& u) {
  for (std::size_t i = 1; i < n - 1; i += 4) {
    for (std::size_t j = 1; j < n - 1; ++j) {
      const std::size_t p = j * n + i;
      u[p] = 0.25 * (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] - f[p]);
    }
  }
}

CORPUS_REGION void nine_points(std::size_t n, const Reals& u, Reals& next) {
#pragma omp parallel for collapse(2)
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t i = 1; i < n - 1; ++i) {
      const std::size_t p = j * n + i;
      const double beside = u[p - 1] + u[p + 1] + u[p - n] + u[p + n];
      const double corners = u[p - n - 1] + u[p - n + 1] + u[p + n - 1] + u[p + n + 1];
      next[p] = u[p] + 0.05 * (4 * beside + corners - 20 * u[p]) / 6;
    }
  }
}

/// Thirteen points.
CORPUS_REGION void biharmonic(std::size_t n, const Reals& u, Reals& next) {
#pragma omp parallel for
  for (std::size_t j = 2; j < n - 2; ++j) {
    for (std::size_t p = j * n + 2; p < j * n + n - 2; ++p) {
      const double near = u[p - 1] + u[p + 1] + u[p - n] + u[p + n];
      const double diagonal = u[p - n - 1] + u[p - n + 1] + u[p + n - 1] + u[p + n + 1];
      const double far = u[p - 2] + u[p + 2] + u[p - 2 * n] + u[p + 2 * n];
      next[p] = u[p] - 0.01 * (20 * u[p] - 8 * near + 2 * diagonal + far);
    }
  }
}

/// Coefficients that differ from point to point: three more streams.
CORPUS_REGION void variable(std::size_t n, const Reals& u, const Reals& east, const Reals& north, Reals& next) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < j * n + n - 1; ++p) {
      next[p] = u[p] + 0.2 * (east[p] * (u[p + 1] - u[p]) - east[p - 1] * (u[p] - u[p - 1]) +
                              north[p] * (u[p + n] - u[p]) - north[p - n] * (u[p] - u[p - n]));
    }
  }
}

/// The game of life on bytes: integers, and many points a line.
CORPUS_REGION void live(std::size_t n, const std::vector<unsigned char>& from, std::vector<unsigned char>& to) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < j * n + n - 1; ++p) {
      const int around = from[p - n - 1] + from[p - n] + from[p - n + 1] + from[p - 1] + from[p + 1] + from[p + n - 1] +
                         from[p + n] + from[p + n + 1];
      to[p] = around == 3 || (around == 2 && from[p]) ? 1 : 0;
    }
  }
}

CORPUS_REGION void threshold(const Reals& u, std::vector<unsigned char>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = u[i % u.size()] > 0.5 ? 1 : 0;
}

CORPUS_REGION double residual(std::size_t n, const Reals& u, const Reals& f) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t p = j * n + 1; p < j * n + n - 1; ++p) {
      const double r = f[p] - (u[p - 1] + u[p + 1] + u[p - n] + u[p + n] - 4 * u[p]);
      sum += r * r;
    }
  }
  return std::sqrt(sum);
}

corpus::Answer stencils(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(340, 500);
  Reals u(n * n), f(n * n), v(n * n);
  randomise(u, input.seed);
  randomise(f, input.seed + 1);
  v = u;
  const double before = residual(n, u, f);
  jacobi(n, u, f, v);
  for (std::size_t k = 0; k < 4; ++k) colour(n, k % 2, f, v);
  gauss_seidel(n, f, v);
  seidel_columns(n, f, v);
  const double after = residual(n, v, f);
  nine_points(n, v, u);
  biharmonic(n, u, v);
  variable(n, v, f, u, f);
  heat(u, v);
  wave(v, u);
  burgers(u, v);
  thomas(v, u);
  std::vector<unsigned char> cells(6 * n * n), next(6 * n * n);
  threshold(f, cells);
  live(2 * n, cells, next);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] + next[i];
  return {sum, after < before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, stencils); }
