// Adjacency matrices of Kronecker graphs (apps/common/kronecker.h).
#pragma once

#include <cstdint>

#include "apps/spgemm/csr.h"

namespace spgemm {

/// The edges of a directed graph with 2^scale vertices and 16 * 2^scale edges, as entries of its adjacency matrix with
/// value 1. Duplicates add up to whole numbers, so that products are exact in any order.
/// Depends on `scale` (at most apps::kronecker_max_scale) and `seed` alone, not on the standard library or the threads.
Triples make_kronecker(unsigned scale, std::uint64_t seed);

}  // namespace spgemm
