// GMRES for convection and diffusion in a cube, with flexible preconditioning by scaling, by lines, by red and black
// sweeps and by a polynomial; the basis is made orthogonal by the modified and by the classical process.
// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, algorithms 6.9, 9.6 and sections 4.1, 12.3.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

constexpr std::size_t steps = 4, width = 7;

/// Rows of seven places; what is outside of the cube has the row's own column and the value 0.
struct Matrix {
  std::size_t side, rows;
  std::vector<Index> column;
  Vector value;  ///< the diagonal, then both neighbours along x, y and z
};

struct Basis {
  std::size_t rows;
  Vector v, z;  ///< one vector after the other
  std::array<std::array<double, steps>, steps + 1> h{};
  explicit Basis(std::size_t n) : rows(n), v((steps + 1) * n), z(steps * n) {}
};

CORPUS_REGION void find_columns(Matrix& a) {
  const std::size_t side = a.side, strides[3] = {1, side, side * side};
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows; ++row) {
    const std::size_t at[3] = {row % side, row / side % side, row / (side * side)};
    Index* column = &a.column[row * width];
    column[0] = static_cast<Index>(row);
    for (std::size_t d = 0; d < 3; ++d) {
      column[1 + 2 * d] = static_cast<Index>(at[d] > 0 ? row - strides[d] : row);
      column[2 + 2 * d] = static_cast<Index>(at[d] + 1 < side ? row + strides[d] : row);
    }
  }
}

/// Diffusion of random strength, and wind that is taken from where it comes from.
CORPUS_REGION void find_values(Matrix& a, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows; ++row) {
    double sum = 1;
    for (std::size_t k = 1; k < width; ++k) {
      const bool inside = a.column[row * width + k] != row;
      const double strength = 0.5 + corpus::random_real(seed, row * width + k) + (k % 2 == 1 ? 0.8 : 0.0);
      a.value[row * width + k] = inside ? -strength : 0.0;
      sum += strength;
    }
    a.value[row * width] = sum;
  }
}

/// Every row is divided by its largest value, so that they are of one scale.
CORPUS_REGION void equilibrate(Matrix& a, Vector& b) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t row = 0; row < a.rows; ++row) {
    double most = 0;
    for (std::size_t k = 0; k < width; ++k) most = std::max(most, std::fabs(a.value[row * width + k]));
    for (std::size_t k = 0; k < width; ++k) a.value[row * width + k] /= most;
    b[row] /= most;
  }
}

CORPUS_REGION void multiply(const Matrix& a, const double* x, double* y) {
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows; ++row) {
    double sum = 0;
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
  }
}

/// r = b - A x; the square of r.
CORPUS_REGION double residual(const Matrix& a, const Vector& b, const Vector& x, double* r) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t row = 0; row < a.rows; ++row) {
    double sum = b[row];
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) sum -= a.value[k] * x[a.column[k]];
    r[row] = sum;
    square += sum * sum;
  }
  return square;
}

CORPUS_REGION double dot(const double* x, const double* y, std::size_t n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

CORPUS_REGION void subtract(double factor, const double* x, double* y, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) y[i] -= factor * x[i];
}

CORPUS_REGION void scale(double factor, double* x, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) x[i] *= factor;
}

/// All products with the basis in one pass, as the classical process has it.
CORPUS_REGION void project(const Basis& basis, std::size_t count, std::array<double, steps + 1>& products) {
  double* sum = products.data();
  const double* w = &basis.v[count * basis.rows];
#pragma omp parallel for reduction(+ : sum[ : steps + 1])
  for (std::size_t i = 0; i < basis.rows; ++i)
    for (std::size_t k = 0; k < count; ++k) sum[k] += basis.v[k * basis.rows + i] * w[i];
}

CORPUS_REGION void subtract_all(Basis& basis, std::size_t count, const std::array<double, steps + 1>& products) {
  double* w = &basis.v[count * basis.rows];
#pragma omp parallel for
  for (std::size_t i = 0; i < basis.rows; ++i) {
    double sum = w[i];
    for (std::size_t k = 0; k < count; ++k) sum -= products[k] * basis.v[k * basis.rows + i];
    w[i] = sum;
  }
}

void modified(Basis& basis, std::size_t j) {
  double* w = &basis.v[(j + 1) * basis.rows];
  for (std::size_t k = 0; k <= j; ++k) {
    const double* v = &basis.v[k * basis.rows];
    basis.h[k][j] = dot(v, w, basis.rows);
    subtract(basis.h[k][j], v, w, basis.rows);
  }
}

void classical(Basis& basis, std::size_t j) {
  std::array<double, steps + 1> products{};
  project(basis, j + 1, products);
  subtract_all(basis, j + 1, products);
  for (std::size_t k = 0; k <= j; ++k) basis.h[k][j] = products[k];
}

CORPUS_REGION void by_diagonal(const Matrix& a, const double* r, double* z) {
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows; ++row) z[row] = r[row] / a.value[row * width];
}

