// Graphs as adjacency lists in one array.
#include <algorithm>
#include <utility>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

constexpr std::size_t degree = 8;

struct Graph {
  std::vector<std::uint32_t> begin;   ///< vertices + 1
  std::vector<std::uint32_t> target;  ///< sorted within a vertex
};

/// Undirected, about 2 x `degree` neighbours a vertex; low numbers are preferred, so that some have many.
Graph random_graph(std::size_t vertices) {
  Random random;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t a = 0; a < vertices; ++a) {
    for (std::size_t k = 0; k < degree; ++k) {
      const double place = random.unit();
      const auto b = static_cast<std::uint32_t>(place * place * static_cast<double>(vertices));
      edges.insert(edges.end(), {{a, b}, {b, a}});
    }
  }
  std::ranges::sort(edges);
  Graph graph{.begin = std::vector<std::uint32_t>(vertices + 1), .target = {}};
  for (const auto& [from, to] : edges) {
    ++graph.begin[from + 1];
    graph.target.push_back(to);
  }
  for (std::size_t v = 0; v < vertices; ++v) graph.begin[v + 1] += graph.begin[v];
  return graph;
}

/// Returns how many steps the farthest vertex is away from vertex 0.
std::uint32_t search(const std::uint32_t* begin, const std::uint32_t* target, std::uint32_t* level,
                     std::uint32_t* queue) {
  std::size_t head = 0, tail = 0;
  level[0] = 1;
  queue[tail++] = 0;
  std::uint32_t last = 0;
  while (head < tail) {
    const std::uint32_t vertex = queue[head++];
    last = level[vertex];
    for (std::uint32_t i = begin[vertex]; i < begin[vertex + 1]; ++i) {
      if (level[target[i]] != 0) continue;
      level[target[i]] = last + 1;
      queue[tail++] = target[i];
    }
  }
  return last;
}

Kernel bfs(std::size_t n) {
  return [graph = random_graph(n), level = std::vector<std::uint32_t>(n),
          queue = std::vector<std::uint32_t>(n)]() mutable {
    std::ranges::fill(level, 0u);
    return static_cast<double>(search(graph.begin.data(), graph.target.data(), level.data(), queue.data()));
  };
}

void spread(std::size_t n, const std::uint32_t* begin, const std::uint32_t* target, const double* share, double* rank) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::size_t v = 0; v < n; ++v) {
    double sum = 0;
    for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) sum += share[target[i]];
    rank[v] = 0.15 / static_cast<double>(n) + 0.85 * sum;
  }
}

void divide(std::size_t n, const std::uint32_t* begin, const double* rank, double* share) {
#pragma omp parallel for
  for (std::size_t v = 0; v < n; ++v) share[v] = rank[v] / (begin[v + 1] - begin[v]);
}

/// One iteration.
Kernel pagerank(std::size_t n) {
  return [n, graph = random_graph(n), rank = std::vector<double>(n, 1.0 / static_cast<double>(n)),
          share = std::vector<double>(n)]() mutable {
    divide(n, graph.begin.data(), rank.data(), share.data());
    spread(n, graph.begin.data(), graph.target.data(), share.data(), rank.data());
    return rank[0];
  };
}

/// Every vertex takes the smallest label around it until nothing changes.
bool lower_labels(std::size_t n, const std::uint32_t* begin, const std::uint32_t* target, std::uint32_t* label) {
  bool changed = false;
  for (std::size_t v = 0; v < n; ++v) {
    std::uint32_t least = label[v];
    for (std::uint32_t i = begin[v]; i < begin[v + 1]; ++i) least = std::min(least, label[target[i]]);
    changed |= least < label[v];
    label[v] = least;
  }
  return changed;
}

Kernel components(std::size_t n) {
  return [n, graph = random_graph(n), start = permutation(n), label = std::vector<std::uint32_t>(n)]() mutable {
    std::ranges::copy(start, label.begin());
    while (lower_labels(n, graph.begin.data(), graph.target.data(), label.data())) {}
    return static_cast<double>(label[n - 1]);
  };
}

/// Neighbours that a and b have in common, both lists sorted.
std::size_t common(const std::uint32_t* a, const std::uint32_t* a_end, const std::uint32_t* b,
                   const std::uint32_t* b_end) {
  std::size_t count = 0;
  while (a < a_end && b < b_end) {
    count += *a == *b;
    const bool first = *a <= *b;
    const bool second = *b <= *a;
    a += first;
    b += second;
  }
  return count;
}

std::size_t count_triangles(std::size_t n, const std::uint32_t* begin, const std::uint32_t* target) {
  std::size_t count = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : count)
  for (std::size_t v = 0; v < n; ++v) {
    for (std::uint32_t i = begin[v]; i < begin[v + 1] && target[i] < v; ++i) {
      const std::uint32_t u = target[i];
      count += common(target + begin[v], target + begin[v + 1], target + begin[u], target + begin[u + 1]);
    }
  }
  return count;
}

Kernel triangles(std::size_t n) {
  return [n, graph = random_graph(n)]() {
    return static_cast<double>(count_triangles(n, graph.begin.data(), graph.target.data()));
  };
}

constexpr Entry entries[] = {{"bfs", bfs, Threads::copies, 200'000, 6, 4'000},
                             {"pagerank", pagerank, Threads::share, 400'000, 10, 8'000},
                             {"components", components, Threads::copies, 100'000, 15, 4'000},
                             {"triangles", triangles, Threads::share, 80'000, 1, 1'000}};

}  // namespace

std::span<const Entry> graph_kernels() { return entries; }

}  // namespace host
