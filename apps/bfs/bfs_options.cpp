#include "apps/bfs/bfs_options.h"

#include "apps/common/command_line.h"
#include "apps/common/random_graphs.h"

namespace bfs {

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  apps::CommandLine line(
      "bfs", "Breadth-first search from several sources on one graph after the other.",
      "The options for graphs may be given several times (default: --crawl 18 --uniform 18 --crawl 19).\n"
      "Memory: up to 450 bytes times 2^SCALE while the largest graph is made: 240 MB at 19, 7.6 GB at "
      "24.",
      options);
  const auto add_generated = [&](const char* name, Kind kind, const char* meaning) {
    const auto take = [&options, kind](unsigned scale) { options.inputs.push_back({kind, scale, ""}); };
    line.add_option_function<unsigned>(name, take, meaning)
        ->type_name("SCALE")
        ->check(apps::CommandLine::whole_number(1, apps::kronecker_max_scale))
        ->trigger_on_parse();
  };
  add_generated("--kron", Kind::kronecker, "a Kronecker graph with 2^SCALE vertices and 16 times as many edges");
  add_generated("--crawl", Kind::crawled,
                "the same as a crawler finds it: the vertices with most neighbours come first");
  add_generated("--uniform", Kind::uniform, "a uniform random graph of the same size");
  const auto take_file = [&](const std::string& path) { options.inputs.push_back({Kind::file, 0, path}); };
  line.add_option_function<std::string>(
          "--graph", take_file, "an undirected graph: \"u v\" a line, numbers from 0, comments begin with # or %")
      ->type_name("FILE")
      ->trigger_on_parse();
  line.add_number("--sources", options.sources, 1, max_sources,
                  "searches in each graph, from random vertices that have neighbours (default: 4)");
  line.add_seed("seed of the first graph and of its sources");
  line.read(arguments);
  if (options.inputs.empty()) {
    options.inputs = {{Kind::crawled, 18, ""}, {Kind::uniform, 18, ""}, {Kind::crawled, 19, ""}};
  }
  return options;
}

}  // namespace bfs
