// One program, many shapes of parallelism: `shapes NAME` runs one of them and prints a checksum that does not depend on
// who came first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

constexpr std::size_t n = 1 << 20;
using Index = std::vector<std::uint32_t>;  // a permutation of 0 to n - 1

struct Shape {
  const char* name;
  std::uint64_t (*run)(const Index&);
};

std::span<const Shape> waiting_shapes();
std::span<const Shape> thread_shapes();
std::span<const Shape> task_shapes();

/// Some work: adds up `count` places of the permutation from `first` on.
inline std::uint64_t walk(const Index& index, std::size_t first, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += index[index[(first + i) % n]];
  return sum;
}
