// Lists of edges, and the reader of the text files that hold them.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "apps/common/kronecker.h"
#include "apps/common/memory.h"

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

}  // namespace bfs
