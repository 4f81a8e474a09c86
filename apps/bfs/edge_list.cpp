#include "apps/bfs/edge_list.h"

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "apps/bfs/partitioned_graph.h"
#include "apps/common/line_reader.h"
#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"
#include "apps/common/random_graphs.h"

namespace bfs {
namespace {

Vertex parse_vertex(const apps::LineReader& lines, std::string_view word) {
  const auto number = apps::parse_number<std::uint64_t>(lines, word, "the vertex");
  if (number >= max_vertices) {
    lines.fail("the vertex " + apps::quote(word) + " must be below " + std::to_string(max_vertices) +
               ". Number the vertices from 0 without large gaps.");
  }
  return static_cast<Vertex>(number);
}

EdgeList empty_list(unsigned scale) {
  EdgeList list{Vertex{1} << scale, {}};
  list.edges.resize(apps::kronecker_edges(scale));
  return list;
}

}  // namespace

EdgeList read_edge_list(std::istream& stream, const std::string& name) {
  apps::LineReader lines(stream, name);
  EdgeList list;
  while (lines.next()) {
    const std::vector<std::string_view> words = lines.words();
    if (words.empty() || words[0][0] == '#' || words[0][0] == '%') continue;
    if (words.size() != 2) {
      lines.fail("an edge is two vertices, and found " + std::to_string(words.size()) +
                 " words. Leave weights and other columns out.");
    }
    const apps::Cell edge{parse_vertex(lines, words[0]), parse_vertex(lines, words[1])};
    list.vertices = std::max({list.vertices, edge.row + 1, edge.column + 1});
    list.edges.push_back(edge);
  }
  if (stream.bad()) lines.fail("the file cannot be read any further.");
  if (std::ranges::all_of(list.edges, [](const apps::Cell& edge) { return edge.row == edge.column; })) {
    lines.fail("the file has no edge between two vertices: there is nothing to search. Give one edge a line: u v.");
  }
  return list;
}

EdgeList read_edge_list_file(const std::string& path) {
  std::ifstream stream = apps::open_text(path, "edge list", "--graph");
  return read_edge_list(stream, path);
}

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

}  // namespace bfs
