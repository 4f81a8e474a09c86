// An array of 1 MiB, and loads from anywhere in it.
#pragma once

#include <cstddef>
#include <cstdint>

constexpr std::size_t words = 128 << 10;

inline std::uint64_t sum_of(const std::uint64_t* data, std::uint64_t steps, std::uint64_t seed) {
  std::uint64_t sum = 0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    sum += data[(seed >> 33) % words];
  }
  return sum;
}
