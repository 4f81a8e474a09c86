#include "apps/bfs/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/mini_app.h"
#include "tests/apps/complaint.h"

namespace bfs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

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

class BadEdgeList : public ::testing::TestWithParam<apps::BadText> {};

TEST_P(BadEdgeList, IsRefusedWithASentenceThatNamesTheLine) {
  apps::expect_refused(apps::complaint_of([] { read(GetParam().text); }), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, BadEdgeList,
    ::testing::Values(apps::BadText{"", "g.txt:0", "no edge"}, apps::BadText{"# a\n% b\n", "g.txt:2", "no edge"},
                      apps::BadText{"3 3\n", "g.txt:1", "no edge"},
                      apps::BadText{"0 1\n2\n", "g.txt:2", "found 1 words"},
                      apps::BadText{"0 1 0.5\n", "g.txt:1", "Leave weights"}, apps::BadText{"0 x\n", "g.txt:1", "'x'"},
                      apps::BadText{"0 -1\n", "g.txt:1", "'-1'"}, apps::BadText{"0 1.5\n", "g.txt:1", "'1.5'"},
                      apps::BadText{"0 268435456\n", "g.txt:1", "below 268435456"},
                      apps::BadText{"99999999999999999999 0\n", "g.txt:1", "out of range"}));

TEST(EdgeListFile, ThatIsNotThereIsRefused) {
  EXPECT_THROW(read_edge_list_file("/nonexistent/g.txt"), apps::InputError);
  EXPECT_THROW(read_edge_list_file("/tmp"), apps::InputError);
}

}  // namespace
}  // namespace bfs