/// Tridiagonal systems along x: elimination forwards, then backwards; `ratio` is scratch memory.
CORPUS_REGION void by_lines(const Matrix& a, const double* r, double* z, Vector& ratio) {
#pragma omp parallel for
  for (std::size_t line = 0; line < a.rows; line += a.side) {
    double last_ratio = 0, last = 0;
    for (std::size_t row = line; row < line + a.side; ++row) {
      const double* value = &a.value[row * width];
      const double pivot = 1 / (value[0] - value[1] * last_ratio);
      ratio[row] = last_ratio = value[2] * pivot;
      z[row] = last = (r[row] - value[1] * last) * pivot;
    }
    for (std::size_t row = line + a.side - 1; row-- > line;) z[row] -= ratio[row] * z[row + 1];
  }
}

/// One half of a Gauss-Seidel sweep: the points of one colour, from those of the other.
CORPUS_REGION void sweep_colour(const Matrix& a, const double* r, double* z, std::size_t colour) {
#pragma omp parallel for collapse(2)
  for (std::size_t w = 0; w < a.side; ++w)
    for (std::size_t v = 0; v < a.side; ++v)
      for (std::size_t u = (w + v + colour) % 2; u < a.side; u += 2) {
        const std::size_t row = (w * a.side + v) * a.side + u;
        double sum = r[row];
        for (std::size_t k = row * width + 1; k < (row + 1) * width; ++k) sum -= a.value[k] * z[a.column[k]];
        z[row] = sum / a.value[row * width];
      }
}

/// next = z + (r - A z) / diagonal: one more term of Neumann's series.
CORPUS_REGION void add_term(const Matrix& a, const double* r, const Vector& z, double* next) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t row = 0; row < a.rows; ++row) {
    double sum = r[row];
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) sum -= a.value[k] * z[a.column[k]];
    next[row] = z[row] + sum / a.value[row * width];
  }
}

/// x += Z y
CORPUS_REGION void combine(const Basis& basis, const std::array<double, steps + 1>& y, Vector& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < steps; ++k) x[i] += y[k] * basis.z[k * basis.rows + i];
}

/// Rotations make h a triangle; y is what makes the residual least.
std::array<double, steps + 1> least_squares(Basis& basis, double beta) {
  auto& h = basis.h;
  std::array<double, steps + 1> g{beta};
  for (std::size_t j = 0; j < steps; ++j) {
    const double far = std::hypot(h[j][j], h[j + 1][j]), c = h[j][j] / far, s = h[j + 1][j] / far;
    for (std::size_t k = j; k < steps; ++k) {
      const double upper = h[j][k], lower = h[j + 1][k];
      h[j][k] = c * upper + s * lower, h[j + 1][k] = c * lower - s * upper;
    }
    g[j + 1] = -s * g[j], g[j] *= c;
  }
  for (std::size_t j = steps; j-- > 0;) {
    for (std::size_t k = j + 1; k < steps; ++k) g[j] -= h[j][k] * g[k];
    g[j] /= h[j][j];
  }
  return g;
}

/// One cycle; how much it reduces the residual.
template <class Precondition>
double cycle(const Matrix& a, const Vector& b, Vector& x, Basis& basis, void (*orthogonalise)(Basis&, std::size_t),
             Precondition precondition) {
  basis.h = {};
  const double beta = std::sqrt(residual(a, b, x, basis.v.data()));
  scale(1 / beta, basis.v.data(), a.rows);
  for (std::size_t j = 0; j < steps; ++j) {
    double* next = &basis.v[(j + 1) * a.rows];
    precondition(&basis.v[j * a.rows], &basis.z[j * a.rows]);
    multiply(a, &basis.z[j * a.rows], next);
    orthogonalise(basis, j);
    basis.h[j + 1][j] = std::sqrt(dot(next, next, a.rows));
    scale(1 / basis.h[j + 1][j], next, a.rows);
  }
  combine(basis, least_squares(basis, beta), x);
  return std::sqrt(residual(a, b, x, basis.v.data())) / beta;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t side = input.pick<std::size_t>(26, 32), rows = side * side * side;
  Matrix a{side, rows, std::vector<Index>(rows * width), Vector(rows * width)};
  find_columns(a);
  find_values(a, input.seed);
  Vector b(rows, 1.0), x(rows), scratch(rows);
  equilibrate(a, b);
  Basis basis(rows);
  const double first = cycle(a, b, x, basis, modified, [&](const double* r, double* z) { by_lines(a, r, z, scratch); });
  const double second = cycle(a, b, x, basis, classical, [&](const double* r, double* z) {
    by_diagonal(a, r, scratch.data());
    add_term(a, r, scratch, z);
  });
  const double third = cycle(a, b, x, basis, classical, [&](const double* r, double* z) {
    by_diagonal(a, r, z);
    for (const std::size_t colour : {0, 1, 0}) sweep_colour(a, r, z, colour);
  });
  double sum = 0;
  for (const double value : x) sum += value;
  return {.checksum = sum, .right = first < 0.5 && second < 0.5 && third < 0.5};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
