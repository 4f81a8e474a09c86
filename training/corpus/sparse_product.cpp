// Products with sparse matrices: C = A B by a hash table and by a heap for each row; Y = A X with X dense; A
// transposed. Source: Gustavson, ACM TOMS 4(3), 1978; Nagasaka, Matsuoka, Azad, Buluc, ICPP Workshops 2018.
#include <algorithm>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::uint32_t;

struct Entry {
  Index column;
  float value;
};

struct Matrix {
  std::vector<Index> begin;
  std::vector<Entry> entries;
  std::size_t rows() const { return begin.size() - 1; }
};

CORPUS_REGION Matrix make_matrix(std::size_t rows, Index longest, corpus::Random& random) {
  Matrix m{{0}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    Index column = random.below(rows / longest);
    for (Index k = 1 + random.below(longest); k > 0 && column < rows; --k) {
      m.entries.push_back({column, static_cast<float>(1 + k % 3)});
      column += 1 + random.below(rows / longest);
    }
    m.begin.push_back(static_cast<Index>(m.entries.size()));
  }
  return m;
}

/// How many products each row of a b adds up: an upper bound of its length.
CORPUS_REGION std::vector<Index> count_products(const Matrix& a, const Matrix& b) {
  std::vector<Index> products(a.rows() + 1);
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows(); ++row) {
    Index sum = 0;
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) {
      const Index middle = a.entries[k].column;
      sum += b.begin[middle + 1] - b.begin[middle];
    }
    products[row + 1] = sum;
  }
  for (std::size_t row = 0; row < a.rows(); ++row) products[row + 1] += products[row];
  return products;
}

/// Adds up one row in a table of twice as many slots as products; empty slots have the column ~0.
Index hash_row(const Matrix& a, const Matrix& b, std::size_t row, std::vector<Entry>& table, Entry* out, Index room) {
  std::size_t slots = 16;
  while (slots < 2 * std::size_t{room}) slots *= 2;
  table.assign(slots, {~Index{0}, 0});
  for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) {
    const Entry& left = a.entries[k];
    for (Index l = b.begin[left.column]; l < b.begin[left.column + 1]; ++l) {
      const Entry& right = b.entries[l];
      std::size_t slot = right.column * 2654435761u & (slots - 1);
      while (table[slot].column != right.column && table[slot].column != ~Index{0}) slot = (slot + 1) & (slots - 1);
      table[slot].column = right.column;
      table[slot].value += left.value * right.value;
    }
  }
  Index length = 0;
  for (const Entry& entry : table)
    if (entry.column != ~Index{0}) out[length++] = entry;
  return length;
}

CORPUS_REGION void multiply_by_hash(const Matrix& a, const Matrix& b, const std::vector<Index>& room,
                                    std::vector<Entry>& out, std::vector<Index>& length) {
#pragma omp parallel
  {
    std::vector<Entry> table;
#pragma omp for schedule(dynamic, 16)
    for (std::size_t row = 0; row < a.rows(); ++row)
      length[row] = hash_row(a, b, row, table, out.data() + room[row], room[row + 1] - room[row]);
  }
}

struct Cursor {
  Index column, position, end;
  float factor;
};

/// Merges the rows of b that row needs, in the order of columns.
Index heap_row(const Matrix& a, const Matrix& b, std::size_t row, std::vector<Cursor>& heap, Entry* out) {
  const auto later = [](const Cursor& x, const Cursor& y) { return x.column > y.column; };
  heap.clear();
  for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) {
    const Index middle = a.entries[k].column, from = b.begin[middle], to = b.begin[middle + 1];
    if (from < to) heap.push_back({b.entries[from].column, from, to, a.entries[k].value});
  }
  std::make_heap(heap.begin(), heap.end(), later);
  Index length = 0;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Cursor& next = heap.back();
    const float product = next.factor * b.entries[next.position].value;
    if (length > 0 && out[length - 1].column == next.column)
      out[length - 1].value += product;
    else
      out[length++] = {next.column, product};
    if (++next.position == next.end) {
      heap.pop_back();
      continue;
    }
    next.column = b.entries[next.position].column;
    std::push_heap(heap.begin(), heap.end(), later);
  }
  return length;
}

CORPUS_REGION void multiply_by_heap(const Matrix& a, const Matrix& b, const std::vector<Index>& room,
                                    std::vector<Entry>& out, std::vector<Index>& length) {
#pragma omp parallel
  {
    std::vector<Cursor> heap;
#pragma omp for schedule(static, 32)
    for (std::size_t row = 0; row < a.rows(); ++row) length[row] = heap_row(a, b, row, heap, out.data() + room[row]);
  }
}

/// y[row][j], x[column][j] with 16 numbers a row.
CORPUS_REGION void multiply_dense(const Matrix& a, const std::vector<float>& x, std::vector<float>& y) {
#pragma omp parallel for
  for (std::size_t row = 0; row < a.rows(); ++row) {
    float sum[16] = {};
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k) {
      const float* const source = x.data() + std::size_t{16} * a.entries[k].column;
      for (int j = 0; j < 16; ++j) sum[j] += a.entries[k].value * source[j];
    }
    std::copy_n(sum, 16, y.data() + 16 * row);
  }
}

CORPUS_REGION Matrix transposed(const Matrix& a) {
  Matrix t{std::vector<Index>(a.rows() + 1), std::vector<Entry>(a.entries.size())};
  for (const Entry& entry : a.entries) ++t.begin[entry.column + 1];
  for (std::size_t row = 0; row < a.rows(); ++row) t.begin[row + 1] += t.begin[row];
  std::vector<Index> next(t.begin.begin(), t.begin.end() - 1);
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (Index k = a.begin[row]; k < a.begin[row + 1]; ++k)
      t.entries[next[a.entries[k].column]++] = {static_cast<Index>(row), a.entries[k].value};
  return t;
}

CORPUS_REGION double total(const std::vector<Entry>& out, const std::vector<Index>& room,
                           const std::vector<Index>& length) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t row = 0; row < length.size(); ++row)
    for (Index k = 0; k < length[row]; ++k) sum += out[room[row] + k].value;
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Matrix a = make_matrix(input.pick<std::size_t>(3000, 5000), 12, random);
  const Matrix b = transposed(a);
  const std::vector<Index> room = count_products(a, b);
  std::vector<Entry> out(room.back());
  std::vector<Index> length(a.rows());
  multiply_by_hash(a, b, room, out, length);
  const double by_hash = total(out, room, length);
  multiply_by_heap(a, b, room, out, length);
  const double by_heap = total(out, room, length);
  std::vector<float> x(16 * a.rows(), 0.5f), y(16 * a.rows());
  multiply_dense(a, x, y);
  return {.checksum = by_heap + static_cast<double>(y[5]), .right = by_hash == by_heap};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
