// Paths through a map of roads: delta-stepping, trees of shortest paths, breadth-first search from 64 sources at once,
// dependencies by Brandes' two passes, smallest spanning trees by Boruvka's and by Kruskal's algorithm.
// Source: Meyer, Sanders, J. Algorithms 49, 2003; Then et al., PVLDB 8(4), 2014 (many sources at once); Brandes, J.
// Mathematical Sociology 25, 2001; Chung, Condon, IPPS 1996 (parallel Boruvka); Kruskal, Proc. AMS 7, 1956.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Masks = std::vector<std::uint64_t>;
constexpr Node far = 1u << 30;
constexpr std::uint32_t longest = 256;
constexpr Node delta = 1024;

struct Edge {
  Node a, b;
  std::uint32_t length;
};
using Edges = std::vector<Edge>;

struct Arc {
  Node to;
  std::uint32_t length;
};

struct Graph {
  Nodes begin;
  std::vector<Arc> arcs;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
};

/// Streets of a town with side * side crossings, and some long roads.
CORPUS_REGION Edges make_roads(Node side, corpus::Random& random) {
  Edges edges;
  for (Node node = 0; node < side * side; ++node) {
    if (node % side + 1 < side) edges.push_back({node, node + 1, 1 + random.below(longest)});
    if (node / side + 1 < side) edges.push_back({node, node + side, 1 + random.below(longest)});
    if (random.below(16) == 0) edges.push_back({node, random.below(side * side), 1 + random.below(longest)});
  }
  return edges;
}

CORPUS_REGION void count_ends(const Edges& edges, Nodes& begin) {
  for (const Edge& edge : edges) ++begin[edge.a], ++begin[edge.b];
}

CORPUS_REGION void place_arcs(const Edges& edges, Graph& g) {
  for (std::size_t i = edges.size(); i-- > 0;) {
    g.arcs[--g.begin[edges[i].a]] = {edges[i].b, edges[i].length};
    g.arcs[--g.begin[edges[i].b]] = {edges[i].a, edges[i].length};
  }
}

Graph make_graph(Node nodes, const Edges& edges) {
  Graph g{Nodes(nodes + 1), std::vector<Arc>(2 * edges.size())};
  count_ends(edges, g.begin);
  std::partial_sum(g.begin.begin(), g.begin.end(), g.begin.begin());
  place_arcs(edges, g);
  return g;
}

/// The nodes with distances in the bucket.
CORPUS_REGION std::size_t collect(const Nodes& distance, Node bucket, Nodes& queue) {
  std::size_t count = 0;
  for (Node node = 0; node < distance.size(); ++node)
    if (distance[node] / delta == bucket) queue[count++] = node;
  return count;
}

/// Shortens what the queue's nodes reach. Whoever falls into the bucket is queued once more.
CORPUS_REGION std::size_t relax(const Graph& g, const Nodes& queue, std::size_t count, Node bucket, Nodes& distance,
                                Nodes& next) {
  std::atomic<std::size_t> found = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    const Node from = std::atomic_ref(distance[queue[i]]).load(std::memory_order_relaxed);
    for (Node k = g.begin[queue[i]]; k < g.begin[queue[i] + 1]; ++k) {
      std::atomic_ref<Node> reached(distance[g.arcs[k].to]);
      const Node through = from + g.arcs[k].length;
      Node old = reached.load(std::memory_order_relaxed);
      while (through < old && !reached.compare_exchange_weak(old, through)) {}
      if (through < old && through / delta == bucket) next[found.fetch_add(1)] = g.arcs[k].to;
    }
  }
  return found;
}

void delta_stepping(const Graph& g, Nodes& distance) {
  Nodes queue(4 * g.arcs.size()), next(queue.size());
  distance[0] = 0;
  std::size_t empty = 0;
  for (Node bucket = 0; empty < 2; ++bucket) {
    std::size_t count = collect(distance, bucket, queue);
    empty = count == 0 ? empty + 1 : 0;
    for (; count > 0; queue.swap(next)) count = relax(g, queue, count, bucket, distance, next);
  }
}

