#include "apps/bfs/generate.h"

#include <algorithm>
#include <random>
#include <vector>

#include "apps/bfs/graph.h"
#include "apps/common/memory.h"
#include "apps/common/random.h"

namespace bfs {
namespace {

EdgeList empty_list(unsigned scale) {
  EdgeList list{Vertex{1} << scale, {}};
  list.edges.resize(apps::kronecker_edges(scale));
  return list;
}

}  // namespace

EdgeList make_kronecker(unsigned scale, std::uint64_t seed) {
  EdgeList list = empty_list(scale);
  apps::fill_kronecker(scale, seed, list.edges);
  return list;
}

EdgeList make_uniform(unsigned scale, std::uint64_t seed) {
  EdgeList list = empty_list(scale);
  std::mt19937_64 random(seed);
  for (apps::Cell& edge : list.edges) {
    edge.row = static_cast<Vertex>(apps::draw_below(random, list.vertices));
    edge.column = static_cast<Vertex>(apps::draw_below(random, list.vertices));
  }
  return list;
}

APPS_NOT_MEASURED EdgeList crawl(const EdgeList& list) {
  const Adjacency all = make_adjacency(list);
  Vertex first = 0;
  const auto degree = [&](Vertex vertex) { return all.offsets[vertex + std::size_t{1}] - all.offsets[vertex]; };
  for (Vertex vertex = 1; vertex < list.vertices; ++vertex) {
    if (degree(vertex) > degree(first)) first = vertex;
  }
  std::vector<Vertex> name(list.vertices, none);
  std::vector<Vertex> queue{first};
  name[first] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (Offset i = all.offsets[queue[at]]; i < all.offsets[queue[at] + std::size_t{1}]; ++i) {
      const Vertex neighbour = all.neighbours[i];
      if (name[neighbour] != none) continue;
      name[neighbour] = static_cast<Vertex>(queue.size());
      queue.push_back(neighbour);
    }
  }
  EdgeList found{static_cast<Vertex>(queue.size()), {}};
  for (const apps::Cell& edge : list.edges) {
    if (name[edge.row] != none) found.edges.push_back({name[edge.row], name[edge.column]});
  }
  return found;
}

}  // namespace bfs
