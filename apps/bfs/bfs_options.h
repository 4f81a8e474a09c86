// The command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"

namespace bfs {

enum class Kind : std::uint8_t { kronecker, crawled, uniform, file };

/// One graph to search.
struct Input {
  Kind kind;
  unsigned scale;    ///< generated: 2^scale vertices
  std::string path;  ///< file
};

struct Options : apps::CommonOptions {
  std::vector<Input> inputs;  ///< --kron, --crawl, --uniform, --graph, in the order in which they are given
  unsigned sources = 4;       ///< --sources; of each graph
};

inline constexpr unsigned max_sources = 1000;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace bfs