/// Whom the shortest path comes from. Returns how many nodes have nobody or could be reached sooner.
CORPUS_REGION std::size_t find_parents(const Graph& g, const Nodes& distance, Nodes& parent) {
  std::size_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (Node node = 1; node < g.nodes(); ++node) {
    bool tight = false;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const Node through = distance[g.arcs[k].to] + g.arcs[k].length;
      wrong += through < distance[node];
      if (through == distance[node]) parent[node] = g.arcs[k].to, tight = true;
    }
    wrong += !tight;
  }
  return wrong;
}

/// The number of steps to the root doubles in each round.
CORPUS_REGION void jump(const Nodes& parent, const Nodes& steps, Nodes& next_parent, Nodes& next_steps) {
#pragma omp parallel for
  for (std::size_t node = 0; node < parent.size(); ++node) {
    next_steps[node] = steps[node] + steps[parent[node]];
    next_parent[node] = parent[parent[node]];
  }
}

/// One bit for each of 64 sources.
CORPUS_REGION bool spread(const Graph& g, const Masks& seen, Masks& next) {
  bool changed = false;
#pragma omp parallel for reduction(|| : changed)
  for (Node node = 0; node < g.nodes(); ++node) {
    std::uint64_t mask = seen[node];
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) mask |= seen[g.arcs[k].to];
    changed = changed || mask != seen[node];
    next[node] = mask;
  }
  return changed;
}

CORPUS_REGION std::uint64_t count_seen(const Masks& seen) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t node = 0; node < seen.size(); ++node) sum += static_cast<std::uint64_t>(std::popcount(seen[node]));
  return sum;
}

struct Visit {
  Nodes order, depth;
  std::vector<double> paths, dependency;
};

/// Breadth first from node 0: numbers of shortest paths.
CORPUS_REGION void forward(const Graph& g, Visit& v) {
  v.order.push_back(0);
  v.depth[0] = 0, v.paths[0] = 1;
  for (std::size_t i = 0; i < v.order.size(); ++i) {
    const Node node = v.order[i];
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const Node to = g.arcs[k].to;
      if (v.depth[to] == far) v.depth[to] = v.depth[node] + 1, v.order.push_back(to);
      if (v.depth[to] == v.depth[node] + 1) v.paths[to] += v.paths[node];
    }
  }
}

/// Shares of the paths that lead over each node.
CORPUS_REGION void backward(const Graph& g, Visit& v) {
  for (std::size_t i = v.order.size(); i-- > 0;) {
    const Node node = v.order[i];
    const double share = (1 + v.dependency[node]) / v.paths[node];
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (v.depth[g.arcs[k].to] + 1 == v.depth[node]) v.dependency[g.arcs[k].to] += v.paths[g.arcs[k].to] * share;
  }
}

/// On a path of d steps there are d - 1 nodes between; is that what the dependencies add up to?
CORPUS_REGION double imbalance(const Visit& v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t node = 1; node < v.depth.size(); ++node) sum += v.dependency[node] - (v.depth[node] - 1.0);
  return sum;
}

/// For each component its lightest edge outwards, as length and number of the edge.
CORPUS_REGION std::size_t lightest(const Edges& edges, const Nodes& component, Masks& best) {
  std::size_t outward = 0;
#pragma omp parallel for reduction(+ : outward)
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Node ends[2] = {component[edges[i].a], component[edges[i].b]};
    if (ends[0] == ends[1]) continue;
    ++outward;
    const std::uint64_t key = std::uint64_t{edges[i].length} << 32 | i;
    for (const Node end : ends) {
      std::atomic_ref<std::uint64_t> slot(best[end]);
      std::uint64_t old = slot.load(std::memory_order_relaxed);
      while (key < old && !slot.compare_exchange_weak(old, key)) {}
    }
  }
  return outward;
}

