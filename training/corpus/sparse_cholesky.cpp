// Sparse Cholesky factors of a plane's operator: nested dissection, elimination tree, column counts, symbolic
// factorisation, then the up-looking and the left-looking numeric phase, triangular systems by columns, by levels of
// the tree and with one right-hand side for each lane (rate style).
// Source: Davis, Direct Methods for Sparse Linear Systems, chapters 4 and 7; George, SIAM J. Numer. Anal. 10, 1973;
// Liu, SIAM J. Matrix Anal. Appl. 11, 1990 (elimination tree).
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

constexpr Index none = ~Index{0};

/// By columns, the diagonal first in each.
struct Lower {
  std::vector<Index> begin, row;
  Vector value;
  std::size_t columns() const { return begin.size() - 1; }
};

/// The upper half of the matrix, by columns; the diagonal last in each.
using Upper = Lower;

/// Halves first, the line between them last: `next` is the number that the last point gets.
void dissect(Index side, Index left, Index top, Index wide, Index high, Index& next, std::vector<Index>& number) {
  if (wide == 0 || high == 0) return;
  if (wide * high <= 6) {
    for (Index k = 0; k < wide * high; ++k) number[(top + k / wide) * side + left + k % wide] = next++;
  } else if (wide >= high) {
    const Index half = wide / 2;
    dissect(side, left, top, half, high, next, number);
    dissect(side, left + half + 1, top, wide - half - 1, high, next, number);
    for (Index y = 0; y < high; ++y) number[(top + y) * side + left + half] = next++;
  } else {
    const Index half = high / 2;
    dissect(side, left, top, wide, half, next, number);
    dissect(side, left, top + half + 1, wide, high - half - 1, next, number);
    for (Index x = 0; x < wide; ++x) number[(top + half) * side + left + x] = next++;
  }
}

CORPUS_REGION void invert(const std::vector<Index>& number, std::vector<Index>& place) {
#pragma omp parallel for
  for (std::size_t i = 0; i < number.size(); ++i) place[number[i]] = static_cast<Index>(i);
}

/// Column k has its neighbours of lower numbers.
CORPUS_REGION void make_upper(Index side, const std::vector<Index>& number, const std::vector<Index>& place,
                              std::uint64_t seed, Upper& a) {
  Index end = 0;
  for (Index k = 0; k < place.size(); ++k) {
    const Index at = place[k], x = at % side, y = at / side;
    double diagonal = 0.1;
    const auto edge = [&](bool exists, Index other, std::uint64_t name) {
      if (!exists) return;
      const double strength = 0.5 + corpus::random_real(seed, name);
      diagonal += strength;
      if (number[other] < k) a.row[end] = number[other], a.value[end++] = -strength;
    };
    edge(x > 0, at - 1, 2 * at), edge(x + 1 < side, at + 1, 2 * (at + 1));
    edge(y > 0, at - side, 2 * at + 1), edge(y + 1 < side, at + side, 2 * (at + side) + 1);
    a.row[end] = k, a.value[end++] = diagonal;
    a.begin[k + 1] = end;
  }
}

/// Liu's algorithm, with paths made shorter by ancestors.
CORPUS_REGION void elimination_tree(const Upper& a, std::vector<Index>& parent, std::vector<Index>& ancestor) {
  for (Index k = 0; k < a.columns(); ++k)
    for (Index p = a.begin[k]; p + 1 < a.begin[k + 1]; ++p)
      for (Index i = a.row[p]; i != none && i < k;) {
        const Index next = ancestor[i];
        ancestor[i] = k;
        if (next == none) parent[i] = k;
        i = next;
      }
}

/// The pattern of row k: from its entries up the tree, until something marked is met. Calls use(column).
template <class Use>
void row_pattern(const Upper& a, const std::vector<Index>& parent, Index k, std::vector<Index>& mark, Use use) {
  mark[k] = k;
  for (Index p = a.begin[k]; p + 1 < a.begin[k + 1]; ++p)
    for (Index i = a.row[p]; mark[i] != k; i = parent[i]) mark[i] = k, use(i);
}

CORPUS_REGION void count_columns(const Upper& a, const std::vector<Index>& parent, std::vector<Index>& mark,
                                 std::vector<Index>& count) {
  for (Index k = 0; k < a.columns(); ++k) {
    ++count[k];
    row_pattern(a, parent, k, mark, [&](Index i) { ++count[i]; });
  }
}

