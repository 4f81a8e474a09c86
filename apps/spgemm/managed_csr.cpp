#include "apps/spgemm/managed_csr.h"

#include <algorithm>
#include <vector>

namespace spgemm {

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
