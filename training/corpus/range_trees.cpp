// Trees in arrays, each lane its own: a Fenwick tree, a segment tree with smallest values, a heap as queue of events, a
// disjoint-set forest, and a table of smallest values of ranges.
// Source: Fenwick, Software: Practice and Experience 24, 1994; Tarjan, JACM 22, 1975; Bender and Farach-Colton, LATIN
// 2000.
#include <algorithm>
#include <functional>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr int problems = 12;

struct Problem {
  std::vector<std::int64_t> fenwick;
  std::vector<std::int32_t> values, least;
  std::vector<std::uint32_t> parent, question;
  std::vector<std::uint64_t> events;
};

CORPUS_REGION void fill(Problem& p, corpus::Random random) {
  for (std::size_t i = 0; i < p.values.size(); ++i) p.values[i] = static_cast<std::int32_t>(random.below(1 << 30));
  for (std::uint32_t& question : p.question) question = random.below(p.values.size());
}

CORPUS_REGION void add_values(Problem& p) {
  for (std::size_t k = 0; k < p.question.size(); ++k)
    for (std::size_t i = p.question[k] + 1u; i < p.fenwick.size(); i += i & -i)
      p.fenwick[i] += static_cast<std::int64_t>(k);
}

CORPUS_REGION std::int64_t prefix_sums(const Problem& p) {
  std::int64_t sum = 0;
  for (const std::uint32_t question : p.question)
    for (std::size_t i = question + 1u; i > 0; i -= i & -i) sum += p.fenwick[i];
  return sum;
}

/// Leaves from the middle of the array on.
CORPUS_REGION void build_least(Problem& p) {
  const std::size_t count = p.values.size();
  std::copy(p.values.begin(), p.values.end(), p.least.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = count; i-- > 1;) p.least[i] = std::min(p.least[2 * i], p.least[2 * i + 1]);
}

std::int32_t least_between(const Problem& p, std::size_t low, std::size_t high) {
  std::int32_t least = p.values[low];
  for (low += p.values.size(), high += p.values.size(); low < high; low /= 2, high /= 2) {
    if (low % 2 == 1) least = std::min(least, p.least[low++]);
    if (high % 2 == 1) least = std::min(least, p.least[--high]);
  }
  return least;
}

CORPUS_REGION std::int64_t ask_least(const Problem& p) {
  std::int64_t sum = 0;
  for (std::size_t k = 1; k < p.question.size(); ++k) {
    const auto [low, high] = std::minmax(p.question[k - 1], p.question[k]);
    sum += least_between(p, low, high + 1u);
  }
  return sum;
}

CORPUS_REGION void change_values(Problem& p) {
  for (std::size_t i = 0; i < p.question.size(); i += 3) {
    std::size_t at = p.question[i];
    p.values[at] = static_cast<std::int32_t>(i);
    at += p.values.size();
    p.least[at] = static_cast<std::int32_t>(i);
    for (at /= 2; at > 0; at /= 2) p.least[at] = std::min(p.least[2 * at], p.least[2 * at + 1]);
  }
}

/// The event that is due next is put back with a later time: a queue of constant length.
CORPUS_REGION std::uint64_t run_events(std::vector<std::uint64_t>& heap, std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    const std::uint64_t next = heap[0] + 1 + (heap[0] * 0x9e3779b97f4a7c15ull >> 40);
    std::size_t hole = 0;
    for (std::size_t child = 1; child < heap.size(); child = 2 * hole + 1) {
      if (child + 1 < heap.size() && heap[child + 1] < heap[child]) ++child;
      if (heap[child] >= next) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = next;
  }
  return heap[0];
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t node) {
  for (; parent[node] != node; node = parent[node]) parent[node] = parent[parent[node]];
  return node;
}

CORPUS_REGION std::size_t unite(std::vector<std::uint32_t>& parent, const std::vector<std::uint32_t>& pairs) {
  std::size_t sets = parent.size();
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<std::uint32_t>(i);
  for (std::size_t k = 1; k < pairs.size(); ++k) {
    const std::uint32_t a = root_of(parent, pairs[k - 1] / 2 * 2), b = root_of(parent, pairs[k] | 1);
    sets -= a != b;
    parent[std::max(a, b)] = std::min(a, b);
  }
  return sets;
}

/// least[level][i]: of 2^level values from i on. Passes at growing distances.
CORPUS_REGION std::int64_t sparse_table(const Problem& p, std::vector<std::int32_t>& table) {
  const std::size_t count = p.values.size();
  std::copy(p.values.begin(), p.values.end(), table.begin());
  int level = 1;
  for (std::size_t width = 1; level < 6; ++level, width *= 2)
    for (std::size_t i = 0; i + width < count; ++i)
      table[static_cast<std::size_t>(level) * count + i] =
          std::min(table[static_cast<std::size_t>(level - 1) * count + i],
                   table[static_cast<std::size_t>(level - 1) * count + i + width]);
  std::int64_t sum = 0;
  for (const std::uint32_t at : p.question) sum += table[5 * count + std::min<std::size_t>(at, count - 32)];
  return sum;
}

CORPUS_REGION std::int64_t direct_least(const Problem& p) {
  std::int64_t sum = 0;
  for (const std::uint32_t question : p.question) {
    const std::size_t at = std::min<std::size_t>(question, p.values.size() - 32);
    sum += *std::min_element(p.values.begin() + static_cast<std::ptrdiff_t>(at),
                             p.values.begin() + static_cast<std::ptrdiff_t>(at + 32));
  }
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(16'384, 28'000), questions = input.pick<std::size_t>(4'000, 6'000);
  std::vector<Problem> all(problems);
  for (int i = 0; i < problems; ++i) {
    Problem& p = all[i];
    p = {std::vector<std::int64_t>(count + 1),  std::vector<std::int32_t>(count),
         std::vector<std::int32_t>(2 * count),  std::vector<std::uint32_t>(count),
         std::vector<std::uint32_t>(questions), std::vector<std::uint64_t>(count)};
    fill(p, corpus::Random(input.seed + static_cast<std::uint64_t>(i)));
    for (std::size_t k = 0; k < count; ++k) p.events[k] = k * 1000;
  }
  double sum = 0;
  int wrong = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum, wrong)
  for (int i = 0; i < problems; ++i) {
    Problem& p = all[i];
    add_values(p);
    build_least(p);
    sum += static_cast<double>(prefix_sums(p) + ask_least(p));
    change_values(p);
    sum += static_cast<double>(run_events(p.events, questions / 2)) + static_cast<double>(unite(p.parent, p.question));
  }
  std::vector<std::int32_t> table(6 * count);
  const std::int64_t by_table = sparse_table(all[0], table);
  wrong += by_table != direct_least(all[0]);
  return {.checksum = sum + static_cast<double>(by_table), .right = wrong == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
