// Numbers for property tests of the model: ordinary ones, and every eighth time one that no measurement should give.
#pragma once

#include <iterator>
#include <limits>
#include <random>

namespace lbhm {

class AnyNumber {
 public:
  explicit AnyNumber(std::uint64_t seed) : random_(seed) {}

  /// From 0 to `most`, or zero, negative, tiny, huge, infinite, or no number at all.
  double operator()(double most) {
    static constexpr double strange[] = {
        0, -1, 1e-300, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
    if (random_() % 8 == 0) return strange[random_() % std::size(strange)];
    return most * static_cast<double>(random_() % 10000) / 10000;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace lbhm
