// BiCGSTAB with an incomplete factorisation without fill as preconditioner, on a 9-point operator with rough
// coefficients; the factors are solved level by level. Besides: a symmetric matrix of which only the lower half is
// stored. Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, algorithms 7.7 and 10.4,
// section 11.6.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

struct Matrix {
  std::vector<Index> begin{0}, column, diagonal;
  Vector value;
  std::size_t rows() const { return begin.size() - 1; }
};

CORPUS_REGION Matrix make_operator(Index side, corpus::Random& random) {
  Matrix m;
  for (Index y = 0; y < side; ++y)
    for (Index x = 0; x < side; ++x) {
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Index v = y + static_cast<Index>(dy), u = x + static_cast<Index>(dx);
          if (u >= side || v >= side) continue;
          if (dx == 0 && dy == 0) m.diagonal.push_back(static_cast<Index>(m.column.size()));
          m.column.push_back(v * side + u);
          m.value.push_back(dx == 0 && dy == 0 ? 9 : -0.5 - random.unit());
        }
      m.begin.push_back(static_cast<Index>(m.column.size()));
    }
  return m;
}

/// ILU(0), row by row: the pattern of the factors is that of the matrix.
CORPUS_REGION Matrix factorise(Matrix m) {
  std::vector<Index> place(m.rows(), ~Index{0});
  for (std::size_t row = 0; row < m.rows(); ++row) {
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) place[m.column[k]] = k;
    for (Index k = m.begin[row]; k < m.diagonal[row]; ++k) {
      const Index pivot = m.column[k];
      const double factor = m.value[k] /= m.value[m.diagonal[pivot]];
      for (Index l = m.diagonal[pivot] + 1; l < m.begin[pivot + 1]; ++l)
        if (place[m.column[l]] != ~Index{0}) m.value[place[m.column[l]]] -= factor * m.value[l];
    }
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) place[m.column[k]] = ~Index{0};
  }
  return m;
}

struct Levels {
  std::vector<Index> begin, order;
};

/// Rows of one level do not depend on each other.
CORPUS_REGION Levels find_levels(const Matrix& m) {
  std::vector<Index> level(m.rows());
  Index deepest = 0;
  for (std::size_t row = 0; row < m.rows(); ++row) {
    for (Index k = m.begin[row]; k < m.diagonal[row]; ++k) level[row] = std::max(level[row], level[m.column[k]] + 1);
    deepest = std::max(deepest, level[row]);
  }
  Levels levels{std::vector<Index>(deepest + 2), std::vector<Index>(m.rows())};
  for (const Index l : level) ++levels.begin[l + 1];
  for (Index l = 0; l <= deepest; ++l) levels.begin[l + 1] += levels.begin[l];
  std::vector<Index> next = levels.begin;
  for (std::size_t row = 0; row < m.rows(); ++row) levels.order[next[level[row]]++] = static_cast<Index>(row);
  return levels;
}

CORPUS_REGION void solve_lower(const Matrix& m, const Levels& levels, const Vector& b, Vector& x) {
#pragma omp parallel
  for (std::size_t level = 0; level + 1 < levels.begin.size(); ++level) {
#pragma omp for
    for (Index i = levels.begin[level]; i < levels.begin[level + 1]; ++i) {
      const Index row = levels.order[i];
      double sum = b[row];
      for (Index k = m.begin[row]; k < m.diagonal[row]; ++k) sum -= m.value[k] * x[m.column[k]];
      x[row] = sum;
    }
  }
}

/// From the last row to the first, by one lane.
CORPUS_REGION void solve_upper(const Matrix& m, Vector& x) {
  for (std::size_t row = m.rows(); row-- > 0;) {
    double sum = x[row];
    for (Index k = m.diagonal[row] + 1; k < m.begin[row + 1]; ++k) sum -= m.value[k] * x[m.column[k]];
    x[row] = sum / m.value[m.diagonal[row]];
  }
}

/// y = m v; returns y . w, so that the product's result is used while it is near.
CORPUS_REGION double multiply_dot(const Matrix& m, const Vector& v, Vector& y, const Vector& w) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (std::size_t row = 0; row < m.rows(); ++row) {
    double sum = 0;
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) sum += m.value[k] * v[m.column[k]];
    y[row] = sum;
    dot += sum * w[row];
  }
  return dot;
}

/// y = (lower half and its mirror image) x: every entry is used twice, once to scatter.
CORPUS_REGION void multiply_symmetric(const Matrix& m, const Vector& x, Vector& y) {
  for (std::size_t row = 0; row < m.rows(); ++row) {
    double sum = m.value[m.diagonal[row]] * x[row];
    for (Index k = m.begin[row]; k < m.diagonal[row]; ++k) {
      sum += m.value[k] * x[m.column[k]];
      y[m.column[k]] += m.value[k] * x[row];
    }
    y[row] += sum;
  }
}

CORPUS_REGION double dot(const Vector& a, const Vector& b) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// p = r + beta (p - omega v)
CORPUS_REGION void new_direction(Vector& p, const Vector& r, const Vector& v, double beta, double omega) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

CORPUS_REGION void update(Vector& x, Vector& r, const Vector& p, const Vector& s, const Vector& t, double alpha,
                          double omega) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += alpha * p[i] + omega * s[i];
    r[i] -= omega * t[i];
  }
}

CORPUS_REGION void subtract(Vector& r, const Vector& v, double alpha) {
#pragma omp parallel for
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * v[i];
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Matrix a = make_operator(input.pick<Index>(105, 140), random);
  const Matrix factors = factorise(a);
  const Levels levels = find_levels(a);
  const std::size_t rows = a.rows();
  Vector x(rows), r(rows, 1.0), p(rows), v(rows), s(rows), t(rows), ph(rows), sh(rows);
  const Vector shadow = r;
  const double start = dot(r, r);
  double rho = 1, alpha = 1, omega = 1;
  for (int iteration = 0; iteration < 2; ++iteration) {
    const double next_rho = dot(shadow, r);
    new_direction(p, r, v, next_rho / rho * alpha / omega, omega);
    rho = next_rho;
    solve_lower(factors, levels, p, ph);
    solve_upper(factors, ph);
    alpha = rho / multiply_dot(a, ph, v, shadow);
    subtract(r, v, alpha);
    solve_lower(factors, levels, r, sh);
    solve_upper(factors, sh);
    omega = multiply_dot(a, sh, t, r) / dot(t, t);
    update(x, r, ph, sh, t, alpha, omega);
  }
  multiply_symmetric(a, x, s);
  return {.checksum = dot(s, x), .right = dot(r, r) < 1e-2 * start};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
