#include "apps/dmrg/dense_matrix.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Jacobi>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dmrg {
namespace {

/// Two columns of C take four columns of A at once: each value loaded from A is used twice, each of C four times.
void add_4_to_2(std::size_t m, const double* __restrict a, const double* b, std::size_t k, double* __restrict c) {
  const double* __restrict a1 = a + m;
  const double* __restrict a2 = a1 + m;
  const double* __restrict a3 = a2 + m;
  double* __restrict c1 = c + m;
  const double b00 = b[0], b01 = b[1], b02 = b[2], b03 = b[3];
  const double b10 = b[k], b11 = b[k + 1], b12 = b[k + 2], b13 = b[k + 3];
  for (std::size_t i = 0; i < m; ++i) {
    c[i] += a[i] * b00 + a1[i] * b01 + a2[i] * b02 + a3[i] * b03;
    c1[i] += a[i] * b10 + a1[i] * b11 + a2[i] * b12 + a3[i] * b13;
  }
}

void fix_blocking() {
  constexpr std::ptrdiff_t kib = 1024;  // Eigen's own defaults for processors that it does not know
  static const bool once = [] {
    Eigen::setCpuCacheSizes(32 * kib, 256 * kib, 2048 * kib);
    return true;
  }();
  static_cast<void>(once);
}

Eigen::Map<const Eigen::MatrixXd> view(std::size_t rows, std::size_t columns, std::span<const double> m) {
  return {m.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_sweeps = 60;    // LAPACK's dgesvj gives up after 30 without pivoting; about 5 are usual
constexpr Eigen::Index tile = 8;  // columns; two tiles stay in a small cache (dgesvj's block size)

using Matrix = Eigen::Map<Eigen::MatrixXd, Eigen::Aligned64>;

Matrix view(double* memory, std::size_t rows, std::size_t columns) {
  return {memory, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

/// Rotates pairs of columns until all are orthogonal; their lengths are then the singular values.
class Jacobi {
 public:
  Jacobi(const Matrix& matrix, std::span<double> squares) : m_(matrix), squares_(squares) {}

  void run() {
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      for (Eigen::Index j = 0; j < m_.cols(); ++j) square(j) = m_.col(j).squaredNorm();
      for (Eigen::Index j = 0; j < m_.cols(); ++j) move_longest_to(j);
      bool rotated = false;
      for (Eigen::Index p = 0; p < m_.cols(); p += tile) {
        for (Eigen::Index q = p; q < m_.cols(); q += tile) rotated |= rotate_tile(p, q);
      }
      if (!rotated) return;
    }
  }

 private:
  double& square(Eigen::Index column) { return squares_[static_cast<std::size_t>(column)]; }

  /// de Rijk: short columns are orthogonal to each other almost from the beginning, and values come out in order.
  void move_longest_to(Eigen::Index p) {
    Eigen::Index longest = p;
    for (Eigen::Index q = p + 1; q < m_.cols(); ++q) {
      if (square(q) > square(longest)) longest = q;
    }
    if (longest == p) return;
    m_.col(p).swap(m_.col(longest));
    std::swap(square(p), square(longest));
  }

  /// All pairs of a column of the tile at `first` and one of the tile at `second`.
  bool rotate_tile(Eigen::Index first, Eigen::Index second) {
    bool rotated = false;
    for (Eigen::Index p = first; p < std::min(first + tile, m_.cols()); ++p) {
      const Eigen::Index end = std::min(second + tile, m_.cols());
      for (Eigen::Index q = std::max(p + 1, second); q < end; ++q) rotated |= rotate(p, q);
    }
    return rotated;
  }

  bool is_zero(Eigen::Index column) { return square(column) <= epsilon * epsilon * square(0); }

  bool rotate(Eigen::Index p, Eigen::Index q) {
    if (is_zero(p) || is_zero(q)) return false;
    const double tolerance = std::sqrt(static_cast<double>(m_.rows())) * epsilon;  // as in LAPACK's dgesvj
    const double product = m_.col(p).dot(m_.col(q));
    if (std::fabs(product) <= tolerance * std::sqrt(square(p)) * std::sqrt(square(q))) return false;
    Eigen::JacobiRotation<double> rotation;
    rotation.makeJacobi(square(p), product, square(q));
    m_.applyOnTheRight(p, q, rotation);
    const double change = std::fabs(rotation.s() / rotation.c() * product);  // from the shorter to the longer one
    const auto [shorter, longer] = square(p) < square(q) ? std::pair(p, q) : std::pair(q, p);
    const double before = square(shorter);
    square(longer) += change;
    square(shorter) -= change;
    if (square(shorter) < before / 16) square(shorter) = m_.col(shorter).squaredNorm();  // before digits cancel
    return true;
  }

  Matrix m_;
  std::span<double> squares_;
};

}  // namespace

void add_scaled(std::size_t size, double factor, const double* __restrict x, double* __restrict y) {
  for (std::size_t i = 0; i < size; ++i) y[i] += factor * x[i];
}

double dot(std::size_t size, const double* x, const double* y) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t part = 0; part < 4; ++part) sums[part] += x[i + part] * y[i + part];
  }
  for (; i < size; ++i) sums[0] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void multiply_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  std::size_t column = 0;
  for (; column + 2 <= n; column += 2) {
    std::size_t inner = 0;
    for (; inner + 4 <= k; inner += 4) add_4_to_2(m, a + inner * m, b + column * k + inner, k, c + column * m);
    for (; inner < k; ++inner) {
      add_scaled(m, b[column * k + inner], a + inner * m, c + column * m);
      add_scaled(m, b[(column + 1) * k + inner], a + inner * m, c + (column + 1) * m);
    }
  }
  for (; column < n; ++column) {
    for (std::size_t inner = 0; inner < k; ++inner) {
      add_scaled(m, b[column * k + inner], a + inner * m, c + column * m);
    }
  }
}

