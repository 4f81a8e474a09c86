// Walks over a random graph with a few large hubs: breadth-first search from the top and from the bottom, connected
// components by hooking and jumping, greedy colouring, label propagation, triangles, k-cores.
// Source: Beamer, Asanovic, Patterson, SC 2012; Shiloach and Vishkin, J. Algorithms 3, 1982; Raghavan et al., Physical
// Review E 76, 2007; Matula and Beck, JACM 30, 1983.
#include <algorithm>
#include <atomic>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
constexpr Node none = ~Node{0};

struct Graph {
  Nodes begin, to;
  std::size_t nodes() const { return begin.size() - 1; }
};

struct Edge {
  Node a, b;
};

CORPUS_REGION std::vector<Edge> make_edges(std::size_t nodes, std::size_t count, corpus::Random& random) {
  std::vector<Edge> edges(count);
  for (Edge& edge : edges) {
    const double u = random.unit();
    edge = {static_cast<Node>(u * u * u * static_cast<double>(nodes)), random.below(nodes)};
  }
  return edges;
}

CORPUS_REGION Graph make_graph(std::size_t nodes, const std::vector<Edge>& edges) {
  Graph g{Nodes(nodes + 1), Nodes(2 * edges.size())};
  for (const Edge& edge : edges) ++g.begin[edge.a + 1], ++g.begin[edge.b + 1];
  for (std::size_t node = 0; node < nodes; ++node) g.begin[node + 1] += g.begin[node];
  Nodes next(g.begin.begin(), g.begin.end() - 1);
  for (const Edge& edge : edges) {
    g.to[next[edge.a]++] = edge.b;
    g.to[next[edge.b]++] = edge.a;
  }
  return g;
}

CORPUS_REGION void sort_neighbours(Graph& g) {
#pragma omp parallel for schedule(dynamic, 512)
  for (std::size_t node = 0; node < g.nodes(); ++node)
    std::sort(g.to.begin() + g.begin[node], g.to.begin() + g.begin[node + 1]);
}

/// One level: the frontier's neighbours that nobody has reached yet.
CORPUS_REGION std::size_t step_down(const Graph& g, const Nodes& frontier, std::size_t count, Nodes& depth, Node level,
                                    Nodes& next) {
  std::atomic<std::size_t> found = 0;
#pragma omp parallel for schedule(dynamic, 128)
  for (std::size_t i = 0; i < count; ++i)
    for (Node k = g.begin[frontier[i]]; k < g.begin[frontier[i] + 1]; ++k) {
      std::atomic_ref<Node> reached(depth[g.to[k]]);
      Node expected = none;
      if (reached.load(std::memory_order_relaxed) == none && reached.compare_exchange_strong(expected, level))
        next[found.fetch_add(1)] = g.to[k];
    }
  return found;
}

/// Bottom up: whoever is not reached yet looks for a neighbour that is.
CORPUS_REGION std::size_t step_up(const Graph& g, const Nodes& depth, Node level, Nodes& next) {
  std::size_t found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    next[node] = depth[node];
    if (depth[node] != none) continue;
    for (Node k = g.begin[node]; k < g.begin[node + 1] && next[node] == none; ++k)
      if (depth[g.to[k]] == level - 1) next[node] = level;
    found += next[node] == level;
  }
  return found;
}

CORPUS_REGION bool hook(const std::vector<Edge>& edges, Nodes& parent) {
  bool changed = false;
#pragma omp parallel for reduction(|| : changed)
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Node a = std::atomic_ref(parent[edges[e].a]).load(std::memory_order_relaxed);
    const Node b = std::atomic_ref(parent[edges[e].b]).load(std::memory_order_relaxed);
    if (a == b) continue;
    std::atomic_ref(parent[std::max(a, b)]).store(std::min(a, b), std::memory_order_relaxed);
    changed = true;
  }
  return changed;
}

CORPUS_REGION void jump(Nodes& parent) {
#pragma omp parallel for
  for (std::size_t node = 0; node < parent.size(); ++node) {
    Node root = node;
    for (Node above; (above = std::atomic_ref(parent[root]).load(std::memory_order_relaxed)) != root;) root = above;
    std::atomic_ref(parent[node]).store(root, std::memory_order_relaxed);
  }
}

