// libFuzzer target: whatever is in the file, the reader returns a list within its own bounds or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "apps/bfs/edge_list.h"
#include "apps/common/mini_app.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const bfs::EdgeList list = bfs::read_edge_list(stream, "fuzz.txt");
    if (list.vertices < 2 || list.vertices > bfs::max_vertices || list.edges.empty()) std::abort();
    for (const apps::Cell& edge : list.edges) {
      if (edge.row >= list.vertices || edge.column >= list.vertices) std::abort();
    }
  } catch (const apps::InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to most inputs
  }
  return 0;
}
