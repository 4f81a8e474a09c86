// Iterations over the edges of a graph: PageRank by pulling, by pushing and over a list of edges in blocks, shortest
// paths by Bellman and Ford with rounds, Dijkstra's algorithm with a heap, and Brandes' dependencies of one source.
// Source: Page, Brin, Motwani, Winograd 1999; Beamer, Asanovic, Patterson, IPDPS 2017 (propagation blocking); Cormen et
// al., Introduction to Algorithms, chapter 24; Brandes, J. Mathematical Sociology 25, 2001.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <queue>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Ranks = std::vector<float>;

struct Arc {
  Node to;
  std::uint32_t length;
};

struct Graph {
  std::vector<Node> begin{0};
  std::vector<Arc> arcs;
  std::size_t nodes() const { return begin.size() - 1; }
};

/// Roads: most arcs go to nodes nearby, some go anywhere. reversed() gives who points here.
CORPUS_REGION Graph make_graph(std::size_t nodes, corpus::Random& random) {
  Graph g;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (std::uint32_t k = random.below(9); k < 10; ++k) {
      const std::size_t to = k < 9 ? (node + 1 + random.below(300)) % nodes : random.below(nodes);
      g.arcs.push_back({static_cast<Node>(to), 1 + random.below(100)});
    }
    g.begin.push_back(static_cast<Node>(g.arcs.size()));
  }
  return g;
}

CORPUS_REGION Graph reversed(const Graph& g) {
  Graph r{std::vector<Node>(g.nodes() + 1), std::vector<Arc>(g.arcs.size())};
  for (const Arc& arc : g.arcs) ++r.begin[arc.to + 1];
  for (std::size_t node = 0; node < g.nodes(); ++node) r.begin[node + 1] += r.begin[node];
  std::vector<Node> next(r.begin.begin(), r.begin.end() - 1);
  for (Node node = 0; node < g.nodes(); ++node)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) r.arcs[next[g.arcs[k].to]++] = {node, g.arcs[k].length};
  return r;
}

CORPUS_REGION void give_shares(const Graph& g, const Ranks& rank, Ranks& share) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node)
    share[node] = 0.85f * rank[node] / static_cast<float>(g.begin[node + 1] - g.begin[node]);
}

CORPUS_REGION void pull(const Graph& in, const Ranks& share, Ranks& rank) {
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < in.nodes(); ++node) {
    float sum = 0.15f;
    for (Node k = in.begin[node]; k < in.begin[node + 1]; ++k) sum += share[in.arcs[k].to];
    rank[node] = sum;
  }
}

CORPUS_REGION void push(const Graph& out, const Ranks& share, Ranks& rank) {
  std::fill(rank.begin(), rank.end(), 0.15f);
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < out.nodes(); ++node)
    for (Node k = out.begin[node]; k < out.begin[node + 1]; ++k)
#pragma omp atomic
      rank[out.arcs[k].to] += share[node];
}

struct Gift {
  Node to;
  float share;
};

/// Shares are written by ranges of receivers first, so that adding them stays within a cache.
CORPUS_REGION void bin_shares(const Graph& out, const Ranks& share, std::vector<std::size_t>& next,
                              std::vector<Gift>& bins, std::size_t width) {
  for (std::size_t node = 0; node < out.nodes(); ++node)
    for (Node k = out.begin[node]; k < out.begin[node + 1]; ++k)
      bins[next[out.arcs[k].to / width]++] = {out.arcs[k].to, share[node]};
}

CORPUS_REGION void add_bins(const std::vector<std::size_t>& begin, const std::vector<Gift>& bins, std::size_t width,
                            Ranks& rank) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t bin = 0; bin < begin.size() - 1; ++bin) {
    for (std::size_t node = bin * width; node < std::min((bin + 1) * width, rank.size()); ++node) rank[node] = 0.15f;
    for (std::size_t k = begin[bin]; k < begin[bin + 1]; ++k) rank[bins[k].to] += bins[k].share;
  }
}

