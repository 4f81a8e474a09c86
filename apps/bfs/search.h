// Direction-optimising breadth-first search, in tasks that own a range of vertices each.
// Sources: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC '12; the rule that
// chooses the direction is that of the GAP benchmark suite (arXiv:1508.03619) with its alpha and beta. The top-down
// step sends edges to the owners of their ends as Algorithm 2 of A. Buluc, K. Madduri, SC '11, does.
#pragma once

#include <cstdint>
#include <string>

#include "apps/bfs/partitioned_graph.h"

namespace bfs {

// One level of a breadth-first search, from the top down and from the bottom up, as one part of the graph does it.
//
// Both directions give a vertex the same parent, its smallest neighbour in the frontier: a bottom-up step goes through
// ascending neighbours, and a top-down step takes the first message, which come from ascending parts and vertices. No
// value that a thread reads is written by another one before the next barrier. So neither the result nor a single step
// of the work depends on timing.

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

/// Which way the next step goes. Every thread has one of its own, and all come to the same answer.
class Direction {
 public:
  explicit Direction(const Graph& graph) : vertices_(graph.vertices), unexplored_(graph.directed_edges()) {}

  /// True if the frontier that holds what was `found` is to be searched from the bottom up.
  bool choose_bottom_up(const Found& found);

 private:
  static constexpr std::uint64_t alpha =
      15;  // GAP: from the bottom up if more than 1/15 of the edges leave the frontier
  static constexpr std::uint64_t beta = 18;  // GAP: from the top down again below 1/18 of the vertices

  std::uint64_t vertices_;
  std::uint64_t unexplored_;  ///< edges that no top-down step has gone along
  std::uint64_t last_found_ = 0;
  bool bottom_up_ = false;
};

/// What a search did.
struct Search {
  std::uint64_t reached = 0;  ///< vertices, the source among them
  unsigned top_down = 0;      ///< steps
  unsigned bottom_up = 0;     ///< steps
};

/// Fills the parents of all parts in one parallel region with a thread a part: the parent of `source` is itself, that
/// of any other vertex its smallest neighbour among those that are closest to the source, or `none` if there is no way.
Search search(Graph& graph, Vertex source);

// Are these parents a breadth-first tree? And one number for all of them.

/// Checks the parents that search() left in `graph` against the depths of a serial search with a queue, as GAP's
/// verifier does, and that each parent is the smallest possible. Empty if all is right, else a sentence about the first
/// vertex that is wrong.
std::string find_mistake(const Graph& graph, Vertex source);

/// A hash of all (vertex, parent). The same for any number of parts.
std::uint64_t checksum(const Graph& graph);

}  // namespace bfs
