// The kernel against a dense product, for many shapes and numbers of tasks.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "apps/common/random_graphs.h"
#include "apps/spgemm/csr.h"
#include "apps/spgemm/spgemm.h"

namespace spgemm {
namespace {

using Dense = std::vector<std::vector<double>>;

/// Small whole numbers: sums are exact in any order.
Csr random_matrix(Index rows, Index columns, unsigned entries, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Triples triples{rows, columns, {}};
  for (unsigned i = 0; i < entries; ++i) {
    triples.entries.push_back({static_cast<Index>(apps::draw_below(random, rows)),
                               static_cast<Index>(apps::draw_below(random, columns)),
                               static_cast<double>(apps::draw_below(random, 9)) - 4.0});
  }
  return compress(triples);
}

Dense naive_product(const CsrView& a) {
  Dense dense(a.rows, std::vector<double>(a.columns, 0.0));
  for (Index row = 0; row < a.rows; ++row) {
    for (std::size_t i = a.begin(row); i < a.end(row); ++i) dense[row][a.column_indices[i]] = a.values[i];
  }
  Dense product(a.rows, std::vector<double>(a.rows, 0.0));
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j < a.rows; ++j) {
      for (Index k = 0; k < a.columns; ++k) product[i][j] += dense[i][k] * dense[j][k];
    }
  }
  return product;
}

Dense to_dense(const std::vector<Task>& tasks, Index rows) {
  Dense dense(rows, std::vector<double>(rows, 0.0));
  for (const Task& task : tasks) {
    const CsrView c = task.c.view();
    for (Index row = 0; row < c.rows; ++row) {
      std::set<Index> seen;
      for (std::size_t i = c.begin(row); i < c.end(row); ++i) {
        EXPECT_TRUE(seen.insert(c.column_indices[i]).second) << "a column stands twice in a row";
        dense[task.first_row + row][c.column_indices[i]] = c.values[i];
      }
    }
  }
  return dense;
}

using Shape = std::tuple<Index, Index, unsigned, std::size_t>;  // rows, columns, entries, tasks
class Multiply : public ::testing::TestWithParam<Shape> {};

TEST_P(Multiply, IsTheDenseProduct) {
  const auto [rows, columns, entries, count] = GetParam();
  const Csr a = random_matrix(rows, columns, entries, 11);
  const ManagedCsr b = transpose("B", a.view());
  std::vector<Task> tasks = make_tasks(a.view(), b.view(), count);
  multiply(tasks, b.view());
  EXPECT_EQ(to_dense(tasks, rows), naive_product(a.view()));
  Offset position = 0;
  for (const Task& task : tasks) {
    EXPECT_EQ(task.c.row_pointers.data()[0], position) << "row pointers go on from bin to bin";
    EXPECT_LE(task.c_nonzeros, task.c.values.size()) << "the bound holds";
    position += task.c_nonzeros;
    EXPECT_EQ(task.c.row_pointers.data()[task.c.rows], position);
  }
}

std::string name_of(const ::testing::TestParamInfo<Shape>& info) {
  const auto [rows, columns, entries, count] = info.param;
  return std::to_string(rows) + "x" + std::to_string(columns) + "_entries" + std::to_string(entries) + "_tasks" +
         std::to_string(count);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Multiply,
                         ::testing::Values(Shape{1, 1, 1, 1}, Shape{30, 30, 200, 1}, Shape{30, 30, 200, 4},
                                           Shape{40, 7, 100, 3}, Shape{7, 40, 100, 3}, Shape{5, 5, 10, 12},
                                           Shape{20, 20, 0, 2}, Shape{64, 64, 2000, 5}),
                         name_of);

TEST(Tasks, BinsHaveEquallyManyRowsAndTheirOwnWork) {
  const Csr a = random_matrix(103, 50, 700, 5);
  const ManagedCsr b = transpose("B", a.view());
  const std::vector<Task> tasks = make_tasks(a.view(), b.view(), 10);
  Index next = 0;
  Offset nonzeros = 0;
  for (const Task& task : tasks) {
    EXPECT_EQ(task.first_row, next);
    EXPECT_TRUE(task.a.rows == 10 || task.a.rows == 11) << task.a.rows;
    next += task.a.rows;
    nonzeros += task.a.view().nonzeros();
  }
  EXPECT_EQ(next, 103U);
  EXPECT_EQ(nonzeros, a.nonzeros());
}

TEST(Tasks, MultiplicationsAreThoseOfGustavson) {
  // Column 0 has two entries, column 1 one: 2 * 2 + 1 * 1 products in all.
  const Csr a = compress({2, 2, {{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}}});
  const ManagedCsr b = transpose("B", a.view());
  const std::vector<Task> tasks = make_tasks(a.view(), b.view(), 2);
  EXPECT_EQ(tasks[0].multiplications, 2U);
  EXPECT_EQ(tasks[1].multiplications, 3U);
}

TEST(Objects, HaveTheSameNamesInTheSameOrderForEveryInput) {
  const auto names_of = [](const Csr& a) {
    const ManagedCsr b = transpose("B", a.view());
    const std::vector<Task> tasks = make_tasks(a.view(), b.view(), 3);
    std::vector<std::string> names;
    for (const apps::Block* object : objects_of(b, tasks)) {
      EXPECT_NE(object->address(), nullptr);
      EXPECT_GT(object->bytes(), 0U);
      names.push_back(object->name());
    }
    return names;
  };
  const std::vector<std::string> names = names_of(random_matrix(50, 50, 300, 1));
  EXPECT_EQ(names.size(), 3U + 3U * 9U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are unique";
  EXPECT_EQ(names, names_of(random_matrix(2, 9, 0, 2))) << "empty objects are there, too";
}

}  // namespace
}  // namespace spgemm
