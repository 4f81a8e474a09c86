#include "apps/bfs/verify.h"

#include <algorithm>
#include <span>
#include <vector>

#include "apps/common/checksum.h"
#include "apps/common/memory.h"

namespace bfs {
namespace {

std::span<const Vertex> neighbours_of(const Graph& graph, Vertex vertex) {
  const Part& part = graph.parts[graph.owner(vertex)];
  return {part.neighbours.data() + part.offsets.data()[vertex - part.first], part.degree(vertex)};
}

/// Distances from the source; `none` where there is no way.
APPS_NOT_MEASURED std::vector<Vertex> depths_from(const Graph& graph, Vertex source) {
  std::vector<Vertex> depths(graph.vertices, none);
  std::vector<Vertex> queue{source};
  depths[source] = 0;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const Vertex vertex = queue[at];
    for (const Vertex neighbour : neighbours_of(graph, vertex)) {
      if (depths[neighbour] != none) continue;
      depths[neighbour] = depths[vertex] + 1;
      queue.push_back(neighbour);
    }
  }
  return depths;
}

APPS_NOT_MEASURED Vertex right_parent(const Graph& graph, const std::vector<Vertex>& depths, Vertex vertex) {
  if (depths[vertex] == none) return none;
  if (depths[vertex] == 0) return vertex;
  const auto neighbours = neighbours_of(graph, vertex);  // ascending
  return *std::ranges::find_if(neighbours, [&](Vertex n) { return depths[n] == depths[vertex] - 1; });
}

std::string name_of(Vertex vertex) { return vertex == none ? "none" : std::to_string(vertex); }

}  // namespace

APPS_NOT_MEASURED std::string find_mistake(const Graph& graph, Vertex source) {
  const std::vector<Vertex> depths = depths_from(graph, source);
  for (const Part& part : graph.parts) {
    for (Vertex vertex = part.first; vertex < part.last; ++vertex) {
      const Vertex found = part.parents.data()[vertex - part.first];
      const Vertex expected = right_parent(graph, depths, vertex);
      if (found == expected) continue;
      return "the parent of vertex " + name_of(vertex) + " in the search from " + name_of(source) + " is " +
             name_of(found) + " and should be " + name_of(expected) + ".";
    }
  }
  return "";
}

APPS_NOT_MEASURED std::uint64_t checksum(const Graph& graph) {
  std::uint64_t sum = 0;
  for (const Part& part : graph.parts) {
    for (Vertex vertex = part.first; vertex < part.last; ++vertex) {
      sum += apps::mix(std::uint64_t{vertex} << 32 | part.parents.data()[vertex - part.first]);
    }
  }
  return sum;
}

}  // namespace bfs