void multiply_transposed_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < m; ++row) c[column * m + row] += dot(k, a + row * k, b + column * k);
  }
}

void transpose(std::size_t m, std::size_t n, const double* a, double* b) {
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < m; ++row) b[row * n + column] = a[column * m + row];
  }
}

// Eigen's threads are off (CMakeLists.txt), and its blocking is fixed: it would ask the host for its caches, and the
// order of sums would depend on the answer.

Eigenpair lowest_eigenpair(std::size_t size, std::span<const double> m) {
  fix_blocking();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(view(size, size, m));
  const auto vector = solver.eigenvectors().col(0);
  return {solver.eigenvalues()[0], std::vector<double>(vector.begin(), vector.end())};
}

std::vector<double> eigenvalues(std::size_t size, std::span<const double> m) {
  fix_blocking();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(view(size, size, m), Eigen::EigenvaluesOnly);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

std::vector<double> solve(std::size_t size, std::span<const double> m, std::span<const double> b) {
  fix_blocking();
  const Eigen::VectorXd x = view(size, size, m).partialPivLu().solve(view(size, 1, b)).col(0);
  return {x.begin(), x.end()};
}

void decompose(std::size_t rows, std::size_t columns, double* transposed, double* u, std::span<double> s) {
  // A^T P = Q R: A and P R^T, which is triangular but for the order of its rows, have the same U.
  Eigen::Ref<Eigen::MatrixXd> a(view(transposed, columns, rows));
  const Eigen::ColPivHouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(a);
  Matrix left = view(u, rows, s.size());
  for (Eigen::Index j = 0; j < left.rows(); ++j) {
    const Eigen::Index row = qr.colsPermutation().indices()[j];
    for (Eigen::Index k = 0; k < left.cols(); ++k) left(row, k) = k <= j ? a(k, j) : 0;
  }
  Jacobi(left, s).run();
  const double zero = s.empty() ? 0 : epsilon * epsilon * s[0];
  for (std::size_t j = 0; j < s.size(); ++j) {
    s[j] = s[j] <= zero ? 0 : std::sqrt(s[j]);
    if (s[j] > 0) left.col(static_cast<Eigen::Index>(j)) /= s[j];
  }
}

}  // namespace dmrg
