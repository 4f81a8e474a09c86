// Prices of options: Black and Scholes' formula for a portfolio, Monte Carlo paths (stored by date), Longstaff and
// Schwartz's regression for early exercise, binomial trees, an implicit scheme on a grid of prices and variances.
// Source: Hull, Options, Futures, and Other Derivatives, chapters 13, 15, 21; Longstaff, Schwartz, Rev. Fin. Studies
// 14, 2001.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

struct Portfolio {
  std::vector<float> spot, strike, years, volatility, call, put;
};

constexpr float rate = 0.03f;

CORPUS_REGION void make_portfolio(Portfolio& p, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.spot.size(); ++i) {
    p.spot[i] = 50 + 100 * static_cast<float>(corpus::random_real(seed, 4 * i));
    p.strike[i] = 50 + 100 * static_cast<float>(corpus::random_real(seed, 4 * i + 1));
    p.years[i] = 0.1f + 2 * static_cast<float>(corpus::random_real(seed, 4 * i + 2));
    p.volatility[i] = 0.1f + 0.5f * static_cast<float>(corpus::random_real(seed, 4 * i + 3));
  }
}

/// Abramowitz and Stegun, 26.2.17.
float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(x));
  const float series =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * std::exp(-0.5f * x * x) * series;
  return x > 0 ? 1 - tail : tail;
}

CORPUS_REGION void price_portfolio(Portfolio& p) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.spot.size(); ++i) {
    const float spread = p.volatility[i] * std::sqrt(p.years[i]), discount = std::exp(-rate * p.years[i]);
    const float d1 = (std::log(p.spot[i] / p.strike[i]) + rate * p.years[i]) / spread + spread / 2;
    p.call[i] = p.spot[i] * normal(d1) - p.strike[i] * discount * normal(d1 - spread);
    p.put[i] = p.strike[i] * discount * normal(spread - d1) - p.spot[i] * normal(-d1);
  }
}

/// The largest violation of call - put = spot - discounted strike.
CORPUS_REGION float parity(const Portfolio& p) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < p.spot.size(); ++i) {
    const float value = p.spot[i] - p.strike[i] * (1 - rate * p.years[i] * (1 - rate * p.years[i] / 2));
    most = std::max(most, std::fabs(p.call[i] - p.put[i] - value));
  }
  return most;
}

/// path[date][number]: every date reads the one before.
CORPUS_REGION void walk(std::vector<float>& path, std::size_t dates, std::uint64_t seed) {
  const std::size_t paths = path.size() / dates;
  std::fill_n(path.begin(), paths, 100.0f);
  for (std::size_t date = 1; date < dates; ++date) {
#pragma omp parallel for
    for (std::size_t i = 0; i < paths; ++i) {
      // Four uniform numbers of 16 bits make one that is nearly normal.
      const std::uint64_t bits = corpus::random_bits(seed, date * paths + i);
      const auto sum = static_cast<float>((bits & 65535) + (bits >> 16 & 65535) + (bits >> 32 & 65535) + (bits >> 48));
      const float step = 0.06f * (sum * (1 / 65536.0f) - 2) * 1.7320508f;
      path[date * paths + i] = path[(date - 1) * paths + i] * (1.0005f + step + 0.5f * step * step);
    }
  }
}

/// What holding is worth, by a parabola fitted to the paths that are in the money; from the last date to the first.
CORPUS_REGION double exercise_early(const std::vector<float>& path, std::size_t dates, std::vector<float>& cash) {
  const std::size_t paths = cash.size();
  for (std::size_t i = 0; i < paths; ++i) cash[i] = std::max(100 - path[(dates - 1) * paths + i], 0.0f);
  for (std::size_t date = dates - 1; date-- > 1;) {
    const float* const spot = path.data() + date * paths;
    double m0 = 0, m1 = 0, m2 = 0, b0 = 0, b1 = 0;
#pragma omp parallel for reduction(+ : m0, m1, m2, b0, b1)
    for (std::size_t i = 0; i < paths; ++i) {
      if (spot[i] >= 100) continue;
      const double x = static_cast<double>(100 - spot[i]);
      m0 += 1, m1 += x, m2 += x * x;
      b0 += static_cast<double>(cash[i]), b1 += x * static_cast<double>(cash[i]);
    }
    const double slope = (m0 * b1 - m1 * b0) / (m0 * m2 - m1 * m1 + 1e-9), base = (b0 - slope * m1) / (m0 + 1e-9);
#pragma omp parallel for
    for (std::size_t i = 0; i < paths; ++i) {
      const float now = 100 - spot[i];
      if (now > 0 && static_cast<double>(now) > base + slope * static_cast<double>(now)) cash[i] = now;
    }
  }
  double sum = 0;
  for (const float value : cash) sum += static_cast<double>(value);
  return sum / static_cast<double>(paths);
}

/// Each option a tree of its own, small enough for a cache, with two passes forward and back.
CORPUS_REGION double price_trees(const Portfolio& p, std::size_t step, int levels) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<float> value(static_cast<std::size_t>(levels) + 1);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t i = 0; i < p.spot.size(); i += step) {
      const float dt = p.years[i] / static_cast<float>(levels), up = std::exp(p.volatility[i] * std::sqrt(dt));
      const float growth = std::exp(rate * dt), chance = (growth - 1 / up) / (up - 1 / up);
      float spot = p.spot[i] * std::pow(up, static_cast<float>(-levels));
      for (float& v : value) v = std::max(p.strike[i] - spot, 0.0f), spot *= up * up;
      for (int level = levels; level > 0; --level)
        for (int k = 0; k < level; ++k)
          value[static_cast<std::size_t>(k)] =
              (chance * value[static_cast<std::size_t>(k) + 1] + (1 - chance) * value[static_cast<std::size_t>(k)]) /
              growth;
      sum += static_cast<double>(value[0]);
    }
  }
  return sum;
}

/// An implicit step in one direction of the grid: a tridiagonal system along each line, lines next to each other.
CORPUS_REGION void implicit_step(std::vector<double>& grid, std::vector<double>& upper, std::size_t side) {
#pragma omp parallel for
  for (std::size_t block = 0; block < side; block += 8)
    for (std::size_t row = 1; row < side; ++row)
      for (std::size_t column = block; column < std::min(block + 8, side); ++column) {
        const double x = static_cast<double>(row) / static_cast<double>(side), off = -0.3 * x * x;
        const double pivot = 1 - 2 * off - off * upper[(row - 1) * side + column];
        upper[row * side + column] = -off / pivot;
        grid[row * side + column] = (grid[row * side + column] - off * grid[(row - 1) * side + column]) / pivot;
      }
  for (std::size_t row = side - 1; row-- > 0;)
    for (std::size_t column = 0; column < side; ++column)
      grid[row * side + column] += upper[row * side + column] * grid[(row + 1) * side + column];
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(40'000, 80'000), dates = 24;
  const std::vector<float> none(count);
  Portfolio p{none, none, none, none, none, none};
  make_portfolio(p, input.seed);
  price_portfolio(p);
  const double trees = price_trees(p, count / 60, 128);
  const std::size_t paths = input.pick<std::size_t>(14'000, 24'000);
  std::vector<float> path(dates * paths), cash(paths);
  walk(path, dates, input.seed);
  const double early = exercise_early(path, dates, cash);
  const std::size_t side = input.pick<std::size_t>(320, 480);
  std::vector<double> grid(side * side, 1.0), upper(side * side);
  implicit_step(grid, upper, side);
  return {.checksum = trees + early + grid[side * side / 2], .right = parity(p) < 0.05f && early > 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
