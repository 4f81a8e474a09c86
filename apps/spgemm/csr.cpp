#include "apps/spgemm/csr.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "apps/common/random_graphs.h"

namespace spgemm {
namespace {

/// Row pointers of a matrix whose rows have `lengths[row]` entries.
apps::ManagedVector<Offset> sum_lengths(const std::vector<Offset>& lengths) {
  apps::ManagedVector<Offset> pointers(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), pointers.begin() + 1);
  return pointers;
}

/// The entries in the order of one of their coordinates; those that have it in common keep their order.
std::vector<Triple> sort_by(Index Triple::* coordinate, Index bound, std::span<const Triple> entries) {
  std::vector<Offset> lengths(bound, 0);
  for (const Triple& entry : entries) ++lengths[entry.*coordinate];
  apps::ManagedVector<Offset> next = sum_lengths(lengths);
  std::vector<Triple> sorted(entries.size());
  for (const Triple& entry : entries) sorted[next[entry.*coordinate]++] = entry;
  return sorted;
}

}  // namespace

Csr compress(const Triples& triples) {
  const std::vector<Triple> by_column = sort_by(&Triple::column, triples.columns, triples.entries);
  const std::vector<Triple> sorted = sort_by(&Triple::row, triples.rows, by_column);

  Csr matrix{triples.rows, triples.columns, {}, {}, {}};
  matrix.column_indices.reserve(sorted.size());
  matrix.values.reserve(sorted.size());
  std::vector<Offset> lengths(triples.rows, 0);
  const Triple* previous = nullptr;
  for (const Triple& entry : sorted) {
    if (previous != nullptr && previous->row == entry.row && previous->column == entry.column) {
      matrix.values.back() += entry.value;
    } else {
      matrix.column_indices.push_back(entry.column);
      matrix.values.push_back(entry.value);
      ++lengths[entry.row];
    }
    previous = &entry;
  }
  matrix.row_pointers = sum_lengths(lengths);
  return matrix;
}

Triples permute_rows(Triples matrix, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<Index> place = apps::random_permutation(matrix.rows, random);
  for (Triple& entry : matrix.entries) entry.row = place[entry.row];
  return matrix;
}

ManagedCsr copy_rows(const std::string& name, const CsrView& matrix, Index first, Index last) {
  const std::size_t begin = matrix.begin(first);
  const std::size_t length = matrix.begin(last) - begin;
  ManagedCsr bin(name, last - first, matrix.columns, length);
  std::copy_n(matrix.row_pointers + first, bin.row_pointers.size(), bin.row_pointers.data());
  std::copy_n(matrix.column_indices + begin, length, bin.column_indices.data());
  std::copy_n(matrix.values + begin, length, bin.values.data());
  return bin;
}

ManagedCsr transpose(const std::string& name, const CsrView& matrix) {
  ManagedCsr result(name, matrix.columns, matrix.rows, matrix.nonzeros());
  Offset* const pointers = result.row_pointers.data();
  std::fill(result.row_pointers.begin(), result.row_pointers.end(), Offset{0});
  for (std::size_t i = 0; i < matrix.nonzeros(); ++i) ++pointers[matrix.column_indices[i] + std::size_t{1}];
  for (std::size_t row = 0; row < result.rows; ++row) pointers[row + 1] += pointers[row];

  std::vector<Offset> next(result.row_pointers.begin(), result.row_pointers.end() - 1);
  for (Index row = 0; row < matrix.rows; ++row) {
    for (std::size_t i = matrix.begin(row); i < matrix.end(row); ++i) {
      const Offset at = next[matrix.column_indices[i]]++;
      result.column_indices.data()[at] = row;
      result.values.data()[at] = matrix.values[i];
    }
  }
  return result;
}

}  // namespace spgemm
