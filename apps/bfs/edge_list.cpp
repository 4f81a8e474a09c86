#include "apps/bfs/edge_list.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "apps/common/error.h"
#include "apps/common/line_reader.h"

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

}  // namespace bfs
