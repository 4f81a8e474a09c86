#include "apps/bfs/search.h"

#include <omp.h>

#include <array>

namespace bfs {
namespace {

/// What the parts found in this level and in the one before, in turns: nobody writes where others may still read.
using Counts = std::array<std::vector<Found>, 2>;

Found sum(const std::vector<Found>& parts) {
  Found all;
  for (const Found& part : parts) {
    all.vertices += part.vertices;
    all.edges += part.edges;
  }
  return all;
}

/// The parts that this thread works on: one, its own, unless the OpenMP runtime grants fewer threads than there are
/// parts.
template <class Work>
void for_own_parts(Graph& graph, Work work) {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  for (auto i = static_cast<std::size_t>(omp_get_thread_num()); i < graph.parts.size(); i += team) work(i);
}

/// The whole search as one thread sees it.
Search search_in_step(Graph& graph, Vertex source, Counts& counts) {
  for_own_parts(graph, [&](std::size_t i) { counts[0][i] = start(graph.parts[i], graph, source); });
  Direction direction(graph);
  Search result;
  for (unsigned level = 0;; ++level) {
#pragma omp barrier
    const Found found = sum(counts[level % 2]);
    if (found.vertices == 0) return result;
    result.reached += found.vertices;
    const std::uint64_t* const frontier = graph.frontiers[level % 2].data();
    std::uint64_t* const next = graph.frontiers[(level + 1) % 2].data();
    std::vector<Found>& now = counts[(level + 1) % 2];
    if (direction.choose_bottom_up(found)) {
      ++result.bottom_up;
      for_own_parts(graph, [&](std::size_t i) { now[i] = look_up(graph.parts[i], frontier, next); });
    } else {
      ++result.top_down;
      for_own_parts(graph, [&](std::size_t i) { send(graph.parts[i], graph, frontier); });
#pragma omp barrier
      for_own_parts(graph, [&](std::size_t i) { now[i] = receive(graph, i, next); });
    }
  }
}

}  // namespace

bool Direction::choose_bottom_up(const Found& found) {
  const bool goes_on = bottom_up_ && (found.vertices >= last_found_ || found.vertices > vertices_ / beta);
  // As in GAP, a bottom-up step does not find out how many edges leave its frontier.
  const std::uint64_t leaving = bottom_up_ ? 1 : found.edges;
  last_found_ = found.vertices;
  bottom_up_ = goes_on || leaving > unexplored_ / alpha;
  if (!bottom_up_) unexplored_ -= leaving;
  return bottom_up_;
}

Search search(Graph& graph, Vertex source) {
  Counts counts{std::vector<Found>(graph.parts.size()), std::vector<Found>(graph.parts.size())};
  Search result;
#pragma omp parallel num_threads(static_cast<int>(graph.parts.size()))
  {
    const Search own = search_in_step(graph, source, counts);
    if (omp_get_thread_num() == 0) result = own;
  }
  return result;
}

}  // namespace bfs
