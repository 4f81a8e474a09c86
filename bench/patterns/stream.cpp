// Element by element: delta, reductions and transposes included.
#include <cmath>
#include <complex>

#include "bench/patterns/pattern_kernel.h"

namespace patterns {
namespace {

double number(std::size_t i) { return static_cast<double>(i % 1000) * 0.001; }

void triad_of(double* a, const double* b, const double* c, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3 * c[i];
}

Input triad(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  double* const a = input.add<double>("a", "stream", n);
  const double* const b = input.add<double>("b", "stream", n, number);
  const double* const c = input.add<double>("c", "stream", n, number);
  input.run = [=] { return triad_of(a, b, c, n), a[n / 2]; };
  return input;
}

void copy_of(float* to, const float* from, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

Input copy(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(float);
  float* const to = input.add<float>("to", "stream", n);
  const float* const from = input.add<float>("from", "stream", n, number);
  input.run = [=] { return copy_of(to, from, n), static_cast<double>(to[n / 2]); };
  return input;
}

double dot_of(const double* x, const double* y, std::size_t n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

Input dot(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  const double* const x = input.add<double>("x", "stream", n, number);
  const double* const y = input.add<double>("y", "stream", n, number);
  input.run = [=] { return dot_of(x, y, n); };
  return input;
}

/// Prefix differences: the step to the next element.
void delta_of(std::int16_t* step, const std::int16_t* level, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n - 1; ++i) step[i] = static_cast<std::int16_t>(level[i + 1] - level[i]);
}

Input delta(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(std::int16_t);
  const std::int16_t* const level = input.add<std::int16_t>(
      "level", "stream", n, [](std::size_t i) { return static_cast<std::int16_t>(i * i % 777); });
  std::int16_t* const step = input.add<std::int16_t>("step", "stream", n);
  input.run = [=] {
    delta_of(step, level, n);
    const std::int16_t third = step[n / 3];
    return static_cast<double>(third);
  };
  return input;
}

/// As many columns as fit into two pages, any number of rows.
constexpr std::size_t width = 128;

void transpose_of(double* to, const double* from, std::size_t rows) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < width; ++column) to[column * rows + row] = from[row * width + column];
  }
}

Input transpose(std::size_t bytes) {
  Input input;
  const std::size_t rows = bytes / sizeof(double) / width;
  const double* const from = input.add<double>("from", "stream", rows * width, number);
  double* const to = input.add<double>("to", "stream", rows * width);
  input.run = [=] { return transpose_of(to, from, rows), to[rows]; };
  return input;
}

void multiply_of(std::complex<float>* z, const std::complex<float>* w, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    const float re = z[i].real() * w[i].real() - z[i].imag() * w[i].imag();
    z[i] = {re, z[i].real() * w[i].imag() + z[i].imag() * w[i].real()};
  }
}

Input complex_multiply(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(std::complex<float>);
  const auto value = [](std::size_t i) { return std::complex<float>(static_cast<float>(number(i)), 1); };
  auto* const z = input.add<std::complex<float>>("z", "stream", n, value);
  auto* const w = input.add<std::complex<float>>("w", "stream", n, value);
  input.run = [=] { return multiply_of(z, w, n), static_cast<double>(z[n / 2].real()); };
  return input;
}

constexpr std::size_t per_row = 16;

void spmv_of(double* y, const double* values, const std::int32_t* columns, const double* x, std::size_t rows) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t k = row * per_row; k < (row + 1) * per_row; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

/// The matrix of a product with a vector, which stays within 16 rows of the diagonal.
Input spmv_matrix(std::size_t bytes) {
  Input input;
  const std::size_t rows = bytes / sizeof(double) / per_row;
  const double* const values = input.add<double>("values", "stream", rows * per_row, number);
  const auto near = [=](std::size_t k) { return static_cast<std::int32_t>((k / per_row + k % per_row) % rows); };
  const std::int32_t* const columns = input.add<std::int32_t>("columns", "stream", rows * per_row, near);
  const double* const x = input.add<double>("x", "random", rows, number);
  double* const y = input.add<double>("y", "stream", rows);
  input.run = [=] { return spmv_of(y, values, columns, x, rows), y[rows / 2]; };
  return input;
}

constexpr Entry kernels[] = {{"triad", triad},
                             {"copy", copy},
                             {"dot", dot},
                             {"delta", delta},
                             {"transpose", transpose},
                             {"complex-multiply", complex_multiply},
                             {"spmv-matrix", spmv_matrix}};

}  // namespace

std::span<const Entry> stream_kernels() { return kernels; }

}  // namespace patterns