/// Rows of all columns of the factor, in ascending order, since row k comes after row k - 1.
CORPUS_REGION void find_rows(const Upper& a, const std::vector<Index>& parent, std::vector<Index>& mark,
                             std::vector<Index>& next, Lower& l) {
  for (Index k = 0; k < a.columns(); ++k) {
    l.row[next[k]++] = k;
    row_pattern(a, parent, k, mark, [&](Index i) { l.row[next[i]++] = k; });
  }
}

/// How many steps each column is below its tree's root, from the root downwards.
CORPUS_REGION Index depths(const std::vector<Index>& parent, std::vector<Index>& depth) {
  Index most = 0;
  for (std::size_t k = parent.size(); k-- > 0;) {
    depth[k] = parent[k] == none ? 0 : depth[parent[k]] + 1;
    most = std::max(most, depth[k]);
  }
  return most;
}

/// Row after row: each is a triangular system with the rows before it. The pattern is sorted by column.
CORPUS_REGION void up_looking(const Upper& a, const std::vector<Index>& parent, std::vector<Index>& mark, Lower& l,
                              std::vector<Index>& end, Vector& x) {
  std::vector<Index> pattern;
  for (Index k = 0; k < a.columns(); ++k) {
    pattern.clear();
    row_pattern(a, parent, k, mark, [&](Index i) { pattern.push_back(i); });
    std::sort(pattern.begin(), pattern.end());
    for (Index p = a.begin[k]; p < a.begin[k + 1]; ++p) x[a.row[p]] = a.value[p];
    double diagonal = x[k];
    for (const Index i : pattern) {
      const double factor = x[i] / l.value[l.begin[i]];
      for (Index p = l.begin[i] + 1; p < end[i]; ++p) x[l.row[p]] -= l.value[p] * factor;
      x[i] = 0;
      diagonal -= factor * factor;
      l.value[end[i]++] = factor;
    }
    x[k] = 0;
    l.value[end[k]++] = std::sqrt(diagonal);
  }
}

/// The lower half of A into the places of the factor: a search in a column for each entry.
CORPUS_REGION void scatter_matrix(const Upper& a, Lower& l) {
#pragma omp parallel for schedule(dynamic, 64)
  for (Index k = 0; k < a.columns(); ++k)
    for (Index p = a.begin[k]; p < a.begin[k + 1]; ++p) {
      const auto first = l.row.begin() + l.begin[a.row[p]], last = l.row.begin() + l.begin[a.row[p] + 1];
      l.value[static_cast<std::size_t>(std::lower_bound(first, last, k) - l.row.begin())] = a.value[p];
    }
}

/// Column after column; those that change a column wait in its list, linked through `next`.
CORPUS_REGION void left_looking(Lower& l, std::vector<Index>& head, std::vector<Index>& next, std::vector<Index>& at,
                                Vector& x) {
  for (Index k = 0; k < l.columns(); ++k) {
    for (Index p = l.begin[k]; p < l.begin[k + 1]; ++p) x[l.row[p]] = l.value[p];
    for (Index j = head[k]; j != none;) {
      const Index following = next[j], p = at[j]++;
      for (Index q = p; q < l.begin[j + 1]; ++q) x[l.row[q]] -= l.value[p] * l.value[q];
      if (at[j] < l.begin[j + 1]) next[j] = head[l.row[at[j]]], head[l.row[at[j]]] = j;
      j = following;
    }
    const double pivot = std::sqrt(x[k]);
    l.value[l.begin[k]] = pivot;
    for (Index p = l.begin[k] + 1; p < l.begin[k + 1]; ++p) l.value[p] = x[l.row[p]] / pivot;
    if (at[k] < l.begin[k + 1]) next[k] = head[l.row[at[k]]], head[l.row[at[k]]] = k;
  }
}

CORPUS_REGION void solve_lower(const Lower& l, Vector& x) {
  for (std::size_t k = 0; k < l.columns(); ++k) {
    const double value = x[k] /= l.value[l.begin[k]];
    for (Index p = l.begin[k] + 1; p < l.begin[k + 1]; ++p) x[l.row[p]] -= l.value[p] * value;
  }
}

CORPUS_REGION void solve_upper(const Lower& l, Vector& x) {
  for (std::size_t k = l.columns(); k-- > 0;) {
    double sum = x[k];
    for (Index p = l.begin[k] + 1; p < l.begin[k + 1]; ++p) sum -= l.value[p] * x[l.row[p]];
    x[k] = sum / l.value[l.begin[k]];
  }
}

