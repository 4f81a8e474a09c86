// Lists of edges: read from text files, or generated.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "apps/bfs/bfs_options.h"
#include "apps/common/placed_memory.h"
#include "apps/common/random_graphs.h"

namespace bfs {

using Vertex = std::uint32_t;

/// Numbers of vertices in a file are below this: a bigger one is more likely a mistake than a graph (assumption), and
/// the arrays have an element for every number below the largest.
inline constexpr Vertex max_vertices = Vertex{1} << 28;

/// Edges in any order, from `row` to `column`; duplicates and self-loops are allowed.
struct EdgeList {
  Vertex vertices = 0;
  apps::ManagedVector<apps::Cell> edges;
};

/// Reads a list of edges as SNAP and the network repositories publish them: "u v" a line, numbers from 0, lines that
/// begin with # or % are comments. The graph has as many vertices as its largest number says. `name` stands for the
/// file in error sentences. Throws InputError with file and line.
EdgeList read_edge_list(std::istream& stream, const std::string& name);

/// The same from a file. Throws InputError, also when there is no such file.
EdgeList read_edge_list_file(const std::string& path);

// Generated graphs: the two kinds of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, arXiv:1508.03619),
// and what a crawler makes of one.

/// The first two have 2^scale vertices and 16 * 2^scale edges, and depend on `scale` (at most
/// apps::kronecker_max_scale) and `seed` alone. Kronecker: few vertices have most of the edges
/// (apps/common/random_graphs.h).
EdgeList make_kronecker(unsigned scale, std::uint64_t seed);
/// Uniform random (Erdos and Renyi): both ends of every edge are drawn alike, so that degrees are nearly equal and
/// neighbours as far from each other as they can be.
EdgeList make_uniform(unsigned scale, std::uint64_t seed);

/// A graph as a crawl of a social network finds it: its vertices are numbered in the order in which a breadth-first
/// search from its first vertex with the most edges comes to them, and those that it does not reach are left out. That
/// is how com-Orkut, the input of the Merchandiser paper, was collected and why its early vertices have most of its
/// edges (A. Mislove et al., "Measurement and analysis of online social networks", IMC '07, section 3).
EdgeList crawl(const EdgeList& list);

/// "kron 17 seed 1", "uniform 18 seed 2", or the file's path.
std::string name_of(const Input& input, std::uint64_t seed);

/// Generates or reads a graph. Throws InputError (files) and std::bad_alloc.
EdgeList make_edges(const Input& input, std::uint64_t seed);

}  // namespace bfs
