// Two tables joined and grouped: partitioned hash join, sort-merge join, hash group-by with atomic sums, group-by with
// tables of the lanes, removal of duplicates.
// Source: Balkesen, Teubner, Alonso, Oezsu, ICDE 2013; Kim et al., VLDB 2009.
#include <algorithm>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

struct Row {
  std::uint32_t key;
  std::uint32_t value;
};

using Table = std::vector<Row>;
constexpr std::size_t partitions = 64;

CORPUS_REGION void make_unique(Table& table, corpus::Random& random) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = {static_cast<std::uint32_t>(i), random.below(1000)};
  for (std::size_t i = table.size(); i > 1; --i) std::swap(table[i - 1], table[random.below(i)]);
}

/// Foreign keys: some are asked for much more often than others.
CORPUS_REGION void make_foreign(Table& table, std::size_t keys, corpus::Random& random) {
  for (Row& row : table) {
    const double u = random.unit();
    row = {static_cast<std::uint32_t>(u * u * static_cast<double>(keys)), random.below(100)};
  }
}

CORPUS_REGION std::vector<std::size_t> partition_bounds(const Table& table) {
  std::vector<std::size_t> bounds(partitions + 1);
  for (const Row& row : table) ++bounds[row.key % partitions + 1];
  std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
  return bounds;
}

CORPUS_REGION void partition(const Table& table, const std::vector<std::size_t>& bounds, Table& out) {
  std::size_t next[partitions];
  std::copy_n(bounds.begin(), partitions, next);
  for (const Row& row : table) out[next[row.key % partitions]++] = row;
}

/// A small table of the build side of each partition, then the probe side is streamed through it.
CORPUS_REGION std::uint64_t join_partitions(const Table& build, const std::vector<std::size_t>& build_at,
                                            const Table& probe, const std::vector<std::size_t>& probe_at) {
  std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    Table slots;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t p = 0; p < partitions; ++p) {
      std::size_t size = 16;
      while (size < 2 * (build_at[p + 1] - build_at[p])) size *= 2;
      slots.assign(size, {~0u, 0});
      for (std::size_t i = build_at[p]; i < build_at[p + 1]; ++i) {
        std::size_t slot = build[i].key / partitions & (size - 1);
        while (slots[slot].key != ~0u) slot = (slot + 1) & (size - 1);
        slots[slot] = build[i];
      }
      for (std::size_t i = probe_at[p]; i < probe_at[p + 1]; ++i) {
        std::size_t slot = probe[i].key / partitions & (size - 1);
        while (slots[slot].key != probe[i].key && slots[slot].key != ~0u) slot = (slot + 1) & (size - 1);
        if (slots[slot].key == probe[i].key) sum += std::uint64_t{slots[slot].value} * probe[i].value;
      }
    }
  }
  return sum;
}

CORPUS_REGION std::uint64_t join_merge(const Table& left, const Table& right) {
  std::uint64_t sum = 0;
  std::size_t l = 0;
  for (const Row& row : right) {
    while (l < left.size() && left[l].key < row.key) ++l;
    if (l < left.size() && left[l].key == row.key) sum += std::uint64_t{left[l].value} * row.value;
  }
  return sum;
}

/// Sums for each key, added to by all lanes at random places.
CORPUS_REGION void group_atomic(const Table& table, std::vector<std::uint64_t>& sums) {
#pragma omp parallel for
  for (std::size_t i = 0; i < table.size(); ++i) {
#pragma omp atomic
    sums[table[i].key] += table[i].value;
  }
}

/// The sort is by key, then by value: equal rows become neighbours.
CORPUS_REGION void sort_rows(Table& table) {
  std::sort(table.begin(), table.end(),
            [](const Row& a, const Row& b) { return a.key != b.key ? a.key < b.key : a.value < b.value; });
}

CORPUS_REGION std::uint64_t group_sorted(const Table& table, std::vector<std::uint64_t>& sums) {
  std::uint64_t groups = 0;
  for (std::size_t i = 0; i < table.size(); ++groups) {
    const std::uint32_t key = table[i].key;
    std::uint64_t sum = 0;
    for (; i < table.size() && table[i].key == key; ++i) sum += table[i].value;
    sums[key] = sum;
  }
  return groups;
}

CORPUS_REGION std::size_t remove_duplicates(const Table& table, Table& out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (i == 0 || table[i].key != table[i - 1].key || table[i].value != table[i - 1].value) out[count++] = table[i];
  return count;
}

/// A nested index: value of the unique row that each foreign key names, by its place.
CORPUS_REGION std::uint64_t index_join(const Table& unique, const std::vector<std::uint32_t>& place,
                                       const Table& foreign) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < foreign.size(); ++i)
    sum += std::uint64_t{unique[place[foreign[i].key]].value} * foreign[i].value;
  return sum;
}

CORPUS_REGION std::vector<std::uint32_t> make_index(const Table& unique) {
  std::vector<std::uint32_t> place(unique.size());
  for (std::size_t i = 0; i < unique.size(); ++i) place[unique[i].key] = static_cast<std::uint32_t>(i);
  return place;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  Table unique(input.pick<std::size_t>(60'000, 100'000)), foreign(input.pick<std::size_t>(100'000, 180'000));
  make_unique(unique, random);
  make_foreign(foreign, unique.size(), random);
  const std::uint64_t by_index = index_join(unique, make_index(unique), foreign);
  Table build(unique.size()), probe(foreign.size());
  const auto build_at = partition_bounds(unique), probe_at = partition_bounds(foreign);
  partition(unique, build_at, build);
  partition(foreign, probe_at, probe);
  const std::uint64_t by_hash = join_partitions(build, build_at, probe, probe_at);
  std::vector<std::uint64_t> sums(unique.size()), sorted_sums(unique.size());
  group_atomic(foreign, sums);
  sort_rows(unique);
  sort_rows(foreign);
  const std::uint64_t by_merge = join_merge(unique, foreign);
  const std::uint64_t groups = group_sorted(foreign, sorted_sums);
  const std::size_t different = remove_duplicates(foreign, probe);
  return {.checksum = static_cast<double>(by_merge + groups + different),
          .right = by_hash == by_index && by_merge == by_index && sums == sorted_sums};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
