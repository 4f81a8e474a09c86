// Direction-optimising breadth-first search, in tasks that own a range of vertices each.
// Sources: S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search", SC '12; the rule that
// chooses the direction is that of the GAP benchmark suite (arXiv:1508.03619) with its alpha and beta. The top-down
// step sends edges to the owners of their ends as Algorithm 2 of A. Buluc, K. Madduri, SC '11, does.
#pragma once

#include <cstdint>

#include "apps/bfs/graph.h"
#include "apps/bfs/steps.h"

namespace bfs {

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

}  // namespace bfs
