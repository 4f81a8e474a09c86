// Pairs of normal deviates by Marsaglia's polar method, counted in square annuli: the kernel EP of the NAS Parallel
// Benchmarks (Bailey et al., NASA RNR-94-007, section 2.3). Every lane has batches of its own in buffers larger than
// its caches: numbers first, then the accepted pairs, then their statistics.
#include <array>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
using Counts = std::array<std::uint64_t, 10>;

/// The benchmark's generator: x <- 5^13 x mod 2^46, scaled to [0, 1).
CORPUS_REGION void uniform(std::uint64_t x, Reals& numbers) {
  constexpr std::uint64_t multiplier = 1'220'703'125, mask = (1ull << 46) - 1;
  for (double& number : numbers) {
    x = x * multiplier & mask;
    number = static_cast<double>(x) * 0x1p-46;
  }
}

/// How many pairs lie within the circle; they move to the front, with the square of their radius behind.
CORPUS_REGION std::size_t accept(Reals& numbers, Reals& squares) {
  std::size_t accepted = 0;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    const double x = 2 * numbers[i] - 1, y = 2 * numbers[i + 1] - 1, t = x * x + y * y;
    if (t > 1) continue;
    numbers[2 * accepted] = x;
    numbers[2 * accepted + 1] = y;
    squares[accepted++] = t;
  }
  return accepted;
}

CORPUS_REGION void deviate(std::size_t accepted, const Reals& squares, Reals& numbers) {
  for (std::size_t i = 0; i < accepted; ++i) {
    const double factor = std::sqrt(-2 * std::log(squares[i]) / squares[i]);
    numbers[2 * i] *= factor;
    numbers[2 * i + 1] *= factor;
  }
}

CORPUS_REGION void annuli(std::size_t accepted, const Reals& numbers, Counts& counts) {
  for (std::size_t i = 0; i < accepted; ++i) {
    const double radius = std::fmax(std::fabs(numbers[2 * i]), std::fabs(numbers[2 * i + 1]));
    ++counts[static_cast<std::size_t>(radius)];
  }
}

struct Moments {
  double x, y, square;
};

CORPUS_REGION Moments moments(std::size_t accepted, const Reals& numbers) {
  Moments m{};
  for (std::size_t i = 0; i < accepted; ++i) {
    m.x += numbers[2 * i];
    m.y += numbers[2 * i + 1];
    m.square += numbers[2 * i] * numbers[2 * i] + numbers[2 * i + 1] * numbers[2 * i + 1];
  }
  return m;
}

CORPUS_REGION double absolute_deviation(std::size_t accepted, const Reals& numbers, double mean) {
  double sum = 0;
  for (std::size_t i = 0; i < 2 * accepted; ++i) sum += std::fabs(numbers[i] - mean);
  return sum / static_cast<double>(2 * accepted);
}

struct Total {
  double x = 0, y = 0, square = 0, deviation = 0;
  std::uint64_t pairs = 0, counted = 0;
};

Total batch(std::uint64_t seed, Reals& numbers, Reals& squares) {
  Counts counts{};
  uniform(seed | 1, numbers);
  const std::size_t accepted = accept(numbers, squares);
  deviate(accepted, squares, numbers);
  annuli(accepted, numbers, counts);
  const Moments m = moments(accepted, numbers);
  const double mean = (m.x + m.y) / static_cast<double>(2 * accepted);
  Total total{m.x, m.y, m.square, absolute_deviation(accepted, numbers, mean), accepted, 0};
  for (const std::uint64_t count : counts) total.counted += count;
  return total;
}

corpus::Answer ep(const corpus::Input& input) {
  const std::size_t pairs = input.pick<std::size_t>(14'000, 22'000);
  constexpr std::size_t batches = 12;
  double square = 0, deviation = 0;
  std::uint64_t accepted = 0, counted = 0;
  std::vector<Reals> numbers(batches, Reals(2 * pairs)), squares(batches, Reals(pairs));
#pragma omp parallel for reduction(+ : square, deviation, accepted, counted)
  for (std::size_t b = 0; b < batches; ++b) {
    const Total total = batch(corpus::random_bits(input.seed, b) >> 18, numbers[b], squares[b]);
    square += total.square;
    deviation += total.deviation;
    accepted += total.pairs;
    counted += total.counted;
  }
  const double variance = square / static_cast<double>(2 * accepted);
  return {variance + deviation, counted == accepted && std::fabs(variance - 1) < 0.05};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, ep); }
