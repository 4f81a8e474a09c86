// Rows of numbers that are searched and shifted as a whole, in the vectors that the host has.
//
// The host cannot foresee where in a row something is. So nothing branches on it: every place is computed anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace lbhm::emulator {

template <class T, std::size_t N>
using SimdVector = T __attribute__((vector_size(sizeof(T) * N), may_alias));

/// Bit i is set if `condition`, the result of a comparison, holds in lane i.
template <std::size_t N, class Condition>
[[gnu::always_inline]] inline std::uint64_t bits_of(const Condition& condition) {
  using Bits = bool __attribute__((ext_vector_type(N)));
  const Bits bits = __builtin_convertvector(condition, Bits);
  std::uint64_t mask = 0;
  static_assert(N >= 8 && sizeof(bits) <= sizeof(mask));
  std::memcpy(&mask, &bits, sizeof(bits));
  return mask;
}

/// 0, 1, 2, ...
template <class T, std::size_t N>
inline constexpr SimdVector<T, N> places =
    []<std::size_t... I>(std::index_sequence<I...>) { return SimdVector<T, N>{I...}; }(std::make_index_sequence<N>());

// In place, as rows are wider than what some instruction sets return.

/// What is in a lane goes to the next one, and `first` to lane 0.
template <class T, std::size_t N>
[[gnu::always_inline]] inline void shift_up(SimdVector<T, N>& row, T first) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    row = __builtin_shufflevector(SimdVector<T, N>{} + first, row, (I + N - 1)...);
  }(std::make_index_sequence<N>());
}

/// What is in a lane goes to the one before, and `last` to the last one.
template <class T, std::size_t N>
[[gnu::always_inline]] inline void shift_down(SimdVector<T, N>& row, T last) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    row = __builtin_shufflevector(row, SimdVector<T, N>{} + last, (I + 1)...);
  }(std::make_index_sequence<N>());
}

}  // namespace lbhm::emulator
