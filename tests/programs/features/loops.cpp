#include <algorithm>
#include <climits>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "features.h"

namespace {

constexpr int n = 20'000;

bool schedules() {
  std::vector<int> values(n);
  int* const v = values.data();
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; ++i) v[i] += 1;
#pragma omp for schedule(static, 7)
    for (int i = 0; i < n; ++i) v[i] += 2;
#pragma omp for schedule(dynamic, 100)
    for (int i = 0; i < n; ++i) v[i] += 4;
#pragma omp for schedule(guided)
    for (int i = n; i > 0; --i) v[i - 1] += 8;
#pragma omp for schedule(auto) nowait
    for (int i = 0; i < n; i += 2) v[i] += 16;
#pragma omp for schedule(monotonic : dynamic, 64)
    for (int i = 1; i < n; i += 2) v[i] += 16;
  }
  return std::ranges::all_of(values, [](int value) { return value == 31; });
}

bool unsigned_and_long_loops() {
  std::uint64_t a = 0, b = 0;
#pragma omp parallel for schedule(dynamic, 1000) reduction(+ : a)
  for (std::uint32_t i = UINT_MAX - n; i < UINT_MAX; ++i) a += i & 1;
#pragma omp parallel for schedule(guided) reduction(+ : b)
  for (std::int64_t i = INT64_C(1) << 40; i < (INT64_C(1) << 40) + n; ++i) b += i & 1;
  return a == n / 2 && b == n / 2;
}

bool collapsed() {
  std::vector<int> values(60 * 50 * 7);
#pragma omp parallel for collapse(3) schedule(dynamic, 11)
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 50; ++j)
      for (int k = 0; k < 7; ++k) values[static_cast<std::size_t>((i * 50 + j) * 7 + k)] += i * j + k;
  std::int64_t expected = 0;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 50; ++j)
      for (int k = 0; k < 7; ++k) expected += i * j + k;
  return std::accumulate(values.begin(), values.end(), std::int64_t{0}) == expected;
}

bool reductions() {
  int sum = 0, smallest = INT_MAX, largest = INT_MIN;
  unsigned bits = 0, ones = ~0u, odd = 0;
  bool all = true, any = false;
#pragma omp parallel for reduction(+ : sum) reduction(min : smallest) reduction(max : largest) reduction(| : bits) \
    reduction(& : ones) reduction(^ : odd) reduction(&& : all) reduction(|| : any)
  for (int i = 1; i <= n; ++i) {
    sum += i % 10;
    smallest = std::min(smallest, (i * 37) % 1009);
    largest = std::max(largest, (i * 37) % 1009);
    bits |= 1u << (i % 20);
    ones &= ~(1u << (i % 20));
    odd ^= static_cast<unsigned>(i);
    all = all && i > 0;
    any = any || i == 777;
  }
  unsigned expected_odd = 0;
  for (unsigned i = 1; i <= n; ++i) expected_odd ^= i;
  return sum == n / 10 * 45 && smallest == 0 && largest == 1008 && bits == (1u << 20) - 1 &&
         ones == ~((1u << 20) - 1) && odd == expected_odd && all && any;
}

struct Extremes {
  int low = INT_MAX, low_at = -1, high = INT_MIN, high_at = -1;
  void add(int value, int at) {
    if (value < low || (value == low && at < low_at)) low = value, low_at = at;
    if (value > high || (value == high && at < high_at)) high = value, high_at = at;
  }
  void add(const Extremes& other) {
    if (other.low_at >= 0) add(other.low, other.low_at);
    if (other.high_at >= 0) add(other.high, other.high_at);
  }
};
#pragma omp declare reduction(join:Extremes : omp_out.add(omp_in)) initializer(omp_priv = Extremes{})

bool own_reduction() {
  const auto value = [](int i) { return static_cast<int>((i * 7919u) % 4099u); };
  Extremes found, expected;
#pragma omp parallel for reduction(join : found) schedule(dynamic, 333)
  for (int i = 0; i < n; ++i) found.add(value(i), i);
  for (int i = 0; i < n; ++i) expected.add(value(i), i);
  return found.low_at == expected.low_at && found.high_at == expected.high_at && found.low == expected.low;
}

bool scan() {
  std::vector<int> sums(n);
  int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += i % 7;
#pragma omp scan inclusive(sum)
    sums[static_cast<std::size_t>(i)] = sum;
  }
  int expected = 0;
  for (int i = 0; i < n; ++i)
    if (sums[static_cast<std::size_t>(i)] != (expected += i % 7)) return false;
  return true;
}

#pragma omp declare simd uniform(scale) notinbranch
float scaled(float value, float scale) { return value * scale + 1; }

bool simd() {
  std::vector<float> values(n, 2), results(n);
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    results[static_cast<std::size_t>(i)] = scaled(values[static_cast<std::size_t>(i)], 3);
    sum += 1;
  }
#pragma omp simd safelen(8)
  for (int i = 8; i < n; ++i) results[static_cast<std::size_t>(i)] += results[static_cast<std::size_t>(i - 8)];
  return sum == n && results[0] == 7 && results[16] == 21 && results[n - 1] == 7 * (n / 8);
}

int plain_variant(int x) { return x + 1; }
[[maybe_unused]] int parallel_variant(int x) { return x + 100; }
#pragma omp declare variant(parallel_variant) match(construct = {parallel})
int variant(int x) { return plain_variant(x); }

bool variants() {
  int inside = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
  inside = variant(1);
  return variant(1) == 2 && inside == 101;
}

bool last_values() {
  int last = -1, first = 5, seen = 0;
#pragma omp parallel for lastprivate(last) firstprivate(first) reduction(+ : seen) schedule(static, 10)
  for (int i = 0; i < n; ++i) {
    last = i;
    seen += first;
  }
  return last == n - 1 && seen == 5 * n;
}

constexpr Feature features[] = {{"schedules", schedules},
                                {"unsigned and long loops", unsigned_and_long_loops},
                                {"collapse", collapsed},
                                {"reductions", reductions},
                                {"declare reduction", own_reduction},
                                {"scan", scan},
                                {"simd", simd},
                                {"declare variant", variants},
                                {"lastprivate", last_values}};

}  // namespace

FeatureList loop_features() { return {features, std::size(features)}; }
