#include "apps/bfs/inputs.h"

#include <random>

#include "apps/bfs/generate.h"
#include "apps/common/random.h"

namespace bfs {

std::string name_of(const Input& input, std::uint64_t seed) {
  if (input.kind == Kind::file) return input.path;
  const char* const kind = input.kind == Kind::kronecker ? "kron "
                           : input.kind == Kind::crawled ? "crawl "
                                                         : "uniform ";
  return kind + std::to_string(input.scale) + " seed " + std::to_string(seed);
}

EdgeList make_edges(const Input& input, std::uint64_t seed) {
  switch (input.kind) {
    case Kind::kronecker:
      return make_kronecker(input.scale, seed);
    case Kind::crawled:
      return crawl(make_kronecker(input.scale, seed));
    case Kind::uniform:
      return make_uniform(input.scale, seed);
    case Kind::file:
      break;
  }
  return read_edge_list_file(input.path);
}

std::vector<Vertex> draw_sources(const Graph& graph, unsigned count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Vertex> sources;
  while (sources.size() < count) {
    const auto vertex = static_cast<Vertex>(apps::draw_below(random, graph.vertices));
    if (graph.parts[graph.owner(vertex)].degree(vertex) != 0) sources.push_back(vertex);
  }
  return sources;
}

}  // namespace bfs
