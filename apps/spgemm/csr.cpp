#include "apps/spgemm/csr.h"

#include <numeric>
#include <span>

#include "apps/common/random.h"

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

}  // namespace spgemm
