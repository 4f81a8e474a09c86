#include "apps/bfs/options.h"

#include "apps/common/arguments.h"
#include "apps/common/kronecker.h"

namespace bfs {

const char* const usage =
    "Usage: bfs [--kron SCALE | --crawl SCALE | --uniform SCALE | --graph FILE]... [--sources N] [--threads N]\n"
    "           [--seed N] [--times]\n"
    "Breadth-first search from several sources on one graph after the other.\n"
    "  --kron SCALE     a Kronecker graph with 2^SCALE vertices and 16 times as many edges\n"
    "  --crawl SCALE    the same as a crawler finds it: the vertices with most neighbours come first\n"
    "  --uniform SCALE  a uniform random graph of the same size\n"
    "  --graph FILE     an undirected graph: \"u v\" a line, numbers from 0, comments begin with # or %\n"
    "                   All four may be given several times (default: --crawl 18 --uniform 18 --crawl 19)\n"
    "  --sources N      searches in each graph, from random vertices that have neighbours (default: 4)\n"
    "  --threads N      threads, and ranges of vertices (default: what OpenMP would use)\n"
    "  --seed N         seed of the first graph and of its sources (default: 1)\n"
    "  --times          wall times, on standard error\n"
    "Memory: up to 450 bytes times 2^SCALE while the largest graph is made: 240 MB at 19, 7.6 GB at 24.\n"
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.\n";

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  for (apps::Arguments at(arguments, options); at.next();) {
    const auto scale = [&] { return static_cast<unsigned>(at.number(1, apps::kronecker_max_scale)); };
    if (at.is("--kron")) {
      options.inputs.push_back({Kind::kronecker, scale(), ""});
    } else if (at.is("--crawl")) {
      options.inputs.push_back({Kind::crawled, scale(), ""});
    } else if (at.is("--uniform")) {
      options.inputs.push_back({Kind::uniform, scale(), ""});
    } else if (at.is("--graph")) {
      options.inputs.push_back({Kind::file, 0, std::string(at.word())});
    } else if (at.is("--sources")) {
      options.sources = static_cast<unsigned>(at.number(1, max_sources));
    } else {
      at.common();
    }
  }
  if (options.inputs.empty()) {
    options.inputs = {{Kind::crawled, 18, ""}, {Kind::uniform, 18, ""}, {Kind::crawled, 19, ""}};
  }
  return options;
}

}  // namespace bfs
