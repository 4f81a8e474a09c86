#include "apps/multiphase/kernels.h"

namespace multiphase {

double dgemm_at(const Buffer& a, const Buffer& b, std::size_t row, std::size_t column) {
  double sum = 0;
  for (std::size_t k = 0; k < a.side; ++k) sum += a.at[row * a.side + k] * b.at[k * a.side + column];
  return sum / static_cast<double>(a.side);
}

double dot_of_row(const Buffer& a, const Buffer& b, std::size_t row) {
  double sum = 0;
  for (std::size_t i = row * a.side; i < (row + 1) * a.side; ++i) sum += a.at[i] * b.at[i];
  return sum;
}

double stencil_at(const Buffer& in, std::size_t row, std::size_t column) {
  const std::size_t side = in.side, i = row * side + column;
  const bool edge = row == 0 || column == 0 || row == side - 1 || column == side - 1;
  return edge ? in.at[i] : (in.at[i] + in.at[i - 1] + in.at[i + 1] + in.at[i - side] + in.at[i + side]) / 5;
}

void dgemm(const Buffer& a, const Buffer& b, const Buffer& c) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < c.side; ++row)
    for (std::size_t column = 0; column < c.side; ++column) c.at[row * c.side + column] = dgemm_at(a, b, row, column);
}

double dot(const Buffer& a, const Buffer& b, double* rows) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < a.side; ++row) rows[row] = dot_of_row(a, b, row);
  double sum = 0;
  for (std::size_t row = 0; row < a.side; ++row) sum += rows[row];
  return sum;
}

void daxpy(double factor, const Buffer& x, const Buffer& y) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < y.size(); ++i) y.at[i] += factor * x.at[i];
}

void stencil(const Buffer& in, const Buffer& out) {
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < out.side; ++row)
    for (std::size_t column = 0; column < out.side; ++column)
      out.at[row * out.side + column] = stencil_at(in, row, column);
}

}  // namespace multiphase
