// Does the decomposition keep its promises, also where columns are nearly dependent or differ much in size?
#include "apps/dmrg/dense_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "tests/apps/dmrg_reference.h"

namespace dmrg {
namespace {

struct Free {
  void operator()(double* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};

struct Factors {
  std::unique_ptr<double, Free> u;
  std::vector<double> s;
};

std::unique_ptr<double, Free> take(std::size_t size) {
  return std::unique_ptr<double, Free>(new (std::align_val_t{64}) double[size]);
}

Factors factors_of(std::size_t rows, std::size_t columns, const std::vector<double>& m) {
  Factors result{take(m.size()), std::vector<double>(std::min(rows, columns))};
  const auto transposed = take(m.size());
  transpose(rows, columns, m.data(), transposed.get());
  decompose(rows, columns, transposed.get(), result.u.get(), result.s);
  return result;
}

void expect_orthogonal(std::size_t rows, const double* u, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      EXPECT_NEAR(dot(rows, u + i * rows, u + j * rows), i == j ? 1 : 0, 1e-13) << i << ' ' << j;
    }
  }
}

/// Every row of U^T M is as long as its singular value, and together they are M again.
void expect_factors(std::size_t rows, std::size_t columns, const std::vector<double>& m, const Factors& f) {
  const std::size_t size = f.s.size();
  std::vector<double> centre(size * columns, 0.0);
  multiply_transposed_add(size, columns, rows, f.u.get(), m.data(), centre.data());
  std::vector<double> product(m.size(), 0.0);
  multiply_add(rows, columns, size, f.u.get(), centre.data(), product.data());
  for (std::size_t i = 0; i < m.size(); ++i) EXPECT_NEAR(product[i], m[i], 1e-12);
  for (std::size_t i = 0; i < size; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < columns; ++j) square += centre[j * size + i] * centre[j * size + i];
    EXPECT_NEAR(std::sqrt(square), f.s[i], 1e-13 * f.s[0]);
  }
}

TEST(Decompose, OfTallAndWideMatrices) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{1, 1}, {40, 23}, {6, 50}, {31, 31}, {1, 9}}) {
    const std::vector<double> m = random_matrix(rows * columns, 4);
    const Factors f = factors_of(rows, columns, m);
    EXPECT_TRUE(std::ranges::is_sorted(f.s, std::greater{}));
    expect_orthogonal(rows, f.u.get(), f.s.size());
    expect_factors(rows, columns, m, f);
  }
}

TEST(Decompose, FindsValuesOverManyMagnitudes) {
  constexpr std::size_t size = 24;  // 1, 1/4, ... 1e-14 between orthogonal factors
  const Factors left = factors_of(size, size, random_matrix(size * size, 1));
  const Factors right = factors_of(size, size, random_matrix(size * size, 2));
  std::vector<double> scaled(size * size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) {
      scaled[i * size + j] = right.u.get()[j * size + i] * std::pow(0.25, static_cast<double>(j));
    }
  }
  std::vector<double> m(size * size, 0.0);
  multiply_add(size, size, size, left.u.get(), scaled.data(), m.data());
  const Factors f = factors_of(size, size, m);
  for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(f.s[j], std::pow(0.25, static_cast<double>(j)), 1e-15) << j;
  expect_orthogonal(size, f.u.get(), size);
}

TEST(Decompose, OfMatricesWithoutFullRank) {
  constexpr std::size_t size = 20;
  constexpr std::size_t rank = 7;
  const std::vector<double> a = random_matrix(size * rank, 5);
  const std::vector<double> b = random_matrix(rank * size, 6);
  std::vector<double> m(size * size, 0.0);
  multiply_add(size, size, rank, a.data(), b.data(), m.data());
  const Factors f = factors_of(size, size, m);
  expect_orthogonal(size, f.u.get(), rank);
  for (std::size_t j = rank; j < size; ++j) EXPECT_LT(f.s[j], 1e-14 * f.s[0]);
  const Factors zero = factors_of(3, 2, std::vector<double>(6, 0.0));
  EXPECT_EQ(zero.s, std::vector<double>(2, 0.0));
}

}  // namespace
}  // namespace dmrg
