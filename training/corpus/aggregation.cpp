// Algebraic multigrid by aggregation: strength of connection, greedy aggregates, the coarse matrix, and two-level
// cycles with Jacobi smoothing. Source: Vanek, Mandel, Brezina, Computing 56, 1996; Notay, ETNA 37, 2010.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;
constexpr Index none = ~Index{0};

struct Matrix {
  std::vector<Index> begin{0}, column;
  Vector value;
  std::size_t rows() const { return begin.size() - 1; }
};

/// Points on a ring that know some near and some far points; weights differ by orders of magnitude.
CORPUS_REGION Matrix make_graph(std::size_t points, corpus::Random& random) {
  constexpr std::size_t distances[] = {1, 2, 211, 1709};
  Vector weight(points * 4);
  for (double& w : weight) w = std::exp(-6 * random.unit());
  Matrix m;
  for (std::size_t point = 0; point < points; ++point) {
    double sum = 0;
    const auto connect = [&](std::size_t other, double w) {
      m.column.push_back(static_cast<Index>(other));
      m.value.push_back(-w);
      sum += w;
    };
    for (std::size_t d = 0; d < 4; ++d) {
      const std::size_t before = (point + points - distances[d]) % points;
      connect((point + distances[d]) % points, weight[4 * point + d]);
      connect(before, weight[4 * before + d]);
    }
    connect(point, -1.01 * sum);
    m.begin.push_back(static_cast<Index>(m.column.size()));
  }
  return m;
}

CORPUS_REGION void find_diagonal(const Matrix& m, Vector& diagonal) {
#pragma omp parallel for
  for (std::size_t row = 0; row < m.rows(); ++row)
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k)
      if (m.column[k] == row) diagonal[row] = m.value[k];
}

/// |a_ij| > theta sqrt(a_ii a_jj)
CORPUS_REGION void find_strong(const Matrix& m, const Vector& diagonal, std::vector<std::uint8_t>& strong) {
#pragma omp parallel for
  for (std::size_t row = 0; row < m.rows(); ++row)
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k)
      strong[k] =
          m.column[k] != row && m.value[k] * m.value[k] > 0.01 * std::fabs(diagonal[row] * diagonal[m.column[k]]);
}

/// Two passes: whole neighbourhoods first, then what is left joins a neighbour or stands alone. Returns how many.
CORPUS_REGION Index aggregate(const Matrix& m, const std::vector<std::uint8_t>& strong, std::vector<Index>& of) {
  Index count = 0;
  for (std::size_t row = 0; row < m.rows(); ++row) {
    bool free = of[row] == none;
    for (Index k = m.begin[row]; free && k < m.begin[row + 1]; ++k) free = !strong[k] || of[m.column[k]] == none;
    if (!free) continue;
    of[row] = count;
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k)
      if (strong[k]) of[m.column[k]] = count;
    ++count;
  }
  for (std::size_t row = 0; row < m.rows(); ++row) {
    for (Index k = m.begin[row]; of[row] == none && k < m.begin[row + 1]; ++k)
      if (strong[k]) of[row] = of[m.column[k]];
    if (of[row] == none) of[row] = count++;
  }
  return count;
}

/// Points by aggregate, so that the rows of one coarse row are found together.
CORPUS_REGION Matrix members_of(const std::vector<Index>& of, Index count) {
  Matrix members{std::vector<Index>(count + 1), std::vector<Index>(of.size()), {}};
  for (const Index aggregate : of) ++members.begin[aggregate + 1];
  for (Index a = 0; a < count; ++a) members.begin[a + 1] += members.begin[a];
  std::vector<Index> next(members.begin.begin(), members.begin.end() - 1);
  for (std::size_t point = 0; point < of.size(); ++point) members.column[next[of[point]]++] = static_cast<Index>(point);
  return members;
}