/// The transposed system by levels of the tree: columns of one depth do not depend on each other.
CORPUS_REGION void solve_by_depth(const Lower& l, const std::vector<Index>& order, const std::vector<Index>& level,
                                  Vector& x) {
#pragma omp parallel
  for (std::size_t d = 0; d + 1 < level.size(); ++d) {
#pragma omp for schedule(static)
    for (Index i = level[d]; i < level[d + 1]; ++i) {
      const Index k = order[i];
      double sum = x[k];
      for (Index p = l.begin[k] + 1; p < l.begin[k + 1]; ++p) sum -= l.value[p] * x[l.row[p]];
      x[k] = sum / l.value[l.begin[k]];
    }
  }
}

CORPUS_REGION void sort_by_depth(const std::vector<Index>& depth, std::vector<Index>& level,
                                 std::vector<Index>& order) {
  for (const Index d : depth) ++level[d + 1];
  for (std::size_t d = 1; d < level.size(); ++d) level[d] += level[d - 1];
  std::vector<Index> next = level;
  for (Index k = 0; k < depth.size(); ++k) order[next[depth[k]]++] = k;
}

/// Every lane has right-hand sides of its own, and reads the whole factor.
CORPUS_REGION void solve_many(const Lower& l, std::vector<Vector>& x) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t side = 0; side < x.size(); ++side)
    for (std::size_t k = 0; k < l.columns(); ++k) {
      const double value = x[side][k] /= l.value[l.begin[k]];
      for (Index p = l.begin[k] + 1; p < l.begin[k + 1]; ++p) x[side][l.row[p]] -= l.value[p] * value;
    }
}

/// r = b - A x with the upper half alone: each entry is used twice.
CORPUS_REGION void residual(const Upper& a, const Vector& x, Vector& r) {
  for (Index k = 0; k < a.columns(); ++k) {
    double sum = 0;
    for (Index p = a.begin[k]; p < a.begin[k + 1]; ++p) {
      sum += a.value[p] * x[a.row[p]];
      if (a.row[p] != k) r[a.row[p]] -= a.value[p] * x[k];
    }
    r[k] -= sum;
  }
}

CORPUS_REGION double largest(const Vector& a) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i]));
  return most;
}

CORPUS_REGION double difference(const Vector& a, const Vector& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

/// The logarithm of the determinant: one entry of each column.
CORPUS_REGION double log_determinant(const Lower& l) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t k = 0; k < l.columns(); ++k) sum += 2 * std::log(l.value[l.begin[k]]);
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  const Index side = input.pick<Index>(56, 76), n = side * side;
  std::vector<Index> number(n), place(n), parent(n, none), scratch(n, none), count(n), depth(n);
  Index next_number = 0;
  dissect(side, 0, 0, side, side, next_number, number);
  invert(number, place);
  Upper a{std::vector<Index>(n + 1), std::vector<Index>(3 * n), Vector(3 * n)};
  make_upper(side, number, place, input.seed, a);
  elimination_tree(a, parent, scratch);
  std::fill(scratch.begin(), scratch.end(), none);
  count_columns(a, parent, scratch, count);
  Lower l{std::vector<Index>(n + 1), {}, {}};
  for (Index k = 0; k < n; ++k) l.begin[k + 1] = l.begin[k] + count[k];
  l.row.resize(l.begin[n]), l.value.resize(l.begin[n]);
  std::vector<Index> end(l.begin.begin(), l.begin.end() - 1), start = end;
  std::fill(scratch.begin(), scratch.end(), none);
  find_rows(a, parent, scratch, end, l);
  Lower other = l;
  end = start;
  std::fill(scratch.begin(), scratch.end(), none);
  Vector x(n);
  up_looking(a, parent, scratch, l, end, x);
  scatter_matrix(a, other);
  std::vector<Index> head(n, none), next(n), at(n);
  for (Index k = 0; k < n; ++k) at[k] = other.begin[k] + 1;
  left_looking(other, head, next, at, x);
  const double apart = difference(l.value, other.value);

  x.assign(n, 1.0);
  Vector r(n, 1.0), y(n);
  solve_lower(l, x);
  y = x;
  solve_upper(l, x);
  std::vector<Index> level(depths(parent, depth) + 2), order(n);
  sort_by_depth(depth, level, order);
  solve_by_depth(l, order, level, y);
  std::vector<Vector> many(12, Vector(n, 1.0));
  solve_many(l, many);
  residual(a, x, r);
  const bool right = apart < 1e-10 && largest(r) < 1e-9 && difference(x, y) < 1e-10;
  return {.checksum = log_determinant(l) + largest(x) + many[7][n / 2], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
