// Eigenvalues and equations of small dense matrices, by Eigen, which takes long to compile: only here and in svd.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dmrg {

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
