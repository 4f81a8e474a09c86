// Sparse matrices.
#include <algorithm>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

constexpr std::size_t row_length = 16;

/// Compressed sparse rows, of one length; columns are sorted within a row.
struct Csr {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> column;
  std::vector<double> value;
};

Csr random_csr(std::size_t rows) {
  Csr a{.begin = std::vector<std::size_t>(rows + 1),
        .column = random_below(rows * row_length, rows),
        .value = random_reals(rows * row_length)};
  for (std::size_t row = 0; row <= rows; ++row) a.begin[row] = row * row_length;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto first = a.column.begin() + static_cast<std::ptrdiff_t>(a.begin[row]);
    std::sort(first, first + row_length);
  }
  return a;
}

void multiply(std::size_t rows, const std::size_t* begin, const std::uint32_t* column, const double* value,
              const double* x, double* y) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = begin[row]; i < begin[row + 1]; ++i) sum += value[i] * x[column[i]];
    y[row] = sum;
  }
}

Kernel spmv_csr(std::size_t rows) {
  return [rows, a = random_csr(rows), x = random_reals(rows), y = std::vector<double>(rows)]() mutable {
    multiply(rows, a.begin.data(), a.column.data(), a.value.data(), x.data(), y.data());
    return y[rows / 2];
  };
}

/// y[row] += value * x[column] over unsorted triples.
void scatter(std::size_t count, const std::uint32_t* row, const std::uint32_t* column, const double* value,
             const double* x, double* y) {
  for (std::size_t i = 0; i < count; ++i) y[row[i]] += value[i] * x[column[i]];
}

Kernel spmv_coo(std::size_t rows) {
  const std::size_t count = rows * 8;
  std::vector<std::uint32_t> row = random_below(2 * count, rows);
  std::vector<std::uint32_t> column(row.begin() + static_cast<std::ptrdiff_t>(count), row.end());
  return [rows, count, row = std::move(row), column = std::move(column), value = random_reals(count),
          x = random_reals(rows), y = std::vector<double>(rows)]() mutable {
    std::ranges::fill(y, 0.0);
    scatter(count, row.data(), column.data(), value.data(), x.data(), y.data());
    return y[rows / 2];
  };
}

/// A forward sweep: every row needs the new values of the rows above it (half of a symmetric Gauss-Seidel step).
void relax(std::size_t rows, const std::size_t* begin, const std::uint32_t* column, const double* value,
           const double* right, double* x) {
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = right[row];
    for (std::size_t i = begin[row]; i < begin[row + 1]; ++i) sum -= value[i] * x[column[i]];
    x[row] += sum * (1.0 / 64);
  }
}

Kernel gauss_seidel_csr(std::size_t rows) {
  return [rows, a = random_csr(rows), right = random_reals(rows), x = std::vector<double>(rows)]() mutable {
    std::ranges::fill(x, 0.0);
    relax(rows, a.begin.data(), a.column.data(), a.value.data(), right.data(), x.data());
    return x[rows / 2];
  };
}

constexpr Entry entries[] = {{"spmv-csr", spmv_csr, Threads::share, 400'000, 10, 4'000},
                             {"spmv-coo", spmv_coo, Threads::copies, 500'000, 5, 8'000},
                             {"gauss-seidel-csr", gauss_seidel_csr, Threads::copies, 300'000, 8, 4'000}};

}  // namespace

std::span<const Entry> sparse_kernels() { return entries; }

}  // namespace host