CORPUS_REGION std::vector<std::size_t> bin_bounds(const Graph& in, std::size_t width) {
  std::vector<std::size_t> begin;
  for (std::size_t node = 0; node < in.nodes(); node += width) begin.push_back(in.begin[node]);
  begin.push_back(in.arcs.size());
  return begin;
}

CORPUS_REGION double difference(const Ranks& a, const Ranks& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, static_cast<double>(std::fabs(a[i] - b[i])));
  return most;
}

/// One round over all nodes; distances only fall, so it does not matter which of them others see.
CORPUS_REGION bool relax(const Graph& in, std::vector<std::uint32_t>& distance) {
  bool changed = false;
#pragma omp parallel for reduction(|| : changed)
  for (std::size_t node = 0; node < in.nodes(); ++node) {
    std::uint32_t best = distance[node];
    for (Node k = in.begin[node]; k < in.begin[node + 1]; ++k)
      best =
          std::min(best, std::atomic_ref(distance[in.arcs[k].to]).load(std::memory_order_relaxed) + in.arcs[k].length);
    if (best == distance[node]) continue;
    std::atomic_ref(distance[node]).store(best, std::memory_order_relaxed);
    changed = true;
  }
  return changed;
}

CORPUS_REGION void dijkstra(const Graph& g, std::vector<std::uint32_t>& distance) {
  using Entry = std::uint64_t;  // distance, then node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push(0);
  distance[0] = 0;
  while (!queue.empty()) {
    const Node node = static_cast<Node>(queue.top());
    const auto far = static_cast<std::uint32_t>(queue.top() >> 32);
    queue.pop();
    if (far > distance[node]) continue;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const std::uint32_t through = far + g.arcs[k].length;
      if (through >= distance[g.arcs[k].to]) continue;
      distance[g.arcs[k].to] = through;
      queue.push(Entry{through} << 32 | g.arcs[k].to);
    }
  }
}

/// How many shortest paths from node 0 lead over each node, taken in the order of distances.
CORPUS_REGION double count_paths(const Graph& in, const std::vector<std::uint32_t>& distance) {
  std::vector<Node> order(in.nodes());
  for (Node node = 0; node < in.nodes(); ++node) order[node] = node;
  std::sort(order.begin(), order.end(), [&](Node a, Node b) { return distance[a] < distance[b]; });
  std::vector<double> paths(in.nodes());
  paths[0] = 1;
  for (std::size_t i = 1; i < order.size(); ++i)
    for (Node k = in.begin[order[i]]; k < in.begin[order[i] + 1]; ++k)
      if (distance[in.arcs[k].to] + in.arcs[k].length == distance[order[i]]) paths[order[i]] += paths[in.arcs[k].to];
  return *std::max_element(paths.begin(), paths.end());
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t nodes = input.pick<std::size_t>(18'000, 32'000);
  const Graph out = make_graph(nodes, random), in = reversed(out);
  Ranks rank(nodes, 1), share(nodes), pushed(nodes), binned(nodes);
  give_shares(out, rank, share);
  pull(in, share, rank);
  push(out, share, pushed);
  const std::size_t width = nodes / 40;
  const std::vector<std::size_t> begin = bin_bounds(in, width);
  std::vector<std::size_t> next = begin;
  std::vector<Gift> bins(out.arcs.size());
  bin_shares(out, share, next, bins, width);
  add_bins(begin, bins, width, binned);
  bool right = difference(rank, pushed) < 1e-4 && difference(rank, binned) < 1e-4;
  std::vector<std::uint32_t> distance(nodes, 1u << 30), by_heap(nodes, 1u << 30);
  distance[0] = 0;
  dijkstra(out, by_heap);
  for (int round = 0; round < 6; ++round) relax(in, distance);
  for (std::size_t node = 0; node < nodes; ++node) right = right && distance[node] >= by_heap[node];
  const double paths = count_paths(in, by_heap);
  return {.checksum = static_cast<double>(by_heap[nodes - 1]) + std::log(paths), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
