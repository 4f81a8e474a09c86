// Generated graphs: the two kinds of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, arXiv:1508.03619).
#pragma once

#include <cstdint>

#include "apps/bfs/edge_list.h"

namespace bfs {

/// Both have 2^scale vertices and 16 * 2^scale edges, and depend on `scale` (at most apps::kronecker_max_scale) and
/// `seed` alone.
/// Kronecker: few vertices have most of the edges (apps/common/kronecker.h).
EdgeList make_kronecker(unsigned scale, std::uint64_t seed);
/// Uniform random (Erdos and Renyi): both ends of every edge are drawn alike, so that degrees are nearly equal and
/// neighbours as far from each other as they can be.
EdgeList make_uniform(unsigned scale, std::uint64_t seed);

}  // namespace bfs
