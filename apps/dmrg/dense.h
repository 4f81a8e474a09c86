// Decompositions of small dense matrices: the only door to Eigen, which takes long to compile.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dmrg {

/// M = U * diag(s) * V^T. U is rows x size, V columns x size, both column-major; s descends.
struct Decomposition {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> u, s, v;
};

/// The thin singular value decomposition of M (rows x columns, column-major), by Eigen's divide and conquer.
Decomposition decompose(std::size_t rows, std::size_t columns, std::span<const double> m);

struct Eigenpair {
  double value;
  std::vector<double> vector;
};

/// The smallest eigenvalue of a symmetric matrix (size x size) and its vector, normalised.
Eigenpair lowest_eigenpair(std::size_t size, std::span<const double> m);

/// The eigenvalues of a symmetric matrix (size x size), ascending.
std::vector<double> eigenvalues(std::size_t size, std::span<const double> m);
/// x with M * x = b, M (size x size) column-major, by LU with partial pivoting.
std::vector<double> solve(std::size_t size, std::span<const double> m, std::span<const double> b);

}  // namespace dmrg
