#include "apps/spgemm/matrices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "apps/spgemm/spgemm.h"

namespace spgemm {
namespace {

std::vector<Offset> degrees_of(const Csr& graph) {
  std::vector<Offset> degrees;
  degrees.reserve(graph.rows);
  for (Index row = 0; row < graph.rows; ++row) {
    degrees.push_back(graph.row_pointers[row + 1] - graph.row_pointers[row]);
  }
  return degrees;
}

TEST(Kronecker, HasTheSizeOfGapsGraphsAndCountsEveryEdge) {
  const Csr graph = compress(make_kronecker(10, 1));
  EXPECT_EQ(graph.rows, 1024U);
  EXPECT_EQ(graph.columns, 1024U);
  // Duplicates are added up: every one of the 16 * 2^10 edges is in the sum.
  EXPECT_EQ(std::reduce(graph.values.begin(), graph.values.end()), 16384.0);
  EXPECT_LT(graph.nonzeros(), 16384U);
  EXPECT_GT(graph.nonzeros(), 16384U / 2);
}

TEST(Kronecker, ColumnsOfARowAreAscendingAndUnique) {
  const Csr graph = compress(make_kronecker(8, 1));
  for (Index row = 0; row < graph.rows; ++row) {
    const auto first = graph.column_indices.begin() + static_cast<std::ptrdiff_t>(graph.row_pointers[row]);
    const auto last = graph.column_indices.begin() + static_cast<std::ptrdiff_t>(graph.row_pointers[row + 1]);
    EXPECT_TRUE(std::is_sorted(first, last, std::less_equal<>{})) << row;
  }
}

TEST(Kronecker, DependsOnTheSeedAlone) {
  const Csr graph = compress(make_kronecker(9, 42));
  const Csr same = compress(make_kronecker(9, 42));
  EXPECT_EQ(graph.row_pointers, same.row_pointers);
  EXPECT_EQ(graph.column_indices, same.column_indices);
  EXPECT_EQ(graph.values, same.values);
  EXPECT_NE(graph.column_indices, compress(make_kronecker(9, 43)).column_indices);
}

// `python3 tests/apps/kronecker_reference.py 3 7`, an independent implementation: the generator must not change
// silently, nor depend on the standard library.
TEST(Kronecker, AgreesWithTheReferenceImplementation) {
  const Csr graph = compress(make_kronecker(3, 7));
  const apps::ManagedVector<Offset> row_pointers{0, 4, 4, 10, 16, 18, 25, 31, 38};
  const apps::ManagedVector<Index> columns{0, 3, 6, 7, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 6, 7, 6, 7, 0,
                                           2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 6, 7, 0, 1, 2, 3, 4, 6, 7};
  EXPECT_EQ(graph.row_pointers, row_pointers);
  EXPECT_EQ(graph.column_indices, columns);
}

TEST(Kronecker, DegreesAreSkewed) {
  const Csr graph = compress(make_kronecker(12, 1));
  std::vector<Offset> degrees = degrees_of(graph);
  std::ranges::sort(degrees, std::greater<>{});
  const auto top = static_cast<std::ptrdiff_t>(degrees.size() / 10);
  const Offset of_top = std::reduce(degrees.begin(), degrees.begin() + top, Offset{0});
  // A tenth of the vertices has more than 40 % of the edges (a uniform random graph: about 15 %), and some have none.
  EXPECT_GT(static_cast<double>(of_top), 0.4 * static_cast<double>(graph.nonzeros()));
  EXPECT_EQ(degrees.back(), 0U);
}

TEST(Kronecker, HeavyRowsAreSpreadOverTheMatrix) {
  const Csr graph = compress(make_kronecker(12, 1));
  // Without the permutation the upper half would hold A + B = 76 % of the edges.
  const auto upper = static_cast<double>(graph.row_pointers[graph.rows / 2]);
  EXPECT_NEAR(upper / static_cast<double>(graph.nonzeros()), 0.5, 0.05);
}

}  // namespace
}  // namespace spgemm
