#include "apps/dmrg/gemm.h"

namespace dmrg {
namespace {

/// Two columns of C take four columns of A at once: each value loaded from A is used twice, each of C four times.
void add_4_to_2(std::size_t m, const double* __restrict a, const double* b, std::size_t k, double* __restrict c) {
  const double* __restrict a1 = a + m;
  const double* __restrict a2 = a1 + m;
  const double* __restrict a3 = a2 + m;
  double* __restrict c1 = c + m;
  const double b00 = b[0], b01 = b[1], b02 = b[2], b03 = b[3];
  const double b10 = b[k], b11 = b[k + 1], b12 = b[k + 2], b13 = b[k + 3];
  for (std::size_t i = 0; i < m; ++i) {
    c[i] += a[i] * b00 + a1[i] * b01 + a2[i] * b02 + a3[i] * b03;
    c1[i] += a[i] * b10 + a1[i] * b11 + a2[i] * b12 + a3[i] * b13;
  }
}

}  // namespace

void add_scaled(std::size_t size, double factor, const double* __restrict x, double* __restrict y) {
  for (std::size_t i = 0; i < size; ++i) y[i] += factor * x[i];
}

double dot(std::size_t size, const double* x, const double* y) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t part = 0; part < 4; ++part) sums[part] += x[i + part] * y[i + part];
  }
  for (; i < size; ++i) sums[0] += x[i] * y[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void multiply_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  std::size_t column = 0;
  for (; column + 2 <= n; column += 2) {
    std::size_t inner = 0;
    for (; inner + 4 <= k; inner += 4) add_4_to_2(m, a + inner * m, b + column * k + inner, k, c + column * m);
    for (; inner < k; ++inner) {
      add_scaled(m, b[column * k + inner], a + inner * m, c + column * m);
      add_scaled(m, b[(column + 1) * k + inner], a + inner * m, c + (column + 1) * m);
    }
  }
  for (; column < n; ++column) {
    for (std::size_t inner = 0; inner < k; ++inner) {
      add_scaled(m, b[column * k + inner], a + inner * m, c + column * m);
    }
  }
}

void multiply_transposed_add(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < m; ++row) c[column * m + row] += dot(k, a + row * k, b + column * k);
  }
}

void transpose(std::size_t m, std::size_t n, const double* a, double* b) {
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < m; ++row) b[row * n + column] = a[column * m + row];
  }
}

}  // namespace dmrg
