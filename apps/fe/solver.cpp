// Conjugate gradients, and what can be asked of a linear system.
#include <algorithm>
#include <cmath>

#include "apps/fe/poisson.h"

namespace fe {
namespace {

using Vector = std::vector<double>;

constexpr int block = 1024;  // numbers that are added up by one thread, in order

/// Sums of blocks, then the sum of these: the same for any number of threads.
class Products {
 public:
  explicit Products(int rows) : sums_((rows + block - 1) / block) {}

  double of(const Vector& a, const Vector& b) {
    const int blocks = static_cast<int>(sums_.size());
    const int rows = static_cast<int>(a.size());
#pragma omp parallel for
    for (int i = 0; i < blocks; ++i) {
      double sum = 0;
      for (int k = i * block; k < std::min(rows, (i + 1) * block); ++k) sum += a[k] * b[k];
      sums_[i] = sum;
    }
    double all = 0;
    for (const double sum : sums_) all += sum;
    return all;
  }

 private:
  Vector sums_;
};

void multiply(const LinearSystem& system, const Vector& by, Vector& product) {
#pragma omp parallel for
  for (int row = 0; row < system.rows(); ++row) {
    double sum = 0;
    for (std::int64_t k = system.first[row]; k < system.first[row + 1]; ++k) {
      sum += system.value[k] * by[system.column[k]];
    }
    product[row] = sum;
  }
}

/// y += factor * x
void add_scaled(Vector& y, double factor, const Vector& x) {
  const int rows = static_cast<int>(y.size());
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) y[i] += factor * x[i];
}

/// y = x + factor * y
void scale_and_add(Vector& y, double factor, const Vector& x) {
  const int rows = static_cast<int>(y.size());
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) y[i] = x[i] + factor * y[i];
}

double residual_of(const LinearSystem& system, const Vector& solution, Products& products) {
  Vector rest(system.rows());
  multiply(system, solution, rest);
  scale_and_add(rest, -1, system.right);
  return std::sqrt(products.of(rest, rest) / products.of(system.right, system.right));
}

}  // namespace

Solved solve(const LinearSystem& system, double residual, int most) {
  Products products(system.rows());
  Vector solution(system.rows(), 0);
  Vector rest = system.right;
  Vector direction = rest;
  Vector image(system.rows());
  double square = products.of(rest, rest);
  const double enough = residual * residual * square;
  int iterations = 0;
  for (; iterations < most && square > enough; ++iterations) {
    multiply(system, direction, image);
    const double step = square / products.of(direction, image);
    add_scaled(solution, step, direction);
    add_scaled(rest, -step, image);
    const double before = square;
    square = products.of(rest, rest);
    scale_and_add(direction, square / before, rest);
  }
  const double left = residual_of(system, solution, products);
  return {std::move(solution), iterations, left};
}

std::int64_t find(const LinearSystem& system, int row, int column) {
  const auto begin = system.column.begin();
  return std::lower_bound(begin + system.first[row], begin + system.first[row + 1], column) - begin;
}

double asymmetry_of(const LinearSystem& system, int stride) {
  double largest = 0;
  for (int row = 0; row < system.rows(); row += stride) {
    const double diagonal = system.value[find(system, row, row)];
    for (std::int64_t k = system.first[row]; k < system.first[row + 1]; ++k) {
      const double mirrored = system.value[find(system, system.column[k], row)];
      largest = std::max(largest, std::abs(system.value[k] - mirrored) / diagonal);
    }
  }
  return largest;
}

}  // namespace fe
