// Where data says: gather, scatter, pointer chase. The main object is the one that is reached so.
#include <atomic>
#include <cmath>
#include <numeric>

#include "bench/patterns/pattern_kernel.h"

namespace patterns {
namespace {

double number(std::size_t i) { return static_cast<double>(i % 1000) * 0.001; }

/// Any of `n` places, other ones for each seed.
auto anywhere(std::size_t n, std::uint64_t seed) {
  return [=, random = std::make_shared<Random>(seed)](std::size_t) { return random->below(n); };
}

double gather_of(const double* table, const std::uint32_t* where, std::size_t n) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += table[where[i]];
  return sum;
}

Input gather(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  const double* const table = input.add<double>("table", "random", n, number);
  const auto* const where = input.add<std::uint32_t>("where", "stream", n, anywhere(n, bytes));
  input.run = [=] { return gather_of(table, where, n); };
  return input;
}

void scatter_of(double* table, const std::uint32_t* where, const double* values, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) table[where[i]] = values[i];
}

/// To every place once, in any order.
Input scatter(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  double* const table = input.add<double>("table", "random", n);
  auto* const where = input.add<std::uint32_t>("where", "stream", n, [](std::size_t i) { return i; });
  const double* const values = input.add<double>("values", "stream", n, number);
  Random random(bytes);
  for (std::size_t i = n - 1; i > 0; --i) std::swap(where[i], where[random.below(i + 1)]);
  input.run = [=] { return scatter_of(table, where, values, n), table[n / 2]; };
  return input;
}

struct alignas(64) Node {
  const Node* next;
  double value;
};

double chase_of(const Node* first, std::size_t steps) {
  double sum = 0;
#pragma omp parallel num_threads(1)
  for (std::size_t i = 0; i < steps; ++i, first = first->next) sum += first->value;
  return sum;
}

/// A list through all nodes; as many steps as there are nodes. Sattolo's shuffle makes one cycle of them.
Input chase(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(Node);
  Node* const nodes = input.add<Node>("nodes", "random", n, [](std::size_t i) { return Node{nullptr, number(i)}; });
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  Random random(bytes);
  for (std::size_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i)]);
  for (std::size_t i = 0; i < n; ++i) nodes[i].next = nodes + order[i];
  input.run = [=] { return chase_of(nodes, n); };
  return input;
}

std::size_t slot_of(std::uint32_t key, std::size_t mask) {
  return (key * std::size_t{0x9e3779b97f4a7c15} >> 20) & mask;
}

std::size_t probe_of(const std::uint32_t* table, const std::uint32_t* keys, std::size_t n, std::size_t mask) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found)
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t slot = slot_of(keys[i], mask);
    while (table[slot] != 0 && table[slot] != keys[i]) slot = (slot + 1) & mask;
    found += table[slot] == keys[i];
  }
  return found;
}

/// An open table that is half full, asked for a quarter as many keys as it has places.
Input hash_probe(std::size_t bytes) {
  Input input;
  std::size_t places = 1;
  while (places * 2 * sizeof(std::uint32_t) <= bytes) places *= 2;
  auto* const table = input.add<std::uint32_t>("table", "random", places);
  Random random(bytes);
  for (std::size_t i = 0; i < places / 2; ++i) {
    const std::uint32_t key = 1 + random.below(2 * places);
    std::size_t slot = slot_of(key, places - 1);
    while (table[slot] != 0 && table[slot] != key) slot = (slot + 1) & (places - 1);
    table[slot] = key;
  }
  const auto some = [&](std::size_t) { return 1 + random.below(2 * places); };
  const auto* const keys = input.add<std::uint32_t>("keys", "stream", places / 4, some);
  input.run = [=] { return static_cast<double>(probe_of(table, keys, places / 4, places - 1)); };
  return input;
}

void histogram_of(std::uint32_t* bins, const std::uint32_t* values, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) std::atomic_ref(bins[values[i]]).fetch_add(1, std::memory_order_relaxed);
}

