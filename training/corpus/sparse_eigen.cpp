// Eigenvalues of a sparse symmetric matrix, Anderson's disordered cube: Lanczos' process, a block of vectors under a
// Chebyshev filter with Rayleigh and Ritz' procedure, Davidson's corrections, and the density of states by the kernel
// polynomial method.
// Source: Golub and van Loan, Matrix Computations, 4th edition, chapter 10; Zhou, Saad et al., J. Comput. Phys. 219,
// 2006 (filter); Weisse et al., Rev. Mod. Phys. 78, 2006 (kernel polynomials).
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

constexpr std::size_t links = 6, block = 4;

using Small = std::array<std::array<double, block>, block>;

/// H = diagonal - sum over the six neighbours, around the corners of the cube.
struct Matrix {
  std::size_t side, rows;
  std::vector<Index> column;
  Vector diagonal;
};

CORPUS_REGION void find_links(Matrix& h) {
  const std::size_t n = h.side, plane = n * n;
#pragma omp parallel for collapse(2)
  for (std::size_t z = 0; z < n; ++z)
    for (std::size_t y = 0; y < n; ++y)
      for (std::size_t x = 0; x < n; ++x) {
        Index* column = &h.column[(z * plane + y * n + x) * links];
        const auto put = [&](std::size_t k, std::size_t w, std::size_t v, std::size_t u) {
          column[k] = static_cast<Index>(w % n * plane + v % n * n + u % n);
        };
        put(0, z, y, x + 1), put(1, z, y, x + n - 1), put(2, z, y + 1, x);
        put(3, z, y + n - 1, x), put(4, z + 1, y, x), put(5, z + n - 1, y, x);
      }
}

CORPUS_REGION void disorder(Vector& diagonal, double strength, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = strength * (corpus::random_real(seed, i) - 0.5);
}

CORPUS_REGION void randomise(Vector& x, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = corpus::random_real(seed, i) - 0.5;
}

/// y = H x - beta w, where Lanczos' process begins; returns x . y.
CORPUS_REGION double lanczos_product(const Matrix& h, const double* x, double beta, const double* w, double* y) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (std::size_t row = 0; row < h.rows; ++row) {
    double sum = h.diagonal[row] * x[row] - beta * w[row];
    for (std::size_t k = row * links; k < (row + 1) * links; ++k) sum -= x[h.column[k]];
    y[row] = sum;
    dot += sum * x[row];
  }
  return dot;
}

/// y -= alpha x; the square of y.
CORPUS_REGION double subtract(std::size_t n, double alpha, const double* x, double* y) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t i = 0; i < n; ++i) {
    y[i] -= alpha * x[i];
    square += y[i] * y[i];
  }
  return square;
}

CORPUS_REGION void scale(std::size_t n, double factor, double* y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) y[i] *= factor;
}

/// y -= V V' y for all earlier vectors at once, a slice of rows by each lane after the products are known.
CORPUS_REGION void reorthogonalise(std::size_t n, std::size_t count, const Vector& v, double* y) {
  std::array<double, 16> products{};
  double* sum = products.data();
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum[ : 16])
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < count; ++k) sum[k] += v[k * n + i] * y[i];
#pragma omp for
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < count; ++k) y[i] -= products[k] * v[k * n + i];
  }
}

/// How many eigenvalues of a tridiagonal matrix are below x: Sturm's sequence.
std::size_t below(const Vector& alpha, const Vector& beta, double x) {
  std::size_t count = 0;
  double q = 1;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    q = alpha[i] - x - (i > 0 ? beta[i - 1] * beta[i - 1] / q : 0.0);
    if (std::fabs(q) < 1e-14) q = -1e-14;
    count += q < 0;
  }
  return count;
}

double bisect(const Vector& alpha, const Vector& beta, std::size_t index) {
  double low = -20, high = 20;
  for (int i = 0; i < 50; ++i) (below(alpha, beta, (low + high) / 2) > index ? high : low) = (low + high) / 2;
  return low;
}

struct Ends {
  double least, largest;
};

