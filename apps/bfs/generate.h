// Generated graphs: the two kinds of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, arXiv:1508.03619),
// and what a crawler makes of one.
#pragma once

#include <cstdint>

#include "apps/bfs/edge_list.h"

namespace bfs {

/// The first two have 2^scale vertices and 16 * 2^scale edges, and depend on `scale` (at most
/// apps::kronecker_max_scale) and `seed` alone. Kronecker: few vertices have most of the edges
/// (apps/common/kronecker.h).
EdgeList make_kronecker(unsigned scale, std::uint64_t seed);
/// Uniform random (Erdos and Renyi): both ends of every edge are drawn alike, so that degrees are nearly equal and
/// neighbours as far from each other as they can be.
EdgeList make_uniform(unsigned scale, std::uint64_t seed);

/// A graph as a crawl of a social network finds it: its vertices are numbered in the order in which a breadth-first
/// search from its first vertex with the most edges comes to them, and those that it does not reach are left out. That
/// is how com-Orkut, the input of the Merchandiser paper, was collected and why its early vertices have most of its
/// edges (A. Mislove et al., "Measurement and analysis of online social networks", IMC '07, section 3).
EdgeList crawl(const EdgeList& list);

}  // namespace bfs
