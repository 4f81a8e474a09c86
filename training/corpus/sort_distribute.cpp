// Sorting without (or with few) comparisons, all lanes on one array: least-significant-digit radix sort, counting sort
// of records, sample sort, bitonic merging of sorted runs. Source: Knuth, The Art of Computer Programming 3, section
// 5.2.5; Blelloch et al., SPAA 1991 (radix and sample sort, bitonic sort on the CM-2).
#include <omp.h>

#include <algorithm>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Key = std::uint32_t;
using Keys = std::vector<Key>;
constexpr std::size_t digits = 256;
constexpr std::size_t blocks = 48;  ///< pieces of the array with a histogram each, for any number of lanes

struct Record {
  std::uint16_t group;
  std::uint16_t weight;
  float payload[5];
};

CORPUS_REGION void fill(Keys& keys, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull + seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    keys[i] = static_cast<Key>(z ^ (z >> 27));
  }
}

CORPUS_REGION void count_digits(const Keys& keys, int shift, std::vector<std::size_t>& histogram) {
  const std::size_t length = (keys.size() + blocks - 1) / blocks;
#pragma omp parallel for
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t* const counts = histogram.data() + block * digits;
    std::fill_n(counts, digits, std::size_t{0});
    for (std::size_t i = block * length; i < std::min((block + 1) * length, keys.size()); ++i)
      ++counts[keys[i] >> shift & (digits - 1)];
  }
}

/// Digit after digit, block after block.
CORPUS_REGION void sum_up(std::vector<std::size_t>& histogram) {
  std::size_t sum = 0;
  for (std::size_t digit = 0; digit < digits; ++digit)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t count = histogram[block * digits + digit];
      histogram[block * digits + digit] = sum;
      sum += count;
    }
}

CORPUS_REGION void scatter(const Keys& keys, int shift, std::vector<std::size_t>& histogram, Keys& out) {
  const std::size_t length = (keys.size() + blocks - 1) / blocks;
#pragma omp parallel for
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t* const next = histogram.data() + block * digits;
    for (std::size_t i = block * length; i < std::min((block + 1) * length, keys.size()); ++i)
      out[next[keys[i] >> shift & (digits - 1)]++] = keys[i];
  }
}

void radix_sort(Keys& keys, Keys& other) {
  std::vector<std::size_t> histogram(blocks * digits);
  for (int shift = 0; shift < 32; shift += 8) {
    count_digits(keys, shift, histogram);
    sum_up(histogram);
    scatter(keys, shift, histogram, other);
    keys.swap(other);
  }
}

CORPUS_REGION void make_records(std::vector<Record>& records, const Keys& keys) {
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {
        static_cast<std::uint16_t>(keys[i] % 3000), static_cast<std::uint16_t>(keys[i] >> 20), {1, 2, 3, 4, 5}};
}

CORPUS_REGION void counting_sort(const std::vector<Record>& records, std::vector<Record>& out) {
  std::vector<std::uint32_t> begin(65537);
  for (const Record& record : records) ++begin[record.group + 1u];
  for (std::size_t group = 0; group < 65536; ++group) begin[group + 1] += begin[group];
  for (const Record& record : records) out[begin[record.group]++] = record;
}

CORPUS_REGION void find_buckets(const Keys& keys, const Keys& splitters, std::vector<std::uint8_t>& bucket) {
#pragma omp parallel for
  for (std::size_t i = 0; i < keys.size(); ++i)
    bucket[i] =
        static_cast<std::uint8_t>(std::upper_bound(splitters.begin(), splitters.end(), keys[i]) - splitters.begin());
}

/// Every lane collects the buckets that are its own from the whole array, then sorts them.
CORPUS_REGION void collect_and_sort(const Keys& keys, const std::vector<std::uint8_t>& bucket,
                                    const std::vector<std::size_t>& begin, Keys& out) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t b = 0; b < begin.size() - 1; ++b) {
    std::size_t place = begin[b];
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (bucket[i] == b) out[place++] = keys[i];
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin[b]), out.begin() + static_cast<std::ptrdiff_t>(place));
  }
}

void sample_sort(const Keys& keys, Keys& out) {
  constexpr std::size_t buckets = 12;
  Keys sample;
  for (std::size_t i = 0; i < keys.size(); i += 499) sample.push_back(keys[i]);
  std::sort(sample.begin(), sample.end());
  Keys splitters;
  for (std::size_t b = 1; b < buckets; ++b) splitters.push_back(sample[b * sample.size() / buckets]);
  std::vector<std::uint8_t> bucket(keys.size());
  find_buckets(keys, splitters, bucket);
  std::vector<std::size_t> begin(buckets + 1);
  for (const std::uint8_t b : bucket) ++begin[b + 1u];
  for (std::size_t b = 0; b < buckets; ++b) begin[b + 1] += begin[b];
  collect_and_sort(keys, bucket, begin, out);
}

/// Runs that ascend and descend in turn: where the network of bitonic merges begins.
CORPUS_REGION void sort_runs(Keys& keys, std::size_t run) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t start = 0; start < keys.size(); start += run) {
    const auto first = keys.begin() + static_cast<std::ptrdiff_t>(start),
               last = first + static_cast<std::ptrdiff_t>(run);
    std::sort(first, last);
    if (start & run) std::reverse(first, last);
  }
}

/// Compares keys at a fixed distance: strided pairs, no data dependence in the addresses.
CORPUS_REGION void bitonic_step(Keys& keys, std::size_t block, std::size_t distance) {
  Key* const data = keys.data();
#pragma omp parallel for
  for (std::size_t pair = 0; pair < keys.size() / 2; ++pair) {
    const std::size_t low = pair / distance * 2 * distance + pair % distance, high = low + distance;
    const Key small = std::min(data[low], data[high]), large = std::max(data[low], data[high]);
    const bool up = (low & block) == 0;
    data[low] = up ? small : large;
    data[high] = up ? large : small;
  }
}

/// keys.size() and run are powers of two.
void bitonic_sort(Keys& keys, std::size_t run) {
  sort_runs(keys, run);
  for (std::size_t block = 2 * run; block <= keys.size(); block *= 2)
    for (std::size_t distance = block / 2; distance > 0; distance /= 2) bitonic_step(keys, block, distance);
}

CORPUS_REGION bool ascending(const Keys& keys) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 1; i < keys.size(); ++i) wrong += keys[i - 1] > keys[i];
  return wrong == 0;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(300'000, 450'000);
  Keys keys(count), other(count), sorted(count);
  fill(keys, input.seed);
  std::vector<Record> records(count / 6), by_group(count / 6);
  make_records(records, keys);
  counting_sort(records, by_group);
  sample_sort(keys, sorted);
  Keys few(keys.begin(), keys.begin() + (input.train ? 1 << 17 : 1 << 16));
  radix_sort(keys, other);
  bool correct = keys == sorted && ascending(sorted);
  bitonic_sort(few, few.size() / 8);
  correct = correct && ascending(keys) && ascending(few);
  double sum = few[few.size() / 2];
  for (std::size_t i = 0; i < by_group.size(); i += 1000) sum += by_group[i].weight;
  return {.checksum = sum + sorted[count / 3], .right = correct};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
