// Singular values and left singular vectors by one-sided Jacobi rotations, in memory of the caller's: large matrices
// belong to objects that a policy can place. Sources: Hestenes, J. SIAM 6 (1958) 51; de Rijk, SIAM J. Sci. Stat.
// Comput. 10 (1989) 359 (the order of the rotations); Drmac, Veselic, SIAM J. Matrix Anal. Appl. 29 (2008) 1322 (QR
// first).
#pragma once

#include <cstddef>
#include <span>

namespace dmrg {

/// Doubles at which arrays begin, so that no sum of Eigen's depends on an address: 64 bytes.
inline constexpr std::size_t alignment = 8;

/// `size` rounded up to where the next array may begin.
constexpr std::size_t aligned(std::size_t size) { return (size + alignment - 1) / alignment * alignment; }

/// A = U * diag(s) * V^T without V. `transposed` is A^T (columns x rows, column-major) and is overwritten; `u` becomes
/// rows x size, `s` has size = min(rows, columns) elements and descends. Values below the rounding error of the largest
/// are 0, and their columns of U have no meaning. U is orthogonal to about 1e-14. `transposed` and `u` are aligned.
void decompose(std::size_t rows, std::size_t columns, double* transposed, double* u, std::span<double> s);

}  // namespace dmrg
