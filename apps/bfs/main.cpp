// Breadth-first search from several sources on a list of graphs, as the GAP benchmark suite and Graph500 run it. An
// ordinary OpenMP program; apps/common/placed_memory.cpp has all of LB-HM.
#include <omp.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "apps/bfs/bfs_options.h"
#include "apps/bfs/edge_list.h"
#include "apps/bfs/partitioned_graph.h"
#include "apps/bfs/search.h"
#include "apps/common/mini_app.h"
#include "apps/common/placed_memory.h"

namespace {

using namespace bfs;

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

struct Result {
  bool verified = true;
  std::uint64_t checksum = 0;
};

void search_from(Graph& graph, Vertex source, bool times, Result& result) {
  apps::measure(true);
  const double begin = omp_get_wtime();
  apps::plan_placement(objects_of(graph));
  const Search done = search(graph, source);
  const double seconds = omp_get_wtime() - begin;
  apps::measure(false);

  const std::string mistake = find_mistake(graph, source);
  if (!mistake.empty()) std::fprintf(stderr, "bfs: %s\n", mistake.c_str());
  result.verified = result.verified && mistake.empty();
  result.checksum = apps::combine_checksums(result.checksum, checksum(graph));
  print_search(source, done, mistake.empty());
  if (times) apps::print_time(("source " + std::to_string(source)).c_str(), seconds);
}

/// True if every search was right. A graph is there as long as it is searched.
bool run(const Options& options) {
  apps::measure(false);
  print_header(options);
  Result result;
  std::uint64_t seed = options.seed;
  for (const Input& input : options.inputs) {
    Graph graph = make_graph(make_edges(input, seed), options.threads);
    print_graph(name_of(input, seed), graph);
    for (const Vertex source : draw_sources(graph, options.sources, seed)) {
      search_from(graph, source, options.times, result);
    }
    ++seed;
  }
  apps::print_checksum(result.checksum);
  return result.verified;
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{.name = "bfs", .smaller = "Use a smaller graph."};
  return apps::run_program(program, argc, argv, parse_options,
                           [](const Options& options) { return run(options) ? 0 : 1; });
}
