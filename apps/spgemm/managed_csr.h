// A sparse matrix, or a bin of its rows, in memory that LB-HM may place: three objects.
#pragma once

#include <cstddef>
#include <string>

#include "apps/common/memory.h"
#include "apps/spgemm/csr.h"

namespace spgemm {

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
