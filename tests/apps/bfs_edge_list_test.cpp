#include "apps/bfs/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/error.h"

namespace bfs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

EdgeList read(const std::string& text) {
  std::istringstream stream(text);
  return read_edge_list(stream, "g.txt");
}

std::vector<std::pair<Vertex, Vertex>> edges_of(const EdgeList& list) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (const apps::Cell& edge : list.edges) edges.emplace_back(edge.row, edge.column);
  return edges;
}

TEST(EdgeList, ReadsBothKindsOfCommentsAndAnyBlanks) {
  const EdgeList list = read("# SNAP\n% network repository\n\n0 1\r\n 5\t2 \n#0 9\n1 1");
  EXPECT_EQ(list.vertices, 6U);
  EXPECT_THAT(edges_of(list), ElementsAre(Pair(0, 1), Pair(5, 2), Pair(1, 1)));
}

struct Bad {
  const char* name;
  const char* text;
  const char* position;
  const char* reason;
};

class BadEdgeList : public ::testing::TestWithParam<Bad> {};

TEST_P(BadEdgeList, IsRefusedWithASentenceThatNamesTheLine) {
  try {
    read(GetParam().text);
    FAIL() << "accepted";
  } catch (const apps::InputError& error) {
    EXPECT_THAT(error.what(), StartsWith(std::string(GetParam().position) + ": "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadEdgeList,
                         ::testing::Values(Bad{"Empty", "", "g.txt:0", "no edge"},
                                           Bad{"CommentsOnly", "# a\n% b\n", "g.txt:2", "no edge"},
                                           Bad{"SelfLoopsOnly", "3 3\n", "g.txt:1", "no edge"},
                                           Bad{"OneVertex", "0 1\n2\n", "g.txt:2", "found 1 words"},
                                           Bad{"Weight", "0 1 0.5\n", "g.txt:1", "Leave weights"},
                                           Bad{"NoNumber", "0 x\n", "g.txt:1", "'x'"},
                                           Bad{"Negative", "0 -1\n", "g.txt:1", "'-1'"},
                                           Bad{"Fraction", "0 1.5\n", "g.txt:1", "'1.5'"},
                                           Bad{"TooLarge", "0 268435456\n", "g.txt:1", "below 268435456"},
                                           Bad{"Huge", "99999999999999999999 0\n", "g.txt:1", "out of range"}),
                         [](const auto& info) { return info.param.name; });

TEST(EdgeListFile, ThatIsNotThereIsRefused) {
  EXPECT_THROW(read_edge_list_file("/nonexistent/g.txt"), apps::InputError);
  EXPECT_THROW(read_edge_list_file("/tmp"), apps::InputError);
}

}  // namespace
}  // namespace bfs
