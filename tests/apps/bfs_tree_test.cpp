#include "apps/bfs/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/bfs/edge_list.h"

namespace bfs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BfsVerification : public ::testing::Test {
 protected:
  BfsVerification() { search(graph, 0); }

  /// 0 - 1, 0 - 2, 1 - 3, 2 - 3, and 4 - 5 apart.
  Graph graph = make_graph({6, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {4, 5}}}, 2);
  Vertex* const parents = graph.parts[0].parents.data();
};

TEST_F(BfsVerification, AcceptsARightTree) { EXPECT_EQ(find_mistake(graph, 0), ""); }

TEST_F(BfsVerification, RefusesAParentThatIsNoNeighbour) {
  parents[3] = 0;
  EXPECT_THAT(find_mistake(graph, 0), AllOf(HasSubstr("vertex 3"), HasSubstr("is 0"), HasSubstr("should be 1")));
}

TEST_F(BfsVerification, RefusesANeighbourThatIsNotTheSmallest) {
  parents[3] = 2;
  EXPECT_THAT(find_mistake(graph, 0), HasSubstr("vertex 3"));
}

TEST_F(BfsVerification, RefusesAVertexThatWasNotFoundAndOneThatCannotBe) {
  parents[1] = none;
  EXPECT_THAT(find_mistake(graph, 0), HasSubstr("is none and should be 0"));
  parents[1] = 0;
  parents[5] = 4;
  EXPECT_THAT(find_mistake(graph, 0), HasSubstr("is 4 and should be none"));
}

TEST_F(BfsVerification, RefusesTheTreeOfAnotherSource) { EXPECT_NE(find_mistake(graph, 1), ""); }

TEST(BfsChecksum, IsTheSameForAnyNumberOfPartsAndSeesEveryParent) {
  Graph one = make_graph(make_kronecker(8, 1), 1);
  Graph many = make_graph(make_kronecker(8, 1), 5);
  search(one, 1);
  search(many, 1);
  EXPECT_EQ(checksum(one), checksum(many));
  many.parts[2].parents.data()[0] ^= 1U;
  EXPECT_NE(checksum(one), checksum(many));
}

}  // namespace
}  // namespace bfs
