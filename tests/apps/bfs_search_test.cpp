#include "apps/bfs/search.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "apps/bfs/edge_list.h"
#include "apps/common/random_graphs.h"

namespace bfs {
namespace {

/// Parents by the definition, from the edges alone: rounds over all edges until no vertex comes nearer.
std::vector<Vertex> naive_parents(const EdgeList& list, Vertex source) {
  std::vector<Vertex> depths(list.vertices, none);
  std::vector<Vertex> parents(list.vertices, none);
  depths[source] = 0;
  parents[source] = source;
  for (Vertex depth = 0; depth < list.vertices; ++depth) {
    const auto reach = [&](Vertex from, Vertex to) {
      if (depths[from] != depth || depths[to] <= depth) return;
      depths[to] = depth + 1;
      parents[to] = std::min(parents[to], from);
    };
    for (const apps::Cell& edge : list.edges) {
      reach(edge.row, edge.column);
      reach(edge.column, edge.row);
    }
  }
  return parents;
}

std::vector<Vertex> parents_of(const Graph& graph) {
  std::vector<Vertex> parents;
  for (const Part& part : graph.parts) parents.insert(parents.end(), part.parents.begin(), part.parents.end());
  return parents;
}

EdgeList path_of(Vertex vertices) {
  EdgeList list{vertices, {}};
  for (Vertex vertex = 1; vertex < vertices; ++vertex) list.edges.push_back({vertex - 1, vertex});
  return list;
}

EdgeList star_of(Vertex vertices) {
  EdgeList list{vertices, {}};
  for (Vertex vertex = 1; vertex < vertices; ++vertex) list.edges.push_back({0, vertex});
  return list;
}

class EveryNumberOfParts : public ::testing::TestWithParam<std::size_t> {};

TEST_P(EveryNumberOfParts, FindsTheParentsOfTheDefinition) {
  for (const EdgeList& list : {make_kronecker(8, 1), make_uniform(8, 2), crawl(make_kronecker(8, 3)), path_of(200),
                               star_of(300), EdgeList{130, {{0, 129}, {3, 4}}}}) {
    Graph graph = make_graph(list, GetParam());
    for (const Vertex source : {Vertex{0}, Vertex{3}, list.vertices - 1}) {  // one after the other in the same graph
      search(graph, source);
      EXPECT_EQ(parents_of(graph), naive_parents(list, source)) << list.vertices << " vertices, from " << source;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, EveryNumberOfParts, ::testing::Values(1, 2, 5, 12));

TEST(Search, CountsTheVerticesItReaches) {
  Graph graph = make_graph({130, {{0, 129}, {3, 4}}}, 2);
  EXPECT_EQ(search(graph, 3).reached, 2U);
  EXPECT_EQ(search(graph, 50).reached, 1U) << "a vertex without neighbours reaches itself";
}

TEST(Search, GoesBottomUpWhereTheFrontierIsLargeAndNeverAlongAPath) {
  Graph dense = make_graph(make_kronecker(12, 1), 4);
  const Search both = search(dense, dense.parts[0].neighbours.data()[0]);
  EXPECT_GT(both.top_down, 0U);
  EXPECT_GT(both.bottom_up, 0U);
  Graph path = make_graph(path_of(100), 4);
  const Search down = search(path, 0);
  EXPECT_EQ(down.bottom_up + down.top_down, 100U);
  EXPECT_GT(down.top_down, 80U) << "only near the end of the path few edges are left";
}

TEST(Search, StepsDoNotDependOnTheParts) {
  Graph one = make_graph(make_kronecker(11, 1), 1);
  Graph many = make_graph(make_kronecker(11, 1), 12);
  const Vertex source = one.parts[0].neighbours.data()[0];
  const Search a = search(one, source);
  const Search b = search(many, source);
  EXPECT_EQ(std::tie(a.reached, a.top_down, a.bottom_up), std::tie(b.reached, b.top_down, b.bottom_up));
}

// Alpha and beta as in the loop of GAP's DOBFS.
TEST(Direction, FollowsGapsRule) {
  Graph graph = make_graph(path_of(1501), 1);  // 3000 directed edges, 1501 / 18 = 83 vertices
  Direction direction(graph);
  EXPECT_FALSE(direction.choose_bottom_up({.vertices = 1, .edges = 200})) << "not more than 3000 / 15";
  EXPECT_TRUE(direction.choose_bottom_up({.vertices = 90, .edges = 187})) << "more than (3000 - 200) / 15 = 186";
  EXPECT_TRUE(direction.choose_bottom_up({.vertices = 95})) << "still growing";
  EXPECT_TRUE(direction.choose_bottom_up({.vertices = 84})) << "more than 83";
  EXPECT_FALSE(direction.choose_bottom_up({.vertices = 83})) << "few, and fewer than before";
  EXPECT_FALSE(direction.choose_bottom_up({.vertices = 80, .edges = 186})) << "top-down counts edges again";
}

}  // namespace
}  // namespace bfs
