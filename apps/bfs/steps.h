// One level of a breadth-first search, from the top down and from the bottom up, as one part of the graph does it.
//
// Both directions give a vertex the same parent, its smallest neighbour in the frontier: a bottom-up step goes through
// ascending neighbours, and a top-down step takes the first message, which come from ascending parts and vertices. No
// value that a thread reads is written by another one before the next barrier. So neither the result nor a single step
// of the work depends on timing.
#pragma once

#include <cstdint>

#include "apps/bfs/graph.h"

namespace bfs {

/// The vertices that a step has found: how many, and their neighbours in all. 64 bytes: one a thread is written.
struct alignas(64) Found {
  std::uint64_t vertices = 0;
  Offset edges = 0;  ///< after a top-down step only: nobody asks for it after the other one
};

/// Forgets the last search. Returns `source`, if it belongs to this part, as found and in the first frontier.
Found start(Part& part, Graph& graph, Vertex source);

/// Top-down, first half: a message for every edge that leaves the frontier within this part.
void send(Part& part, const Graph& graph, const std::uint64_t* frontier);
/// Top-down, second half, after all have sent: vertices of part `number` that messages reach for the first time.
Found receive(Graph& graph, std::size_t number, std::uint64_t* next);

/// Bottom-up: every vertex of this part that has no parent yet looks for one in the frontier.
Found look_up(Part& part, const std::uint64_t* frontier, std::uint64_t* next);

}  // namespace bfs
