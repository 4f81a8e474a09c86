// An undirected graph, cut into ranges of vertices: the 1D partition of distributed breadth-first search.
// Source: A. Buluc, K. Madduri, "Parallel breadth-first search on distributed memory systems", SC '11, section 3.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/bfs/edge_list.h"
#include "apps/common/placed_memory.h"

namespace bfs {

/// Position in a list of neighbours.
using Offset = std::uint64_t;

/// Vertices of a bitmap are kept in words of so many.
inline constexpr Vertex word_bits = 64;
/// The parent of a vertex that no search has reached.
inline constexpr Vertex none = ~Vertex{0};

/// "`from` is in the frontier and has `to` as a neighbour", sent to the part that owns `to`.
struct Message {
  Vertex to;
  Vertex from;
};

/// What one thread owns: a range of consecutive vertices with all that belongs to them.
struct Part {
  Part(const std::string& number, Vertex begin, Vertex end, std::size_t neighbour_count, std::size_t parts);

  Vertex size() const { return last - first; }
  Offset degree(Vertex vertex) const { return offsets.data()[vertex - first + 1] - offsets.data()[vertex - first]; }

  Vertex first;                    ///< a multiple of word_bits
  Vertex last;                     ///< one behind the range
  apps::Array<Offset> offsets;     ///< of the neighbours of vertex first + i: [offsets[i], offsets[i+1])
  apps::Array<Vertex> neighbours;  ///< those of a vertex are ascending and unique, without itself
  apps::Array<Vertex> parents;     ///< the result of a search
  apps::Array<Message> outbox;     ///< room for one message an edge; pages appear when they are written
  std::vector<Offset> sent;        ///< messages to part p: outbox [sent[p], sent[p+1])
};

/// Both directions of every edge, by one end and in the order of the list; duplicates and self-loops are still there.
struct Adjacency {
  apps::ManagedVector<Offset> offsets;
  apps::ManagedVector<Vertex> neighbours;
};

struct Graph {
  /// The part that owns a vertex.
  std::size_t owner(Vertex vertex) const { return vertex / range; }

  Vertex vertices;
  Vertex range;  ///< vertices a part, but for the last ones
  std::vector<Part> parts;
  apps::Array<std::uint64_t> frontiers[2];  ///< bitmaps: this level's frontier and the next one in turns

  Offset directed_edges() const;
};

Adjacency make_adjacency(const EdgeList& list);

/// Makes edges undirected, leaves out duplicates and self-loops (as GAP does) and cuts the vertices into `count` ranges
/// of equally many, rounded up to whole words of a bitmap. `list` has at least one vertex. Throws std::bad_alloc.
Graph make_graph(EdgeList list, std::size_t count);

/// All objects of a search: always the same number in the same order for the same number of parts.
std::vector<const apps::Block*> objects_of(const Graph& graph);

/// Random vertices that have neighbours, as GAP draws them; the same for any number of parts. The graph has an edge
/// between two vertices.
std::vector<Vertex> draw_sources(const Graph& graph, unsigned count, std::uint64_t seed);

}  // namespace bfs
