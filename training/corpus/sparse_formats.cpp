// y = A x with a sparse matrix in coordinates, rows (CSR), ELLPACK, diagonals and 2 x 2 blocks.
// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, section 3.4; Bell and Garland, SC 2009.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

struct Rows {
  std::vector<Index> begin, column;
  Vector value;
  std::size_t rows() const { return begin.size() - 1; }
};

/// A band of 5 diagonals, plus random entries in some rows; columns ascend within a row.
CORPUS_REGION Rows make_matrix(std::size_t rows, std::size_t extra, corpus::Random& random) {
  Rows a{{0}, {}, {}};
  std::vector<Index> columns;
  for (std::size_t row = 0; row < rows; ++row) {
    columns.clear();
    for (std::size_t d = 0; d < 5; ++d) columns.push_back(static_cast<Index>((row + rows + d * d - 4) % rows));
    const std::size_t more = random.below(2 * extra);
    for (std::size_t k = 0; k < more; ++k) columns.push_back(random.below(rows));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const Index column : columns) {
      a.column.push_back(column);
      a.value.push_back(random.unit() - 0.5);
    }
    a.begin.push_back(static_cast<Index>(a.column.size()));
  }
  return a;
}

CORPUS_REGION void multiply_rows(const Rows& a, const Vector& x, Vector& y) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t row = 0; row < a.rows(); ++row) {
    double sum = 0;
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) sum += a.value[k] * x[a.column[k]];
    y[row] = sum;
  }
}

CORPUS_REGION std::vector<Index> row_of_entry(const Rows& a) {
  std::vector<Index> row_of(a.column.size());
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) row_of[k] = static_cast<Index>(row);
  return row_of;
}

/// Entries in any order, so every addition is an atomic one.
CORPUS_REGION void multiply_coordinates(const Rows& a, const std::vector<Index>& row, const Vector& x, Vector& y) {
#pragma omp parallel for
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double product = a.value[k] * x[a.column[k]];
#pragma omp atomic
    y[row[k]] += product;
  }
}

struct Ellpack {
  std::size_t width = 0;
  std::vector<Index> column;  ///< [width][rows]
  Vector value;               ///< [width][rows], 0 where a row is shorter
};

CORPUS_REGION Ellpack to_ellpack(const Rows& a) {
  Ellpack e;
  for (std::size_t row = 0; row < a.rows(); ++row)
    e.width = std::max<std::size_t>(e.width, a.begin[row + 1] - a.begin[row]);
  e.column.resize(e.width * a.rows());
  e.value.resize(e.width * a.rows());
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (Index k = a.begin[row], slot = 0; k < a.begin[row + 1]; ++k, ++slot) {
      e.column[slot * a.rows() + row] = a.column[k];
      e.value[slot * a.rows() + row] = a.value[k];
    }
  return e;
}

CORPUS_REGION void multiply_ellpack(const Ellpack& e, const Vector& x, Vector& y) {
  const std::size_t rows = y.size();
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t slot = 0; slot < e.width; ++slot)
      sum += e.value[slot * rows + row] * x[e.column[slot * rows + row]];
    y[row] = sum;
  }
}

/// Diagonals at fixed distances, each stored as long as the matrix.
CORPUS_REGION void multiply_diagonals(const Vector& diagonals, const std::vector<std::size_t>& distance,
                                      const Vector& x, Vector& y) {
  const std::size_t rows = y.size();
#pragma omp parallel
  for (std::size_t d = 0; d < distance.size(); ++d) {
    const double* const diagonal = diagonals.data() + d * rows;
    const double* const shifted = x.data() + distance[d];
#pragma omp for
    for (std::size_t row = 0; row < rows - distance[d]; ++row) y[row] += diagonal[row] * shifted[row];
  }
}

/// Blocks of 2 x 2 with the structure of a's upper left quarter; the four values are next to each other.
CORPUS_REGION void multiply_blocks(const Rows& a, const Vector& blocks, const Vector& x, Vector& y) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < a.rows() / 2; ++row) {
    double upper = 0, lower = 0;
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) {
      const std::size_t column = a.column[k] / 2 * 2;
      const double* const block = blocks.data() + 4 * std::size_t{k};
      upper += block[0] * x[column] + block[1] * x[column + 1];
      lower += block[2] * x[column] + block[3] * x[column + 1];
    }
    y[2 * row] = upper;
    y[2 * row + 1] = lower;
  }
}

CORPUS_REGION void normalise(Vector& v) {
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (std::size_t i = 0; i < v.size(); ++i) square += v[i] * v[i];
  const double scale = 1 / std::sqrt(square);
#pragma omp parallel for
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= scale;
}

CORPUS_REGION double distance(const Vector& a, const Vector& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t rows = input.pick<std::size_t>(14'000, 22'000);
  const Rows a = make_matrix(rows, 4, random);
  Vector x(rows), by_rows(rows), by_entries(rows), y(rows);
  for (double& value : x) value = random.unit();
  normalise(x);
  multiply_rows(a, x, by_rows);
  multiply_coordinates(a, row_of_entry(a), x, by_entries);
  multiply_ellpack(to_ellpack(a), x, y);
  const bool correct = distance(by_rows, by_entries) < 1e-12 && distance(by_rows, y) < 1e-12;
  const std::vector<std::size_t> offsets{0, 1, 2, 150, 151, 3000};
  const Vector diagonals(offsets.size() * rows, 0.25);
  multiply_diagonals(diagonals, offsets, x, by_rows);
  const Vector blocks(4 * a.column.size() / 2 + 64 * rows / 8, 0.125);
  multiply_blocks(a, blocks, by_rows, y);
  normalise(y);
  return {.checksum = y[rows / 2] + by_rows[7], .right = correct};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