/// Half as many values as bins.
Input histogram(std::size_t bytes) {
  Input input;
  const std::size_t bins = bytes / sizeof(std::uint32_t);
  auto* const counts = input.add<std::uint32_t>("counts", "random", bins);
  const auto* const values = input.add<std::uint32_t>("values", "stream", bins / 2, anywhere(bins, bytes));
  input.run = [=] { return histogram_of(counts, values, bins / 2), static_cast<double>(counts[values[0]]); };
  return input;
}

constexpr std::size_t per_row = 8;

void rows_of(double* y, const std::uint32_t* columns, const double* x, std::size_t rows) {
#pragma omp parallel for
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t k = row * per_row; k < (row + 1) * per_row; ++k) sum += x[columns[k]];
    y[row] = sum;
  }
}

/// Columns of which few are in most rows, as in the matrix of a social network: n to the power of a uniform number.
Input skewed_rows(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double);
  const double* const x = input.add<double>("x", "random", n, number);
  Random random(bytes);
  const auto skewed = [&](std::size_t) {
    const auto rank = static_cast<std::size_t>(std::pow(static_cast<double>(n), random.unit()));
    return static_cast<std::uint32_t>(rank * 2654435761 % n);  // the popular ones are not neighbours
  };
  const auto* const columns = input.add<std::uint32_t>("columns", "stream", n / 2, skewed);
  double* const y = input.add<double>("y", "stream", n / 2 / per_row);
  input.run = [=] { return rows_of(y, columns, x, n / 2 / per_row), y[1]; };
  return input;
}

constexpr std::uint32_t degree = 4;

/// Levels of a breadth-first search in which all lanes look at all vertices of the frontier.
std::uint32_t search_of(std::uint32_t* level, const std::uint32_t* edges, std::uint32_t* frontier) {
  std::uint32_t begin = 0, end = 1, depth = 0;
  std::atomic<std::uint32_t> next = 1;
#pragma omp parallel
  while (begin < end) {
#pragma omp for
    for (std::uint32_t i = begin; i < end; ++i) {
      for (std::uint32_t k = 0; k < degree; ++k) {
        const std::uint32_t neighbour = edges[std::size_t{frontier[i]} * degree + k];
        std::uint32_t unseen = 0;
        if (std::atomic_ref(level[neighbour]).compare_exchange_strong(unseen, depth + 1)) frontier[next++] = neighbour;
      }
    }
#pragma omp single
    begin = end, end = next, ++depth;
  }
  return end + depth;  // vertices that were reached, and how far the last one is
}

Input bfs(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(std::uint32_t) / degree;
  const auto* const edges = input.add<std::uint32_t>("edges", "random", n * degree, anywhere(n, bytes));
  auto* const level = input.add<std::uint32_t>("level", "random", n);
  auto* const frontier = input.add<std::uint32_t>("frontier", "stream", n + 1);
  level[0] = 1;
  input.run = [=] { return static_cast<double>(search_of(level, edges, frontier)); };
  return input;
}

std::size_t lookup_of(const double* sorted, const double* wanted, std::size_t n, std::size_t queries) {
  std::size_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < queries; ++i) {
    std::size_t low = 0;
    for (std::size_t step = n / 2; step > 0; step /= 2)
      low += low + step < n && sorted[low + step] <= wanted[i] ? step : 0;
    sum += low;
  }
  return sum;
}

/// Binary search for a thirty-second as many numbers as there are.
Input binary_search(std::size_t bytes) {
  Input input;
  const std::size_t n = bytes / sizeof(double), queries = n / 32;
  const double* const sorted = input.add<double>("sorted", "random", n, [](std::size_t i) { return double(i); });
  const auto* const wanted = input.add<double>("wanted", "stream", queries, anywhere(n, bytes));
  input.run = [=] { return static_cast<double>(lookup_of(sorted, wanted, n, queries)); };
  return input;
}

constexpr Entry kernels[] = {
    {"gather", gather},       {"scatter", scatter},         {"chase", chase}, {"hash-probe", hash_probe},
    {"histogram", histogram}, {"skewed-rows", skewed_rows}, {"bfs", bfs},     {"binary-search", binary_search}};

}  // namespace

std::span<const Entry> random_kernels() { return kernels; }

}  // namespace patterns
