// Dense linear algebra.
#include <algorithm>
#include <cmath>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

/// Rows times columns, as in a textbook: one of the operands is read down its columns.
void multiply_naive(std::size_t n, const double* a, const double* b, double* c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}

Kernel matmul_naive(std::size_t n) {
  return [n, a = random_reals(n * n), b = random_reals(n * n), c = std::vector<double>(n * n)]() mutable {
    multiply_naive(n, a.data(), b.data(), c.data());
    return c[n + 1];
  };
}

constexpr std::size_t block = 32;

void multiply_block(std::size_t n, const double* a, const double* b, double* c) {
  for (std::size_t i = 0; i < block; ++i) {
    for (std::size_t k = 0; k < block; ++k) {
      const double factor = a[i * n + k];
      for (std::size_t j = 0; j < block; ++j) c[i * n + j] += factor * b[k * n + j];
    }
  }
}

void multiply_blocked(std::size_t n, const double* a, const double* b, double* c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; i += block) {
    std::fill(c + i * n, c + (i + block) * n, 0.0);
    for (std::size_t k = 0; k < n; k += block) {
      for (std::size_t j = 0; j < n; j += block) multiply_block(n, a + i * n + k, b + k * n + j, c + i * n + j);
    }
  }
}

/// n: a multiple of the block.
Kernel matmul_blocked(std::size_t n) {
  return [n, a = random_reals(n * n), b = random_reals(n * n), c = std::vector<double>(n * n)]() mutable {
    multiply_blocked(n, a.data(), b.data(), c.data());
    return c[n + 1];
  };
}

/// Random, with a diagonal that makes it positive definite and elimination without pivots stable.
std::vector<double> dominant(std::size_t n) {
  std::vector<double> a = random_reals(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
    a[i * n + i] += static_cast<double>(n);
  }
  return a;
}

void eliminate(std::size_t n, double* a) {
  for (std::size_t k = 0; k < n; ++k) {
#pragma omp parallel for
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

Kernel lu(std::size_t n) {
  return [n, input = dominant(n), a = std::vector<double>(n * n)]() mutable {
    std::ranges::copy(input, a.begin());
    eliminate(n, a.data());
    return a[n * n - 1];
  };
}

void factorise(std::size_t n, double* a) {
  for (std::size_t j = 0; j < n; ++j) {
    double rest = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k) rest -= a[j * n + k] * a[j * n + k];
    const double pivot = a[j * n + j] = std::sqrt(rest);
#pragma omp parallel for
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / pivot;
    }
  }
}

Kernel cholesky(std::size_t n) {
  return [n, input = dominant(n), a = std::vector<double>(n * n)]() mutable {
    std::ranges::copy(input, a.begin());
    factorise(n, a.data());
    return a[n * n - 1];
  };
}

void multiply_vector(std::size_t n, const double* a, const double* x, double* y) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

Kernel matvec(std::size_t n) {
  return [n, a = random_reals(n * n), x = random_reals(n), y = std::vector<double>(n)]() mutable {
    multiply_vector(n, a.data(), x.data(), y.data());
    return y[n / 2];
  };
}

constexpr Entry entries[] = {{"matmul-naive", matmul_naive, Threads::share, 400, 3, 96},
                             {"matmul-blocked", matmul_blocked, Threads::share, 512, 5, 96},
                             {"lu", lu, Threads::share, 700, 4, 128},
                             {"cholesky", cholesky, Threads::share, 700, 4, 128},
                             {"matvec", matvec, Threads::share, 5200, 8, 256}};

}  // namespace

std::span<const Entry> dense_kernels() { return entries; }

}  // namespace host