Ends lanczos(const Matrix& h, std::size_t steps, Vector& v, std::uint64_t seed) {
  const std::size_t n = h.rows;
  Vector alpha(steps), beta(steps), first(n);
  randomise(first, seed);
  std::copy(first.begin(), first.end(), v.begin());
  scale(n, 1 / std::sqrt(subtract(n, 0, v.data(), v.data())), v.data());
  for (std::size_t j = 0; j < steps; ++j) {
    double *x = &v[j * n], *y = &v[(j + 1) * n];
    alpha[j] = lanczos_product(h, x, j > 0 ? beta[j - 1] : 0.0, j > 0 ? x - n : x, y);
    beta[j] = std::sqrt(subtract(n, alpha[j], x, y));
    scale(n, 1 / beta[j], y);
    if (j % 3 == 2) reorthogonalise(n, j + 1, v, y);
  }
  return {bisect(alpha, beta, 0), bisect(alpha, beta, steps - 1)};
}

/// out = 2 (H - centre) / half x - out: the recurrence of Chebyshev's polynomials for a block of vectors, row by row.
CORPUS_REGION void filter_step(const Matrix& h, double centre, double half, const Vector& x, Vector& out) {
#pragma omp parallel for
  for (std::size_t row = 0; row < h.rows; ++row) {
    std::array<double, block> sum;
    for (std::size_t b = 0; b < block; ++b) sum[b] = (h.diagonal[row] - centre) * x[row * block + b];
    for (std::size_t k = row * links; k < (row + 1) * links; ++k)
      for (std::size_t b = 0; b < block; ++b) sum[b] -= x[h.column[k] * block + b];
    for (std::size_t b = 0; b < block; ++b) out[row * block + b] = 2 / half * sum[b] - out[row * block + b];
  }
}

CORPUS_REGION void multiply(const Matrix& h, const Vector& x, Vector& y) {
#pragma omp parallel for schedule(dynamic, 512)
  for (std::size_t row = 0; row < h.rows; ++row)
    for (std::size_t b = 0; b < block; ++b) {
      double sum = h.diagonal[row] * x[row * block + b];
      for (std::size_t k = row * links; k < (row + 1) * links; ++k) sum -= x[h.column[k] * block + b];
      y[row * block + b] = sum;
    }
}

/// X' Y
CORPUS_REGION Small gram(std::size_t rows, const Vector& x, const Vector& y) {
  Small product{};
  double* sum = product[0].data();
#pragma omp parallel for reduction(+ : sum[ : block * block])
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t a = 0; a < block; ++a)
      for (std::size_t b = 0; b < block; ++b) sum[a * block + b] += x[row * block + a] * y[row * block + b];
  return product;
}

/// X = X R^-1 for an upper triangle R: the columns become orthonormal.
CORPUS_REGION void divide(std::size_t rows, const Small& r, Vector& x) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t b = 0; b < block; ++b) {
      double sum = x[row * block + b];
      for (std::size_t a = 0; a < b; ++a) sum -= x[row * block + a] * r[a][b];
      x[row * block + b] = sum / r[b][b];
    }
}

/// X = X Q, two blocks at once.
CORPUS_REGION void rotate(std::size_t rows, const Small& q, Vector& x, Vector& y) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<double, block> u{}, v{};
    for (std::size_t a = 0; a < block; ++a)
      for (std::size_t b = 0; b < block; ++b) {
        u[b] += x[row * block + a] * q[a][b];
        v[b] += y[row * block + a] * q[a][b];
      }
    for (std::size_t b = 0; b < block; ++b) x[row * block + b] = u[b], y[row * block + b] = v[b];
  }
}

Small cholesky(const Small& a) {
  Small r{};
  for (std::size_t i = 0; i < block; ++i)
    for (std::size_t j = i; j < block; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < i; ++k) sum -= r[k][i] * r[k][j];
      r[i][j] = i == j ? std::sqrt(sum) : sum / r[i][i];
    }
  return r;
}

