// The Kronecker (R-MAT) generator of the GAP benchmark suite: a graph with a power-law degree distribution.
// Source: S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite", arXiv:1508.03619, and the parameters of
// Graph500: A = 0.57, B = 0.19, C = 0.19, D = 0.05, 16 edges a vertex, vertices permuted at the end.
#pragma once

#include <cstdint>

#include "apps/spgemm/csr.h"

namespace spgemm {

inline constexpr unsigned kronecker_edge_factor = 16;
inline constexpr unsigned kronecker_max_scale = 26;

/// The edges of a directed graph with 2^scale vertices and 16 * 2^scale edges, as entries of its adjacency matrix with
/// value 1. Duplicates add up to whole numbers, so that products are exact in any order.
/// Depends on `scale` (at most kronecker_max_scale) and `seed` alone, not on the standard library or the threads.
Triples make_kronecker(unsigned scale, std::uint64_t seed);

}  // namespace spgemm
