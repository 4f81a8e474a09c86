// Small matrices whose size is part of the type.
#pragma once

#include <array>
#include <cstddef>

template <class T, std::size_t Rows, std::size_t Columns>
class Matrix {
 public:
  T& operator()(std::size_t i, std::size_t j) { return values_[i * Columns + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return values_[i * Columns + j]; }

  Matrix& operator+=(const Matrix& other) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] += other.values_[k];
    return *this;
  }

 private:
  std::array<T, Rows * Columns> values_{};
};

template <class T, std::size_t N, std::size_t K, std::size_t M>
Matrix<T, N, M> operator*(const Matrix<T, N, K>& a, const Matrix<T, K, M>& b) {
  Matrix<T, N, M> c;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t j = 0; j < M; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}

/// a to the power n, by halving.
template <class T, std::size_t N>
Matrix<T, N, N> power(const Matrix<T, N, N>& a, unsigned n) {
  if (n == 1) return a;
  const Matrix<T, N, N> half = power(a, n / 2);
  return n % 2 ? half * half * a : half * half;
}