/// Eigenvectors by Jacobi's rotations; the eigenvalues are left on the diagonal of a.
Small jacobi(Small& a) {
  Small q{};
  for (std::size_t i = 0; i < block; ++i) q[i][i] = 1;
  const auto turn = [](double& u, double& v, double c, double s) {
    const double old = u;
    u = c * old - s * v, v = s * old + c * v;
  };
  for (int sweep = 0; sweep < 8; ++sweep)
    for (std::size_t i = 0; i < block; ++i)
      for (std::size_t j = i + 1; j < block; ++j) {
        const double angle = 0.5 * std::atan2(2 * a[i][j], a[j][j] - a[i][i]), c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < block; ++k) turn(a[k][i], a[k][j], c, s);
        for (std::size_t k = 0; k < block; ++k) turn(a[i][k], a[j][k], c, s);
        for (std::size_t k = 0; k < block; ++k) turn(q[k][i], q[k][j], c, s);
      }
  return q;
}

/// Rayleigh and Ritz: X and Y = H X are turned to the best vectors in their span; returns the values.
std::array<double, block> ritz(const Matrix& h, Vector& x, Vector& y) {
  divide(h.rows, cholesky(gram(h.rows, x, x)), x);
  multiply(h, x, y);
  Small a = gram(h.rows, x, y);
  const Small q = jacobi(a);
  rotate(h.rows, q, x, y);
  return {a[0][0], a[1][1], a[2][2], a[3][3]};
}

/// The squares of H X - X theta.
CORPUS_REGION double residual(std::size_t rows, const std::array<double, block>& theta, const Vector& x,
                              const Vector& y) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t b = 0; b < block; ++b) {
      const double r = y[row * block + b] - theta[b] * x[row * block + b];
      square += r * r;
    }
  return square;
}

/// X -= (y - theta x) / (diagonal - theta): one of Davidson's corrections, damped.
CORPUS_REGION void correct(const Matrix& h, const std::array<double, block>& theta, const Vector& y, Vector& x) {
#pragma omp parallel for
  for (std::size_t row = 0; row < h.rows; ++row)
    for (std::size_t b = 0; b < block; ++b) {
      double& value = x[row * block + b];
      value -= 0.5 * (y[row * block + b] - theta[b] * value) / (std::fabs(h.diagonal[row] - theta[b]) + 1);
    }
}

/// next = 2 H x / radius - next and both moments that the doubling formulas give: x . x and next . x.
CORPUS_REGION void moment_step(const Matrix& h, double radius, const Vector& x, Vector& next, double& even,
                               double& odd) {
  double square = 0, product = 0;
#pragma omp parallel for reduction(+ : square, product)
  for (std::size_t row = 0; row < h.rows; ++row) {
    double sum = h.diagonal[row] * x[row];
    for (std::size_t k = row * links; k < (row + 1) * links; ++k) sum -= x[h.column[k]];
    next[row] = 2 / radius * sum - next[row];
    square += x[row] * x[row];
    product += x[row] * next[row];
  }
  even = square, odd = product;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t side = input.pick<std::size_t>(25, 30), rows = side * side * side, steps = 12;
  Matrix h{side, rows, std::vector<Index>(rows * links), Vector(rows)};
  find_links(h);
  disorder(h.diagonal, 4, input.seed);
  Vector v((steps + 1) * rows), x(rows * block), y(x.size());
  const Ends ends = lanczos(h, steps, v, input.seed + 1);

  randomise(x, input.seed + 2);
  const std::array<double, block> before = ritz(h, x, y);
  const double rough = residual(rows, before, x, y);
  correct(h, before, y, x);
  const double low = ends.least + 1.5, centre = (ends.largest + 0.5 + low) / 2, half = ends.largest + 0.5 - centre;
  std::fill(y.begin(), y.end(), 0.0);
  for (int i = 0; i < 8; ++i, x.swap(y)) filter_step(h, centre, half, x, y);
  const std::array<double, block> after = ritz(h, x, y);
  const double left = residual(rows, after, x, y);

  Vector now(rows), next(rows);
  randomise(now, input.seed + 3);
  double even = 0, odd = 0, moments = 0;
  for (int i = 0; i < 4; ++i, now.swap(next)) {
    moment_step(h, 10, now, next, even, odd);
    moments += (even - odd) / static_cast<double>(rows);
  }
  const double least = *std::min_element(after.begin(), after.end());
  const bool bounds = ends.least > -8 && ends.largest < 8 && least > -8;  // Gershgorin's circles
  const bool right = bounds && std::fabs(least - ends.least) < 1 && left < 0.2 * rough;
  return {.checksum = ends.least + ends.largest + least + moments, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
