#include "apps/spgemm/csr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "apps/common/random_graphs.h"

namespace spgemm {
namespace {

using ::testing::ElementsAre;

TEST(Compress, SortsAndAddsUpDuplicates) {
  const Csr m = compress({3, 4, {{2, 3, 1.0}, {0, 2, 2.0}, {2, 0, 3.0}, {0, 2, 4.0}, {0, 1, 5.0}, {2, 3, 6.0}}});
  EXPECT_THAT(m.row_pointers, ElementsAre(0, 2, 2, 4));
  EXPECT_THAT(m.column_indices, ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(m.values, ElementsAre(5.0, 6.0, 3.0, 7.0));
}

TEST(Compress, MatrixWithoutEntriesHasAllItsRows) {
  const Csr m = compress({2, 5, {}});
  EXPECT_THAT(m.row_pointers, ElementsAre(0, 0, 0));
  EXPECT_EQ(m.nonzeros(), 0U);
}

TEST(PermuteRows, KeepsEveryRowAndDependsOnTheSeed) {
  Triples triples{50, 60, {}};
  for (Index row = 0; row < 50; ++row) {
    for (Index i = 0; i <= row % 4; ++i) triples.entries.push_back({row, row + i, row + 0.5 * i});
  }
  const auto rows_of = [](const Triples& entries) {
    const Csr matrix = compress(entries);
    std::vector<std::map<Index, double>> rows(matrix.rows);
    for (Index row = 0; row < matrix.rows; ++row) {
      for (Offset i = matrix.row_pointers[row]; i < matrix.row_pointers[row + 1]; ++i) {
        rows[row][matrix.column_indices[i]] = matrix.values[i];
      }
    }
    return rows;
  };
  const Triples permuted = permute_rows(triples, 7);
  EXPECT_NE(rows_of(permuted), rows_of(triples));
  EXPECT_NE(rows_of(permuted), rows_of(permute_rows(triples, 8)));
  EXPECT_EQ(rows_of(permuted), rows_of(permute_rows(triples, 7)));
  EXPECT_TRUE(std::ranges::is_permutation(rows_of(permuted), rows_of(triples)));
}

TEST(RandomPermutation, HasEveryNumberOnceAndEveryFirstNumberAboutEquallyOften) {
  constexpr Index count = 5;
  constexpr int draws = 5000;
  std::mt19937_64 random(3);
  std::vector<int> first(count, 0);
  for (int i = 0; i < draws; ++i) {
    std::vector<Index> order = apps::random_permutation(count, random);
    ++first[order[0]];
    std::ranges::sort(order);
    ASSERT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
  }
  // 1000 expected, standard deviation 28.
  for (const int times : first) EXPECT_NEAR(times, draws / double{count}, 150);
}

TEST(Transpose, SwapsRowsAndColumnsAndTwiceIsTheSame) {
  const Csr m = compress({2, 3, {{0, 0, 1.0}, {0, 2, 2.0}, {1, 2, 3.0}}});
  const ManagedCsr t = transpose("T", m.view());
  EXPECT_EQ(t.rows, 3U);
  EXPECT_EQ(t.columns, 2U);
  EXPECT_THAT(std::vector<Offset>(t.row_pointers.begin(), t.row_pointers.end()), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(std::vector<Index>(t.column_indices.begin(), t.column_indices.end()), ElementsAre(0, 0, 1));
  EXPECT_THAT(std::vector<double>(t.values.begin(), t.values.end()), ElementsAre(1.0, 2.0, 3.0));
  const ManagedCsr back = transpose("T", t.view());
  EXPECT_TRUE(std::ranges::equal(back.column_indices, m.column_indices));
  EXPECT_TRUE(std::ranges::equal(back.values, m.values));
}

TEST(CopyRows, BinReadsLikeTheRowsItWasTakenFrom) {
  const Csr m = compress({4, 3, {{0, 0, 1.0}, {1, 1, 2.0}, {2, 0, 3.0}, {2, 2, 4.0}, {3, 1, 5.0}}});
  const ManagedCsr bin = copy_rows("bin", m.view(), 1, 3);
  const CsrView view = bin.view();
  EXPECT_EQ(view.rows, 2U);
  EXPECT_EQ(view.nonzeros(), 3U);
  EXPECT_EQ(view.begin(0), 0U);
  EXPECT_EQ(view.end(1), 3U);
  EXPECT_THAT(std::vector<double>(bin.values.begin(), bin.values.end()), ElementsAre(2.0, 3.0, 4.0));
}

}  // namespace
}  // namespace spgemm
