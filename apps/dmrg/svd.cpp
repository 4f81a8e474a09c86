#include "apps/dmrg/svd.h"

#include <Eigen/Jacobi>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dmrg {
namespace {

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