Node root_of(Nodes& parent, Node node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

/// Joins along the edges found, and forgets them. Returns their length.
CORPUS_REGION std::uint64_t join(const Edges& edges, Masks& best, Nodes& parent) {
  std::uint64_t sum = 0;
  for (std::uint64_t& key : best) {
    if (key == ~std::uint64_t{0}) continue;
    const Edge& edge = edges[static_cast<std::uint32_t>(key)];
    const Node a = root_of(parent, edge.a), b = root_of(parent, edge.b);
    if (a != b) parent[a] = b, sum += edge.length;
    key = ~std::uint64_t{0};
  }
  return sum;
}

CORPUS_REGION void flatten(const Nodes& parent, Nodes& component) {
#pragma omp parallel for
  for (std::size_t node = 0; node < parent.size(); ++node) {
    Node root = parent[node];
    while (root != parent[root]) root = parent[root];
    component[node] = root;
  }
}

std::uint64_t boruvka(const Edges& edges, Node nodes) {
  Nodes parent(nodes), component(nodes);
  std::iota(parent.begin(), parent.end(), 0u);
  Masks best(nodes, ~std::uint64_t{0});
  std::uint64_t sum = 0;
  for (component = parent; lightest(edges, component, best) > 0; flatten(parent, component))
    sum += join(edges, best, parent);
  return sum;
}

/// Positions of the edges by length, by counting.
CORPUS_REGION void order_by_length(const Edges& edges, Nodes& next, Nodes& order) {
  for (Node i = 0; i < edges.size(); ++i) order[next[edges[i].length]++] = i;
}

CORPUS_REGION std::uint64_t kruskal(const Edges& edges, const Nodes& order, Nodes& parent) {
  std::uint64_t sum = 0;
  for (const Node i : order) {
    const Node a = root_of(parent, edges[i].a), b = root_of(parent, edges[i].b);
    if (a != b) parent[a] = b, sum += edges[i].length;
  }
  return sum;
}

std::uint64_t sorted_tree(const Edges& edges, Node nodes) {
  Nodes next(longest + 2), order(edges.size()), parent(nodes);
  for (const Edge& edge : edges) ++next[edge.length + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  order_by_length(edges, next, order);
  std::iota(parent.begin(), parent.end(), 0u);
  return kruskal(edges, order, parent);
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node side = input.pick<Node>(130, 180), nodes = side * side;
  const Edges edges = make_roads(side, random);
  const Graph g = make_graph(nodes, edges);
  Nodes distance(nodes, far), parent(nodes), steps(nodes, 1), next_parent(nodes), next_steps(nodes);
  delta_stepping(g, distance);
  bool right = find_parents(g, distance, parent) == 0;
  steps[0] = 0;
  for (int round = 0; round < 12; ++round) {
    jump(parent, steps, next_parent, next_steps);
    parent.swap(next_parent), steps.swap(next_steps);
  }
  Masks seen(nodes), next(nodes);
  for (Node source = 0; source < 64; ++source) seen[random.below(nodes)] |= std::uint64_t{1} << source;
  for (int round = 0; round < 8 && spread(g, seen, next); ++round) seen.swap(next);
  const std::uint64_t total = count_seen(seen);
  Visit visit{{}, Nodes(nodes, far), std::vector<double>(nodes), std::vector<double>(nodes)};
  forward(g, visit);
  backward(g, visit);
  const std::uint64_t tree = boruvka(edges, nodes);
  right = right && tree == sorted_tree(edges, nodes) && std::fabs(imbalance(visit)) < 1e-3 * nodes &&
          *std::max_element(steps.begin(), steps.end()) < nodes;
  return {.checksum = static_cast<double>(tree + total + distance[nodes - 1] + steps[nodes - 1]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
