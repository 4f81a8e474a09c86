#include "apps/bfs/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace bfs {

void print_header(const Options& options) {
  std::printf("BFS: %zu graphs, %u sources each, %u threads, as many ranges of vertices\n", options.inputs.size(),
              options.sources, options.threads);
}

void print_graph(const std::string& name, const Graph& graph) {
  std::size_t largest = 0;
  for (const Part& part : graph.parts) largest = std::max(largest, part.neighbours.size());
  const double mean = static_cast<double>(graph.directed_edges()) / static_cast<double>(graph.parts.size());
  // Imbalance: the edges of the heaviest range over the mean.
  std::printf("%s: %" PRIu32 " vertices, %" PRIu64 " edges, imbalance %.2f\n", name.c_str(), graph.vertices,
              graph.directed_edges() / 2, static_cast<double>(largest) / mean);
  std::printf("%12s %10s %9s %10s %9s\n", "source", "reached", "top-down", "bottom-up", "verified");
}

void print_search(Vertex source, const Search& search, bool verified) {
  std::printf("%12" PRIu32 " %10" PRIu64 " %9u %10u %9s\n", source, search.reached, search.top_down, search.bottom_up,
              verified ? "yes" : "NO");
}

}  // namespace bfs
