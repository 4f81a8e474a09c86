// The graphs that the program works through, and where the searches begin.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/bfs/bfs_options.h"
#include "apps/bfs/edge_list.h"
#include "apps/bfs/graph.h"

namespace bfs {

/// "kron 17 seed 1", "uniform 18 seed 2", or the file's path.
std::string name_of(const Input& input, std::uint64_t seed);

/// Generates or reads a graph. Throws InputError (files) and std::bad_alloc.
EdgeList make_edges(const Input& input, std::uint64_t seed);

/// Random vertices that have neighbours, as GAP draws them; the same for any number of parts. The graph has an edge
/// between two vertices.
std::vector<Vertex> draw_sources(const Graph& graph, unsigned count, std::uint64_t seed);

}  // namespace bfs
