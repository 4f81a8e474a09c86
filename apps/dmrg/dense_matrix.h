// Small dense matrices: products, singular values, eigenvalues and equations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dmrg {

// Products of small dense matrices, column by column (column-major, no padding). The order of every sum is fixed, and
// nothing is asked of the host's caches, so that results and accesses are the same everywhere.

/// C (m x n) += A (m x k) * B (k x n).
void multiply_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c);
/// C (m x n) += A^T * B with A (k x m) and B (k x n).
void multiply_transposed_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c);
/// B (n x m) = A^T with A (m x n).
void transpose(std::size_t m, std::size_t n, const double* a, double* b);
/// y += factor * x.
void add_scaled(std::size_t size, double factor, const double* x, double* y);
/// The sum of x[i] * y[i], in ascending order of i in four interleaved parts.
double dot(std::size_t size, const double* x, const double* y);

// Eigenvalues and equations of small dense matrices, by Eigen, which takes long to compile: only here.

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

// Singular values and left singular vectors by one-sided Jacobi rotations, in memory of the caller's: large matrices
// belong to objects that a policy can place. Sources: Hestenes, J. SIAM 6 (1958) 51; de Rijk, SIAM J. Sci. Stat.
// Comput. 10 (1989) 359 (the order of the rotations); Drmac, Veselic, SIAM J. Matrix Anal. Appl. 29 (2008) 1322 (QR
// first).

/// Doubles at which arrays begin, so that no sum of Eigen's depends on an address: 64 bytes.
inline constexpr std::size_t alignment = 8;

/// `size` rounded up to where the next array may begin.
constexpr std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

/// A = U * diag(s) * V^T without V. `transposed` is A^T (columns x rows, column-major) and is overwritten; `u` becomes
/// rows x size, `s` has size = min(rows, columns) elements and descends. Values below the rounding error of the largest
/// are 0, and their columns of U have no meaning. U is orthogonal to about 1e-14. `transposed` and `u` are aligned.
void decompose(std::size_t rows, std::size_t columns, double* transposed, double* u, std::span<double> s);

}  // namespace dmrg
