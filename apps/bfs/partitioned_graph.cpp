#include "apps/bfs/partitioned_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bfs {
namespace {

/// Calls take(vertex, neighbour) for every vertex with each of its neighbours once, in ascending order. An undirected
/// graph is its own transpose: what comes up as a neighbour does so in ascending order of the rows, duplicates in a
/// row.
template <class Take>
APPS_NOT_MEASURED void for_each_edge(const Adjacency& all, Take take) {
  const auto vertices = static_cast<Vertex>(all.offsets.size() - 1);
  std::vector<Vertex> latest(vertices, none);
  for (Vertex row = 0; row < vertices; ++row) {
    for (Offset i = all.offsets[row]; i < all.offsets[row + 1]; ++i) {
      const Vertex column = all.neighbours[i];
      if (column != row && std::exchange(latest[column], row) != row) take(column, row);
    }
  }
}

/// The same without duplicates and self-loops, neighbours in ascending order.
APPS_NOT_MEASURED Adjacency make_simple(const Adjacency& all) {
  Adjacency simple{apps::ManagedVector<Offset>(all.offsets.size(), 0), {}};
  for_each_edge(all, [&](Vertex vertex, Vertex) { ++simple.offsets[vertex + std::size_t{1}]; });
  std::partial_sum(simple.offsets.begin(), simple.offsets.end(), simple.offsets.begin());
  simple.neighbours.resize(simple.offsets.back());
  std::vector<Offset> next(simple.offsets.begin(), simple.offsets.end() - 1);
  for_each_edge(all, [&](Vertex vertex, Vertex neighbour) { simple.neighbours[next[vertex]++] = neighbour; });
  return simple;
}

/// In turns, as threads that fill their parts side by side: no part's memory is touched before that of the others.
void fill_neighbours(const Adjacency& from, std::vector<Part>& parts) {
  constexpr std::size_t turn = 4096 / sizeof(Vertex);  // a page
  bool more = true;
  for (std::size_t done = 0; more; done += turn) {
    more = false;
    for (Part& part : parts) {
      if (done >= part.neighbours.size()) continue;
      const Vertex* const source = from.neighbours.data() + from.offsets[part.first] + done;
      std::copy_n(source, std::min(turn, part.neighbours.size() - done), part.neighbours.data() + done);
      more = true;
    }
  }
}

}  // namespace

APPS_NOT_MEASURED Adjacency make_adjacency(const EdgeList& list) {
  Adjacency all{apps::ManagedVector<Offset>(list.vertices + std::size_t{1}, 0), {}};
  for (const apps::Cell& edge : list.edges) {
    ++all.offsets[edge.row + std::size_t{1}];
    ++all.offsets[edge.column + std::size_t{1}];
  }
  std::partial_sum(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
  all.neighbours.resize(2 * list.edges.size());
  std::vector<Offset> next(all.offsets.begin(), all.offsets.end() - 1);
  for (const apps::Cell& edge : list.edges) {
    all.neighbours[next[edge.row]++] = edge.column;
    all.neighbours[next[edge.column]++] = edge.row;
  }
  return all;
}

Part::Part(const std::string& number, Vertex begin, Vertex end, std::size_t neighbour_count, std::size_t parts)
    : first(begin),
      last(end),
      offsets("offsets" + number, size() + std::size_t{1}),
      neighbours("neighbours" + number, neighbour_count),
      parents("parents" + number, size()),
      outbox("outbox" + number, neighbour_count),
      sent(parts + 1, 0) {}

Offset Graph::directed_edges() const {
  Offset sum = 0;
  for (const Part& part : parts) sum += part.neighbours.size();
  return sum;
}

Graph make_graph(EdgeList list, std::size_t count) {
  const Vertex vertices = list.vertices;
  Adjacency all = make_adjacency(list);
  list = {};  // its memory is better used
  all = make_simple(all);

  const std::size_t words = (vertices + std::size_t{word_bits} - 1) / word_bits;
  const auto range = static_cast<Vertex>((words + count - 1) / count * word_bits);
  Graph graph{vertices, range, {}, {{"frontier0", words}, {"frontier1", words}}};
  graph.parts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<Vertex>(std::min<std::size_t>(words * word_bits, i * range));
    const auto last = std::max(first, static_cast<Vertex>(std::min<std::size_t>(vertices, (i + 1) * range)));
    const Offset* const offsets = all.offsets.data() + std::min(first, vertices);
    Part& part =
        graph.parts.emplace_back("[" + std::to_string(i) + "]", first, last, offsets[last - first] - offsets[0], count);
    std::transform(offsets, offsets + part.size() + 1, part.offsets.data(),
                   [begin = offsets[0]](Offset offset) { return offset - begin; });
  }
  fill_neighbours(all, graph.parts);
  return graph;
}

std::vector<const apps::Block*> objects_of(const Graph& graph) {
  std::vector<const apps::Block*> objects{&graph.frontiers[0], &graph.frontiers[1]};
  for (const Part& part : graph.parts) {
    objects.insert(objects.end(), {&part.offsets, &part.neighbours, &part.parents, &part.outbox});
  }
  return objects;
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
