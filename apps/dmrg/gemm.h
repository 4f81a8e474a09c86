// Products of small dense matrices, column by column (column-major, no padding). The order of every sum is fixed, and
// nothing is asked of the host's caches, so that results and accesses are the same everywhere.
#pragma once

#include <cstddef>

namespace dmrg {

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

}  // namespace dmrg