/// The smallest colour that no neighbour has, one node after the other.
CORPUS_REGION std::size_t colour(const Graph& g, std::vector<std::uint16_t>& colours) {
  std::vector<Node> used(4096, none);
  std::size_t most = 0;
  for (Node node = 0; node < g.nodes(); ++node) {
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) used[colours[g.to[k]]] = node;
    std::uint16_t free = 1;
    while (used[free] == node) ++free;
    colours[node] = free;
    most = std::max<std::size_t>(most, free);
  }
  return most;
}

CORPUS_REGION std::size_t conflicts(const std::vector<Edge>& edges, const std::vector<std::uint16_t>& colours) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t e = 0; e < edges.size(); ++e)
    count += edges[e].a != edges[e].b && colours[edges[e].a] == colours[edges[e].b];
  return count;
}

/// Each node takes the label that is most frequent among its (first 32) neighbours.
CORPUS_REGION void spread_labels(const Graph& g, const Nodes& label, Nodes& next) {
#pragma omp parallel for schedule(guided)
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    Node seen[32], best = label[node];
    const Node count = std::min<Node>(32, g.begin[node + 1] - g.begin[node]);
    for (Node k = 0; k < count; ++k) seen[k] = label[g.to[g.begin[node] + k]];
    std::sort(seen, seen + count);
    for (Node k = 0, run = 0, most = 1; k < count; ++k) {
      run = k > 0 && seen[k] == seen[k - 1] ? run + 1 : 1;
      if (run > most) most = run, best = seen[k];
    }
    next[node] = best;
  }
}

/// Common larger neighbours of the two ends of every edge, by merging sorted lists; hubs are left out.
CORPUS_REGION std::uint64_t triangles(const Graph& g) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic, 512)
  for (std::size_t a = g.nodes() / 8; a < g.nodes(); ++a)
    for (Node k = g.begin[a]; k < g.begin[a + 1]; ++k) {
      const Node b = g.to[k];
      if (b <= a) continue;
      for (Node i = k + 1, j = g.begin[b]; i < g.begin[a + 1] && j < g.begin[b + 1];) {
        if (g.to[j] <= b || g.to[j] < g.to[i])
          ++j;
        else if (g.to[i] < g.to[j])
          ++i;
        else
          ++count, ++i, ++j;
      }
    }
  return count;
}

/// Takes away nodes of fewer than k neighbours until none is left. Returns how many stay.
CORPUS_REGION std::size_t core(const Graph& g, Node k) {
  Nodes degree(g.nodes()), queue;
  for (Node node = 0; node < g.nodes(); ++node) {
    degree[node] = g.begin[node + 1] - g.begin[node];
    if (degree[node] < k) queue.push_back(node);
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Node e = g.begin[queue[i]]; e < g.begin[queue[i] + 1]; ++e)
      if (degree[g.to[e]]-- == k) queue.push_back(g.to[e]);
  return g.nodes() - queue.size();
}

CORPUS_REGION std::size_t component_of(const Nodes& parent, Node root) {
  return static_cast<std::size_t>(std::count(parent.begin(), parent.end(), root));
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t nodes = input.pick<std::size_t>(30'000, 60'000);
  const std::vector<Edge> edges = make_edges(nodes, 3 * nodes, random);
  Graph g = make_graph(nodes, edges);
  Nodes depth(nodes, none), frontier(nodes), next(nodes);
  depth[0] = 0;
  std::size_t count = 1, reached = 1;
  Node level = 1;
  for (; count > 0 && reached < nodes / 2; ++level, reached += count) {
    count = step_down(g, frontier, count, depth, level, next);
    frontier.swap(next);
  }
  for (; (count = step_up(g, depth, level, next)) > 0; ++level, reached += count) depth.swap(next);
  Nodes parent(nodes);
  for (Node node = 0; node < nodes; ++node) parent[node] = node;
  while (hook(edges, parent)) jump(parent);
  const bool same = component_of(parent, parent[0]) == reached;
  sort_neighbours(g);
  std::vector<std::uint16_t> colours(nodes);
  const std::size_t used = colour(g, colours);
  spread_labels(g, parent, next);
  const std::size_t kept = core(g, 4);
  return {.checksum = static_cast<double>(triangles(g) + reached + used + kept + next[5]),
          .right = same && conflicts(edges, colours) == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
