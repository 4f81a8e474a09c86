// Matrix products against their definition; eigenpairs and solutions against theirs.
#include "apps/dmrg/dense_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "tests/apps/dmrg_reference.h"

namespace dmrg {
namespace {

using Shape = std::tuple<std::size_t, std::size_t, std::size_t>;
class Product : public ::testing::TestWithParam<Shape> {};

TEST_P(Product, IsThatOfTheDefinition) {
  const auto [m, n, k] = GetParam();
  const std::vector<double> a = random_matrix(m * k, 1);
  const std::vector<double> b = random_matrix(k * n, 2);
  std::vector<double> c = random_matrix(m * n, 3);
  std::vector<double> expected = c;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < k; ++l) expected[j * m + i] += a[l * m + i] * b[j * k + l];
    }
  }
  std::vector<double> transposed(m * k);
  transpose(m, k, a.data(), transposed.data());
  std::vector<double> other = c;
  multiply_add(m, n, k, a.data(), b.data(), c.data());
  multiply_transposed_add(m, n, k, transposed.data(), b.data(), other.data());
  for (std::size_t i = 0; i < m * n; ++i) {
    EXPECT_NEAR(c[i], expected[i], 1e-13);
    EXPECT_NEAR(other[i], expected[i], 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Product,
                         ::testing::Values(Shape{1, 1, 1}, Shape{5, 3, 7}, Shape{8, 2, 4}, Shape{3, 9, 1},
                                           Shape{4, 4, 0}, Shape{17, 6, 21}));

TEST(LowestEigenpair, OfATwoByTwoMatrix) {
  const Eigenpair pair = lowest_eigenpair(2, std::vector<double>{2, 1, 1, 2});
  EXPECT_NEAR(pair.value, 1, 1e-15);
  EXPECT_NEAR(pair.vector[0], -pair.vector[1], 1e-15);
  EXPECT_NEAR(std::fabs(pair.vector[0]), std::sqrt(0.5), 1e-15);
}

TEST(Solve, FindsWhatTheMatrixMapsToB) {
  const std::vector<double> m = random_matrix(25, 6);
  const std::vector<double> b = random_matrix(5, 7);
  const std::vector<double> x = solve(5, m, b);
  std::vector<double> product(5, 0.0);
  multiply_add(5, 1, 5, m.data(), x.data(), product.data());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(product[i], b[i], 1e-12);
}

}  // namespace
}  // namespace dmrg
