// Four kernels on square matrices of doubles, row by row; each row is written by one thread.
#pragma once

#include <cstddef>

namespace multiphase {

/// One by malloc.
struct Buffer {
  double* at = nullptr;
  std::size_t side = 0;
  std::size_t size() const { return side * side; }
};

/// c = a b / side, by the definition: nothing is blocked.
void dgemm(const Buffer& a, const Buffer& b, const Buffer& c);
/// Of all elements; `rows` has room for `side` sums, which are added up in their order.
double dot(const Buffer& a, const Buffer& b, double* rows);
/// y += factor x.
void daxpy(double factor, const Buffer& x, const Buffer& y);
/// out = mean of an element and its four neighbours; those at the edge are copied.
void stencil(const Buffer& in, const Buffer& out);

// What an element should be.
double dgemm_at(const Buffer& a, const Buffer& b, std::size_t row, std::size_t column);
double dot_of_row(const Buffer& a, const Buffer& b, std::size_t row);
double stencil_at(const Buffer& in, std::size_t row, std::size_t column);

}  // namespace multiphase
