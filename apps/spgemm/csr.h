// Sparse matrices: triples as they are read or generated, and compressed sparse rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"

namespace spgemm {

/// Number of a row or column. Half of its range is enough for any matrix here: see max_dimension.
using Index = std::uint32_t;
/// Position in the list of non-zeros, which may be longer than 2^32.
using Offset = std::uint64_t;

/// The kernel stamps a row twice, so 2 * rows must fit into an Index.
inline constexpr Index max_dimension = 0x7fffffff;

struct Triple {
  Index row;
  Index column;
  double value;
};

struct Triples {
  Index rows = 0;
  Index columns = 0;
  apps::ManagedVector<Triple> entries;  ///< in any order, duplicates allowed: they add up
};

/// A matrix in compressed sparse rows that somebody else owns.
struct CsrView {
  Index rows = 0;
  Index columns = 0;
  const Offset* row_pointers = nullptr;  ///< rows + 1 of them; those of a bin need not start at 0
  const Index* column_indices = nullptr;
  const double* values = nullptr;

  /// Position of the first non-zero of a row in column_indices and values.
  std::size_t begin(Index row) const { return row_pointers[row] - row_pointers[0]; }
  std::size_t end(Index row) const { return row_pointers[row + 1] - row_pointers[0]; }
  std::size_t length(Index row) const { return row_pointers[row + 1] - row_pointers[row]; }
  Offset nonzeros() const { return row_pointers[rows] - row_pointers[0]; }
};

/// A matrix in compressed sparse rows, the columns of each row ascending and unique.
struct Csr {
  Index rows = 0;
  Index columns = 0;
  apps::ManagedVector<Offset> row_pointers;
  apps::ManagedVector<Index> column_indices;
  apps::ManagedVector<double> values;

  Offset nonzeros() const { return column_indices.size(); }
  CsrView view() const { return {rows, columns, row_pointers.data(), column_indices.data(), values.data()}; }
};

/// Sorts, and adds up duplicates in the order in which they stand in `triples`.
Csr compress(const Triples& triples);
/// The same rows in a random order that depends on `seed` alone.
Triples permute_rows(Triples matrix, std::uint64_t seed);

// A sparse matrix, or a bin of its rows, in memory that LB-HM may place: three objects.

struct ManagedCsr {
  ManagedCsr(const std::string& name, Index row_count, Index column_count, std::size_t capacity)
      : rows(row_count),
        columns(column_count),
        row_pointers(name + ".row_pointers", std::size_t{row_count} + 1),
        column_indices(name + ".columns", capacity),
        values(name + ".values", capacity) {}

  CsrView view() const { return {rows, columns, row_pointers.data(), column_indices.data(), values.data()}; }

  Index rows;
  Index columns;
  apps::Array<Offset> row_pointers;  ///< those of a bin are positions in the whole matrix
  apps::Array<Index> column_indices;
  apps::Array<double> values;
};

/// Rows [first, last) of a matrix, as a matrix of their own.
ManagedCsr copy_rows(const std::string& name, const CsrView& matrix, Index first, Index last);
ManagedCsr transpose(const std::string& name, const CsrView& matrix);

}  // namespace spgemm
