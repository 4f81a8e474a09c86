// A table stored by columns: scans with filters, sums by a code, dictionary encoding, prefix sums, run lengths, packed
// bits, zone maps. Source: Abadi, Boncz, Harizopoulos, The Design and Implementation of Modern Column-Oriented Database
// Systems, 2013; the question of one scan is that of TPC-H's Q6.
#include <algorithm>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

template <class T>
using Column = std::vector<T>;

struct Sales {
  Column<float> price, discount;
  Column<std::int32_t> day, shop;
  Column<std::uint8_t> amount;
};

CORPUS_REGION void fill(Sales& s, corpus::Random& random) {
  for (std::size_t i = 0; i < s.price.size(); ++i) {
    const std::uint64_t bits = random.next();
    s.price[i] = static_cast<float>(bits & 1023) * 0.25f;
    s.discount[i] = static_cast<float>(bits >> 10 & 7) * 0.01f;
    s.day[i] = static_cast<std::int32_t>(i / 128 + (bits >> 16 & 63));
    s.shop[i] = static_cast<std::int32_t>((bits >> 24 & 4095) * (bits >> 24 & 4095) % 7919 * 1000003);
    s.amount[i] = static_cast<std::uint8_t>(bits >> 40 & 63);
  }
}

/// Q6: branch by branch, columns are read as far as the filters before let rows pass.
CORPUS_REGION double revenue(const Sales& s, std::int32_t from, std::int32_t to) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < s.day.size(); ++i)
    if (s.day[i] >= from && s.day[i] < to && s.discount[i] > 0.03f && s.amount[i] < 24)
      sum += s.price[i] * s.discount[i];
  return sum;
}

/// The same without branches: everything is read, and lanes of vectors are masked.
CORPUS_REGION float revenue_masked(const Sales& s, std::int32_t from, std::int32_t to) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (std::size_t i = 0; i < s.day.size(); ++i) {
    const int in_days = int{s.day[i] >= from} & int{s.day[i] < to};
    const int in = in_days & int{s.discount[i] > 0.03f} & int{s.amount[i] < 24};
    sum += in ? s.price[i] * s.discount[i] : 0;
  }
  return sum;
}

/// Numbers of the rows that pass.
CORPUS_REGION std::size_t select_rows(const Column<float>& price, float above, Column<std::uint32_t>& rows) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < price.size(); ++i) {
    rows[count] = static_cast<std::uint32_t>(i);
    count += price[i] > above;
  }
  return count;
}

CORPUS_REGION double sum_selected(const Sales& s, const Column<std::uint32_t>& rows, std::size_t count) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t k = 0; k < count; ++k)
    sum += s.amount[rows[k]] * s.price[rows[k]] + static_cast<float>(s.day[rows[k]]);
  return sum;
}

CORPUS_REGION Column<std::int32_t> dictionary_of(const Column<std::int32_t>& values) {
  Column<std::int32_t> dictionary(values);
  std::sort(dictionary.begin(), dictionary.end());
  dictionary.erase(std::unique(dictionary.begin(), dictionary.end()), dictionary.end());
  return dictionary;
}

CORPUS_REGION void encode(const Column<std::int32_t>& values, const Column<std::int32_t>& dictionary,
                          Column<std::uint16_t>& codes) {
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i)
    codes[i] = static_cast<std::uint16_t>(std::lower_bound(dictionary.begin(), dictionary.end(), values[i]) -
                                          dictionary.begin());
}

CORPUS_REGION bool decodes(const Column<std::uint16_t>& codes, const Column<std::int32_t>& dictionary,
                           const Column<std::int32_t>& values) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (std::size_t i = 0; i < codes.size(); ++i) wrong += dictionary[codes[i]] != values[i];
  return wrong == 0;
}

struct Group {
  double price = 0;
  std::uint64_t amount = 0, rows = 0;
};

CORPUS_REGION void sum_groups(const Sales& s, const Column<std::uint16_t>& codes, std::vector<Group>& groups) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    Group& group = groups[codes[i]];
    group.price += s.price[i];
    group.amount += s.amount[i];
    ++group.rows;
  }
}

/// Two passes over blocks: sums of blocks, then each block from where the ones before end.
CORPUS_REGION void running_sums(const Column<std::uint8_t>& values, Column<std::uint32_t>& sums) {
  constexpr std::size_t block = 4096;
  Column<std::uint32_t> start(values.size() / block + 2);
#pragma omp parallel for
  for (std::size_t b = 0; b < values.size() / block + 1; ++b) {
    std::uint32_t sum = 0;
    for (std::size_t i = b * block; i < std::min((b + 1) * block, values.size()); ++i) sum += values[i];
    start[b + 1] = sum;
  }
  for (std::size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
#pragma omp parallel for
  for (std::size_t b = 0; b < values.size() / block + 1; ++b) {
    std::uint32_t sum = start[b];
    for (std::size_t i = b * block; i < std::min((b + 1) * block, values.size()); ++i) sums[i] = sum += values[i];
  }
}

/// 13 bits a value, over word boundaries.
CORPUS_REGION void pack(const Column<std::uint16_t>& codes, Column<std::uint64_t>& packed) {
  for (std::size_t i = 0, bit = 0; i < codes.size(); ++i, bit += 13) {
    packed[bit / 64] |= std::uint64_t{codes[i]} << bit % 64;
    if (bit % 64 > 51) packed[bit / 64 + 1] |= std::uint64_t{codes[i]} >> (64 - bit % 64);
  }
}

CORPUS_REGION std::uint64_t count_packed(const Column<std::uint64_t>& packed, std::size_t count, std::uint64_t below) {
  std::uint64_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bit = 13 * i;
    const std::uint64_t high = bit % 64 > 51 ? packed[bit / 64 + 1] << (64 - bit % 64) : 0;
    found += ((packed[bit / 64] >> bit % 64 | high) & 8191) < below;
  }
  return found;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t rows = input.pick<std::size_t>(150'000, 260'000);
  Sales s{Column<float>(rows), Column<float>(rows), Column<std::int32_t>(rows), Column<std::int32_t>(rows),
          Column<std::uint8_t>(rows)};
  fill(s, random);
  double sum = revenue(s, 200, 900) + revenue_masked(s, 200, 900);
  Column<std::uint32_t> numbers(rows + 1);
  const std::size_t selected = select_rows(s.price, 200, numbers);
  sum += sum_selected(s, numbers, selected);
  const Column<std::int32_t> dictionary = dictionary_of(s.shop);
  Column<std::uint16_t> codes(rows);
  encode(s.shop, dictionary, codes);
  bool correct = decodes(codes, dictionary, s.shop);
  std::vector<Group> groups(dictionary.size());
  sum_groups(s, codes, groups);
  running_sums(s.amount, numbers);
  std::uint64_t amount = 0;
  for (const Group& group : groups) amount += group.amount;
  correct = correct && amount == numbers[rows - 1];
  Column<std::uint64_t> packed(rows * 13 / 64 + 2);
  pack(codes, packed);
  const std::uint64_t low = count_packed(packed, rows, dictionary.size() / 2);
  correct =
      correct && low == static_cast<std::uint64_t>(std::count_if(
                            codes.begin(), codes.end(), [&](std::uint16_t c) { return c < dictionary.size() / 2; }));
  return {.checksum = sum + static_cast<double>(low), .right = correct};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
