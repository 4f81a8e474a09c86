// Random numbers that are the same everywhere, and data made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace host {

/// splitmix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed = 1) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// 0 to bound - 1; the bias is of no importance here.
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(next() % bound); }
  /// 0 to 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

inline std::vector<double> random_reals(std::size_t count) {
  Random random;
  std::vector<double> values(count);
  for (double& value : values) value = random.unit();
  return values;
}

inline std::vector<std::uint32_t> random_below(std::size_t count, std::size_t bound) {
  Random random;
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = random.below(bound);
  return values;
}

/// 0 to count - 1 in random order.
inline std::vector<std::uint32_t> permutation(std::size_t count) {
  Random random;
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t last = count; last > 1; --last) std::swap(order[last - 1], order[random.below(last)]);
  return order;
}

}  // namespace host
