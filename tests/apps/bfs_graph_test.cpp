#include "apps/bfs/partitioned_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "apps/bfs/edge_list.h"

namespace bfs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Vertex> neighbours_of(const Graph& graph, Vertex vertex) {
  const Part& part = graph.parts[graph.owner(vertex)];
  const Vertex* const first = part.neighbours.data() + part.offsets.data()[vertex - part.first];
  return {first, first + part.degree(vertex)};
}

std::vector<Offset> degrees_of(const Graph& graph) {
  std::vector<Offset> degrees;
  for (Vertex vertex = 0; vertex < graph.vertices; ++vertex) degrees.push_back(neighbours_of(graph, vertex).size());
  return degrees;
}

/// The share of all edges that the tenth of the vertices with most of them has.
double share_of_top_tenth(const Graph& graph) {
  std::vector<Offset> degrees = degrees_of(graph);
  std::ranges::sort(degrees, std::greater<>{});
  const auto tenth = static_cast<std::ptrdiff_t>(degrees.size() / 10);
  return static_cast<double>(std::reduce(degrees.begin(), degrees.begin() + tenth)) /
         static_cast<double>(graph.directed_edges());
}

TEST(Graph, IsUndirectedWithoutDuplicatesAndSelfLoops) {
  const Graph graph = make_graph({200, {{3, 150}, {150, 3}, {3, 150}, {7, 7}, {3, 1}, {199, 3}}}, 3);
  EXPECT_THAT(neighbours_of(graph, 3), ElementsAre(1, 150, 199));
  EXPECT_THAT(neighbours_of(graph, 150), ElementsAre(3));
  EXPECT_THAT(neighbours_of(graph, 199), ElementsAre(3));
  EXPECT_THAT(neighbours_of(graph, 7), IsEmpty());
  EXPECT_EQ(graph.directed_edges(), 6U);
}

TEST(Graph, PartsCoverAllVerticesInWholeWords) {
  for (const std::size_t count : {1, 2, 3, 12, 100}) {
    const Graph graph = make_graph(make_uniform(9, 1), count);
    ASSERT_EQ(graph.parts.size(), count);
    Vertex next = 0;
    for (const Part& part : graph.parts) {
      EXPECT_EQ(part.first, next);
      EXPECT_EQ(part.first % word_bits, 0U);
      EXPECT_LE(part.first, part.last);
      next = part.last;
    }
    EXPECT_EQ(next, graph.vertices);
  }
}

TEST(Graph, IsTheSameForAnyNumberOfParts) {
  const Graph one = make_graph(make_kronecker(9, 4), 1);
  const Graph many = make_graph(make_kronecker(9, 4), 7);
  for (Vertex vertex = 0; vertex < one.vertices; ++vertex) {
    EXPECT_EQ(neighbours_of(one, vertex), neighbours_of(many, vertex));
  }
}

TEST(Graph, ObjectsHaveTheSameUniqueNamesInTheSameOrderForEveryInput) {
  const auto names_of = [](const Graph& graph) {
    std::vector<std::string> names;
    for (const apps::Block* object : objects_of(graph)) names.push_back(object->name());
    return names;
  };
  const std::vector<std::string> names = names_of(make_graph(make_uniform(9, 1), 5));
  EXPECT_EQ(names.size(), 2U + 5U * 4U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(names, names_of(make_graph({2, {{0, 1}}}, 5))) << "empty parts are there, too";
}

TEST(Generators, DependOnTheSeedAlone) {
  for (EdgeList (*make)(unsigned, std::uint64_t) : {make_kronecker, make_uniform}) {
    const auto degrees = [&](std::uint64_t seed) { return degrees_of(make_graph(make(8, seed), 1)); };
    EXPECT_EQ(degrees(5), degrees(5));
    EXPECT_NE(degrees(5), degrees(6));
  }
}

TEST(Generators, KroneckerIsSkewedAndUniformIsNot) {
  EXPECT_GT(share_of_top_tenth(make_graph(make_kronecker(12, 1), 1)), 0.4);
  // Degrees of 32 with a standard deviation of 6: the top tenth is 1.75 deviations above the mean.
  EXPECT_LT(share_of_top_tenth(make_graph(make_uniform(12, 1), 1)), 0.15);
}

TEST(Crawl, NumbersAreThoseOfABreadthFirstSearchFromTheHub) {
  // 2 has most neighbours; 5 and 6 are out of its reach.
  const EdgeList found = crawl({7, {{2, 4}, {0, 2}, {2, 1}, {1, 3}, {5, 6}}});
  EXPECT_EQ(found.vertices, 5U);
  const Graph graph = make_graph(found, 1);
  EXPECT_THAT(neighbours_of(graph, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(neighbours_of(graph, 3), ElementsAre(0, 4));
  EXPECT_EQ(graph.directed_edges(), 8U);
}

TEST(Crawl, EarlyVerticesHaveMoreEdges) {
  const Graph graph = make_graph(crawl(make_kronecker(12, 1)), 1);
  const std::vector<Offset> degrees = degrees_of(graph);
  const auto half = static_cast<std::ptrdiff_t>(degrees.size() / 2);
  const Offset early = std::reduce(degrees.begin(), degrees.begin() + half);
  EXPECT_GT(static_cast<double>(early), 0.6 * static_cast<double>(graph.directed_edges()));
  EXPECT_GT(std::ranges::min(degrees), 0U) << "what the crawl did not reach is not there";
}

TEST(Sources, HaveNeighboursAndDoNotDependOnTheParts) {
  const Graph one = make_graph(make_kronecker(10, 1), 1);
  const Graph many = make_graph(make_kronecker(10, 1), 9);
  const std::vector<Vertex> sources = draw_sources(one, 50, 3);
  EXPECT_EQ(sources, draw_sources(many, 50, 3));
  for (const Vertex source : sources) EXPECT_FALSE(neighbours_of(one, source).empty());
}

}  // namespace
}  // namespace bfs
