// The command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bfs {

enum class Kind : std::uint8_t { kronecker, crawled, uniform, file };

/// One graph to search.
struct Input {
  Kind kind;
  unsigned scale;    ///< generated: 2^scale vertices
  std::string path;  ///< file
};

struct Options {
  std::vector<Input> inputs;  ///< --kron, --crawl, --uniform, --graph, in the order in which they are given
  unsigned sources = 4;       ///< --sources; of each graph
  unsigned threads = 0;       ///< --threads; as many ranges of vertices. Default: what OpenMP would use
  std::uint64_t seed = 1;     ///< --seed
  bool times = false;         ///< --times
  bool help = false;          ///< --help
};

inline constexpr unsigned max_sources = 1000;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

extern const char* const usage;

}  // namespace bfs