/// P^T A P with piecewise constant P: adds up entries between aggregates.
CORPUS_REGION Matrix coarse_matrix(const Matrix& m, const Matrix& members, const std::vector<Index>& of) {
  Matrix coarse;
  std::vector<Index> place(members.rows(), none);
  for (std::size_t aggregate = 0; aggregate < members.rows(); ++aggregate) {
    const std::size_t from = coarse.column.size();
    for (Index i = members.begin[aggregate]; i < members.begin[aggregate + 1]; ++i) {
      const Index row = members.column[i];
      for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) {
        const Index target = of[m.column[k]];
        if (place[target] == none || place[target] < from) {
          place[target] = static_cast<Index>(coarse.column.size());
          coarse.column.push_back(target);
          coarse.value.push_back(0);
        }
        coarse.value[place[target]] += m.value[k];
      }
    }
    coarse.begin.push_back(static_cast<Index>(coarse.column.size()));
  }
  return coarse;
}

/// next = x + weight / diagonal (b - m x)
CORPUS_REGION void smooth(const Matrix& m, const Vector& diagonal, const Vector& b, const Vector& x, Vector& next) {
#pragma omp parallel for
  for (std::size_t row = 0; row < m.rows(); ++row) {
    double rest = b[row];
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) rest -= m.value[k] * x[m.column[k]];
    next[row] = x[row] + 0.6 * rest / diagonal[row];
  }
}

CORPUS_REGION void restrict_rest(const Matrix& m, const Matrix& members, const Vector& b, const Vector& x,
                                 Vector& out) {
#pragma omp parallel for schedule(guided)
  for (std::size_t aggregate = 0; aggregate < members.rows(); ++aggregate) {
    double sum = 0;
    for (Index i = members.begin[aggregate]; i < members.begin[aggregate + 1]; ++i) {
      const Index row = members.column[i];
      sum += b[row];
      for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) sum -= m.value[k] * x[m.column[k]];
    }
    out[aggregate] = sum;
  }
}

CORPUS_REGION void add_coarse(const std::vector<Index>& of, const Vector& coarse, Vector& x) {
#pragma omp parallel for
  for (std::size_t point = 0; point < of.size(); ++point) x[point] += coarse[of[point]];
}

CORPUS_REGION double rest_norm(const Matrix& m, const Vector& b, const Vector& x) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t row = 0; row < m.rows(); ++row) {
    double rest = b[row];
    for (Index k = m.begin[row]; k < m.begin[row + 1]; ++k) rest -= m.value[k] * x[m.column[k]];
    square += rest * rest;
  }
  return std::sqrt(square);
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Matrix m = make_graph(input.pick<std::size_t>(16'000, 30'000), random);
  Vector diagonal(m.rows()), b(m.rows(), 1), x(m.rows()), next(m.rows());
  std::vector<std::uint8_t> strong(m.column.size());
  find_diagonal(m, diagonal);
  find_strong(m, diagonal, strong);
  std::vector<Index> of(m.rows(), none);
  const Index count = aggregate(m, strong, of);
  const Matrix members = members_of(of, count);
  const Matrix coarse = coarse_matrix(m, members, of);
  Vector coarse_diagonal(count), rest(count), error(count), next_error(count);
  find_diagonal(coarse, coarse_diagonal);
  const double before = rest_norm(m, b, x);
  for (int cycle = 0; cycle < 2; ++cycle) {
    smooth(m, diagonal, b, x, next);
    restrict_rest(m, members, b, next, rest);
    std::fill(error.begin(), error.end(), 0.0);
    for (int sweep = 0; sweep < 2; ++sweep) {
      smooth(coarse, coarse_diagonal, rest, error, next_error);
      smooth(coarse, coarse_diagonal, rest, next_error, error);
    }
    add_coarse(of, error, next);
    smooth(m, diagonal, b, next, x);
  }
  return {.checksum = x[count] + count, .right = rest_norm(m, b, x) < before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
