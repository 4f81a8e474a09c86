// Are these parents a breadth-first tree? And one number for all of them.
#pragma once

#include <cstdint>
#include <string>

#include "apps/bfs/graph.h"

namespace bfs {

/// Checks the parents that search() left in `graph` against the depths of a serial search with a queue, as GAP's
/// verifier does, and that each parent is the smallest possible. Empty if all is right, else a sentence about the first
/// vertex that is wrong.
std::string find_mistake(const Graph& graph, Vertex source);

/// A hash of all (vertex, parent). The same for any number of parts.
std::uint64_t checksum(const Graph& graph);

}  // namespace bfs
