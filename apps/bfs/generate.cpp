#include "apps/bfs/generate.h"

#include <random>

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

}  // namespace bfs
