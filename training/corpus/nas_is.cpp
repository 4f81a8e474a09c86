// Ranking of integer keys by counting: the kernel IS of the NAS Parallel Benchmarks (Bailey et al., NASA RNR-94-007,
// section 2.7), with buckets first, so that the counters of a bucket fit a cache, and once without buckets.
#include <omp.h>

#include <algorithm>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

using Key = std::uint32_t;
using Keys = std::vector<Key>;

constexpr unsigned key_bits = 18, bucket_bits = 8;
constexpr std::size_t buckets = 1 << bucket_bits;

/// Keys are the means of four uniform numbers, so nearly normal.
CORPUS_REGION void make_keys(Keys& keys, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t bits = corpus::random_bits(seed, i);
    const std::uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    keys[i] = static_cast<Key>(sum & ((1 << key_bits) - 1));
  }
}

/// Where in `sorted` each thread's keys of each bucket begin.
CORPUS_REGION void scatter_to_buckets(const Keys& keys, Keys& sorted, std::vector<std::size_t>& begins) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(omp_get_max_threads()) * buckets);
#pragma omp parallel
  {
    std::size_t* mine = &counts[static_cast<std::size_t>(omp_get_thread_num()) * buckets];
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < keys.size(); ++i) ++mine[keys[i] >> (key_bits - bucket_bits)];
#pragma omp single
    {
      std::size_t sum = 0;
      for (std::size_t b = 0; b < buckets; ++b) {
        begins[b] = sum;
        for (std::size_t t = b; t < counts.size(); t += buckets) {
          const std::size_t count = counts[t];
          counts[t] = sum;
          sum += count;
        }
      }
      begins[buckets] = sum;
    }
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < keys.size(); ++i) sorted[mine[keys[i] >> (key_bits - bucket_bits)]++] = keys[i];
  }
}

/// ranks[k] becomes how many keys are smaller than k.
CORPUS_REGION void rank_buckets(const Keys& sorted, const std::vector<std::size_t>& begins, Keys& ranks) {
  constexpr std::size_t width = 1 << (key_bits - bucket_bits);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t b = 0; b < buckets; ++b) {
    Key* count = &ranks[b * width];
    std::fill(count, count + width, 0u);
    for (std::size_t i = begins[b]; i < begins[b + 1]; ++i) ++count[sorted[i] - b * width];
    Key before = static_cast<Key>(begins[b]);
    for (std::size_t k = 0; k < width; ++k) before += std::exchange(count[k], before);
  }
}

/// Without buckets: increments all over the counters.
CORPUS_REGION void count_all(const Keys& keys, Keys& counts) {
  for (const Key key : keys) ++counts[key];
}

CORPUS_REGION void sum_up(Keys& counts) {
  Key before = 0;
  for (Key& count : counts) before += std::exchange(count, before);
}

CORPUS_REGION void place(const Keys& keys, Keys& next, Keys& output) {
  for (std::size_t i = 0; i < keys.size(); ++i) output[next[keys[i]]++] = keys[i];
}

CORPUS_REGION std::size_t differences(const Keys& a, const Keys& b) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

CORPUS_REGION std::size_t descents(const Keys& keys) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i] < keys[i - 1]) ++count;
  }
  return count;
}

/// The place of each key, in its own order: a gather.
CORPUS_REGION double weigh(const Keys& keys, const Keys& ranks) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < keys.size(); ++i) sum += static_cast<double>(ranks[keys[i]]) * static_cast<double>(i % 7);
  return sum;
}

corpus::Answer is(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(300'000, 500'000);
  Keys keys(n), sorted(n), ranks(1 << key_bits), counts(1 << key_bits);
  std::vector<std::size_t> begins(buckets + 1);
  make_keys(keys, input.seed);
  scatter_to_buckets(keys, sorted, begins);
  rank_buckets(sorted, begins, ranks);
  const double sum = weigh(keys, ranks);
  count_all(keys, counts);
  sum_up(counts);
  const bool same = differences(counts, ranks) == 0;
  place(keys, counts, sorted);
  return {sum, same && descents(sorted) == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, is); }
