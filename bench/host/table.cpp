// Tables, counters and random numbers.
#include <algorithm>
#include <cmath>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

std::size_t lower_bound(const std::uint32_t* sorted, std::size_t n, std::uint32_t key) {
  std::size_t low = 0;
  while (n > 0) {
    const std::size_t half = n / 2;
    if (sorted[low + half] < key) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

/// Looks up n / 4 random keys.
Kernel binary_search(std::size_t n) {
  std::vector<std::uint32_t> sorted = random_below(n, 1u << 31);
  std::ranges::sort(sorted);
  return [n, sorted = std::move(sorted), keys = random_below(n / 4, 1u << 31)] {
    std::size_t sum = 0;
    for (const std::uint32_t key : keys) sum += lower_bound(sorted.data(), n, key);
    return static_cast<double>(sum);
  };
}

/// 4,096 counters: 16 KiB.
Kernel histogram(std::size_t n) {
  constexpr std::size_t bins = 4096;
  return [n, values = random_below(n, bins), count = std::vector<std::uint32_t>(bins)]() mutable {
    std::ranges::fill(count, 0u);
    const std::uint32_t* const from = values.data();
    for (std::size_t i = 0; i < n; ++i) ++count[from[i]];
    return static_cast<double>(count[1]);
  };
}

std::size_t count_inside(std::size_t n) {
  std::size_t inside = 0;
#pragma omp parallel for reduction(+ : inside)
  for (std::size_t chunk = 0; chunk < n / 1000; ++chunk) {
    Random random(chunk);
    for (int i = 0; i < 1000; ++i) {
      const double x = random.unit(), y = random.unit();
      inside += x * x + y * y < 1;
    }
  }
  return inside;
}

/// Pi from n points. Nearly no memory.
Kernel monte_carlo(std::size_t n) {
  return [n] { return 4.0 * static_cast<double>(count_inside(n)) / static_cast<double>(n); };
}

/// Eratosthenes, a byte a number.
Kernel sieve(std::size_t n) {
  return [n, composite = std::vector<std::uint8_t>(n)]() mutable {
    std::ranges::fill(composite, std::uint8_t{0});
    std::uint8_t* const crossed = composite.data();
    std::size_t primes = 0;
    for (std::size_t i = 2; i < n; ++i) {
      if (crossed[i] != 0) continue;
      ++primes;
      for (std::size_t multiple = i * i; multiple < n; multiple += i) crossed[multiple] = 1;
    }
    return static_cast<double>(primes);
  };
}

constexpr std::size_t axes = 4;
constexpr std::size_t centres = 16;

std::size_t nearest(const double* point, const double* centre) {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t k = 0; k < centres; ++k) {
    double distance = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const double d = point[axis] - centre[k * axes + axis];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

void assign(std::size_t n, const double* points, const double* centre, std::uint32_t* nearest_centre) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    nearest_centre[i] = static_cast<std::uint32_t>(nearest(points + i * axes, centre));
  }
}

/// The assignment step of k-means, centres fixed.
Kernel kmeans(std::size_t n) {
  return [n, points = random_reals(n * axes), centre = random_reals(centres * axes),
          group = std::vector<std::uint32_t>(n)]() mutable {
    assign(n, points.data(), centre.data(), group.data());
    return static_cast<double>(group[n / 2]);
  };
}

constexpr Entry entries[] = {{"binary-search", binary_search, Threads::copies, 2'000'000, 2, 40'000},
                             {"histogram", histogram, Threads::copies, 8'000'000, 50, 40'000},
                             {"monte-carlo", monte_carlo, Threads::share, 30'000'000, 1, 100'000},
                             {"sieve", sieve, Threads::copies, 20'000'000, 2, 200'000},
                             {"kmeans", kmeans, Threads::share, 500'000, 8, 8'000}};

}  // namespace

std::span<const Entry> table_kernels() { return entries; }

}  // namespace host
