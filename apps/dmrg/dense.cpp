// Eigen's threads are off (CMakeLists.txt), and its blocking is fixed: it would ask the host for its caches, and the
// order of sums would depend on the answer.
#include "apps/dmrg/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace dmrg {
namespace {

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

}  // namespace

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

}  // namespace dmrg
