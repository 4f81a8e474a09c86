// Communities of a network: Louvain's moves and contraction, matching of heavy edges, k-trusses, clustering, a cut by
// diffusion. The network has planted groups, so that there is something to find.
// Source: Blondel, Guillaume, Lambiotte, Lefebvre, J. Statistical Mechanics P10008, 2008; Newman, PNAS 103, 2006
// (modularity); Karypis, Kumar, SIAM J. Sci. Comput. 20, 1998 (matching); Wang, Cheng, PVLDB 5(9), 2012 (trusses).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Pair = std::pair<Node, Node>;
using Pairs = std::vector<Pair>;
constexpr Node none = ~Node{0};
constexpr Node group = 40;

/// Neighbours of each node in order, with the numbers of the edges.
struct Graph {
  Nodes begin, to, edge;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
};

CORPUS_REGION Pairs make_pairs(Node nodes, corpus::Random& random) {
  Pairs pairs;
  for (Node a = 0; a < nodes; ++a) {
    for (int k = 0; k < 5; ++k) pairs.emplace_back(a, a / group * group + random.below(group));
    pairs.emplace_back(a, random.below(nodes));
  }
  return pairs;
}

/// Smaller end first, shuffled by a step that has no divisor in common with their number: no order is left.
CORPUS_REGION void shuffle(const Pairs& pairs, Pairs& shuffled) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair pair = pairs[i * 7919 % pairs.size()];
    shuffled[i] = std::minmax(pair.first, pair.second);
  }
}

/// One pass of a sort by counting, after the second or the first end.
CORPUS_REGION void sort_by(bool first, const Pairs& pairs, Nodes& next, Pairs& sorted) {
  std::fill(next.begin(), next.end(), 0u);
  for (const Pair& pair : pairs) ++next[(first ? pair.first : pair.second) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const Pair& pair : pairs) sorted[next[first ? pair.first : pair.second]++] = pair;
}

CORPUS_REGION void drop_repeated(Pairs& pairs) {
  std::size_t kept = 0;
  for (const Pair& pair : pairs)
    if (pair.first != pair.second && (kept == 0 || pairs[kept - 1] != pair)) pairs[kept++] = pair;
  pairs.resize(kept);
}

void sort_pairs(Pairs& pairs, Node nodes) {
  Pairs other(pairs.size());
  Nodes next(nodes + 1);
  sort_by(false, pairs, next, other);
  sort_by(true, other, next, pairs);
}

CORPUS_REGION void count_ends(const Pairs& pairs, Nodes& begin) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::atomic_ref(begin[pairs[i].first + 1]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(begin[pairs[i].second + 1]).fetch_add(1, std::memory_order_relaxed);
  }
}

/// Pairs are sorted, so smaller neighbours come first if second ends are served before first ones.
CORPUS_REGION void place(const Pairs& pairs, bool first, Nodes& next, Graph& g) {
  for (Node i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = first ? pairs[i] : Pair(pairs[i].second, pairs[i].first);
    g.to[next[a]] = b;
    g.edge[next[a]++] = i;
  }
}

Graph make_graph(Node nodes, const Pairs& pairs) {
  Graph g{Nodes(nodes + 1), Nodes(2 * pairs.size()), Nodes(2 * pairs.size())};
  count_ends(pairs, g.begin);
  std::partial_sum(g.begin.begin(), g.begin.end(), g.begin.begin());
  Nodes next(g.begin.begin(), g.begin.end() - 1);
  place(pairs, false, next, g);
  place(pairs, true, next, g);
  return g;
}

/// How many more edges are within communities than chance would have there.
CORPUS_REGION double modularity(const Pairs& pairs, const Nodes& community, const std::vector<std::uint64_t>& degrees) {
  std::uint64_t within = 0;
#pragma omp parallel for reduction(+ : within)
  for (std::size_t i = 0; i < pairs.size(); ++i) within += community[pairs[i].first] == community[pairs[i].second];
  double expected = 0;
  for (const std::uint64_t degree : degrees) expected += static_cast<double>(degree * degree);
  const auto edges = static_cast<double>(pairs.size());
  return static_cast<double>(within) / edges - expected / (4 * edges * edges);
}

/// Each node goes to the neighbours' community where it gains most. Returns how much modularity rises.
CORPUS_REGION double move_nodes(const Graph& g, Nodes& community, std::vector<std::uint64_t>& degrees, Nodes& links) {
  const auto ends = static_cast<double>(g.to.size());
  double rise = 0;
  for (Node node = 0; node < g.nodes(); ++node) {
    const Node degree = g.begin[node + 1] - g.begin[node], old = community[node];
    degrees[old] -= degree;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) ++links[community[g.to[k]]];
    const auto gain = [&](Node c) { return links[c] - static_cast<double>(degrees[c]) * degree / ends; };
    Node best = old;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (gain(community[g.to[k]]) > gain(best)) best = community[g.to[k]];
    rise += (gain(best) - gain(old)) * 2 / ends;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) links[community[g.to[k]]] = 0;
    community[node] = best;
    degrees[best] += degree;
  }
  return rise;
}

/// Numbers without gaps. Returns how many there are.
CORPUS_REGION Node renumber(const Nodes& community, Nodes& number) {
  Node count = 0;
  std::fill(number.begin(), number.end(), none);
  for (const Node c : community)
    if (number[c] == none) number[c] = count++;
  return count;
}

CORPUS_REGION void contract(const Pairs& pairs, const Nodes& community, const Nodes& number, Pairs& coarse) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i)
    coarse[i] = std::minmax(number[community[pairs[i].first]], number[community[pairs[i].second]]);
}

/// For every edge its triangles: common neighbours of the ends.
CORPUS_REGION void count_triangles(const Graph& g, const Pairs& pairs, Nodes& support) {
#pragma omp parallel for schedule(static, 256)
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    const auto [a, b] = pairs[e];
    for (Node i = g.begin[a], j = g.begin[b]; i < g.begin[a + 1] && j < g.begin[b + 1];) {
      support[e] += g.to[i] == g.to[j];
      const bool left = g.to[i] <= g.to[j], right = g.to[j] <= g.to[i];
      i += left, j += right;
    }
  }
}

/// Takes away edges of fewer than k - 2 triangles until none is left. Returns how many stay; support of others is 0.
CORPUS_REGION std::size_t truss(const Graph& g, const Pairs& pairs, Node k, Nodes& support) {
  std::vector<std::uint8_t> gone(pairs.size());
  Nodes queue;
  for (Node e = 0; e < pairs.size(); ++e)
    if (support[e] < k - 2) gone[e] = 1, queue.push_back(e);
  for (std::size_t q = 0; q < queue.size(); ++q) {
    const auto [a, b] = pairs[queue[q]];
    for (Node i = g.begin[a], j = g.begin[b]; i < g.begin[a + 1] && j < g.begin[b + 1];) {
      const Node left = g.to[i], right = g.to[j];
      const Node ends[2] = {g.edge[i], g.edge[j]};
      i += left <= right, j += right <= left;
      // A triangle is lost with the first of its edges in the queue, whose mark is 2 from then on.
      if (left != right || gone[ends[0]] == 2 || gone[ends[1]] == 2) continue;
      for (const Node e : ends)
        if (support[e]-- == k - 2 && gone[e] == 0) gone[e] = 1, queue.push_back(e);
    }
    gone[queue[q]] = 2;
  }
  for (const Node e : queue) support[e] = 0;
  return pairs.size() - queue.size();
}

/// Share of neighbours that know each other, on the average.
CORPUS_REGION double clustering(const Graph& g, const Nodes& support) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Node node = 0; node < g.nodes(); ++node) {
    const Node degree = g.begin[node + 1] - g.begin[node];
    double closed = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) closed += support[g.edge[k]];
    if (degree > 1) sum += closed / (degree * (degree - 1.0));
  }
  return sum / g.nodes();
}

/// Pairs every node with the free neighbour that shares most triangles with it.
CORPUS_REGION std::size_t match(const Graph& g, const Nodes& support, Nodes& mate) {
  std::size_t count = 0;
  for (Node i = 0; i < g.nodes(); ++i) {
    const auto node = static_cast<Node>(std::uint64_t{i} * 7919 % g.nodes());
    if (mate[node] != none) continue;
    Node best = none, most = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (mate[g.to[k]] == none && support[g.edge[k]] + 1 > most) best = g.to[k], most = support[g.edge[k]] + 1;
    if (best != none) mate[node] = best, mate[best] = node, ++count;
  }
  return count;
}

/// One step of heat over the network, which stays different where few edges lead across.
CORPUS_REGION void diffuse(const Graph& g, const std::vector<float>& heat, std::vector<float>& next) {
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node) {
    float sum = heat[node];
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) sum += heat[g.to[k]];
    next[node] = sum / static_cast<float>(g.begin[node + 1] - g.begin[node] + 1);
  }
}

CORPUS_REGION std::size_t cut(const Pairs& pairs, const std::vector<float>& heat) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < pairs.size(); ++i) count += (heat[pairs[i].first] > 0) != (heat[pairs[i].second] > 0);
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node nodes = group * input.pick<Node>(500, 800);
  Pairs pairs = make_pairs(nodes, random), shuffled(pairs.size());
  shuffle(pairs, shuffled);
  pairs.swap(shuffled);
  sort_pairs(pairs, nodes);
  drop_repeated(pairs);
  const Graph g = make_graph(nodes, pairs);
  Nodes community(nodes), links(nodes), number(nodes), support(pairs.size()), mate(nodes, none);
  std::iota(community.begin(), community.end(), 0u);
  std::vector<std::uint64_t> degrees(nodes);
  for (Node node = 0; node < nodes; ++node) degrees[node] = g.begin[node + 1] - g.begin[node];
  double expected = modularity(pairs, community, degrees);
  for (int pass = 0; pass < 3; ++pass) expected += move_nodes(g, community, degrees, links);
  const double found = modularity(pairs, community, degrees);
  const Node count = renumber(community, number);
  Pairs coarse(pairs.size());
  contract(pairs, community, number, coarse);
  sort_pairs(coarse, count);
  drop_repeated(coarse);
  count_triangles(g, pairs, support);
  const double closed = clustering(g, support);
  const std::size_t matched = match(g, support, mate);
  const Nodes all = support;
  const std::size_t kept = truss(g, pairs, 5, support);
  bool right = std::fabs(found - expected) < 1e-9 && found > 0.5;
  for (std::size_t e = 0; e < pairs.size(); ++e) right = right && (support[e] == 0 || support[e] >= 3);
  for (std::size_t e = 0; e < pairs.size(); ++e) right = right && support[e] <= all[e];
  std::vector<float> heat(nodes), next(nodes);
  for (Node node = 0; node < nodes; ++node) heat[node] = node % (8 * group) < 4 * group ? 1.0f : -1.0f;
  for (int step = 0; step < 4; ++step, heat.swap(next)) diffuse(g, heat, next);
  const std::size_t across = cut(pairs, heat);
  const double sizes = static_cast<double>(kept + matched + coarse.size() + count + across);
  return {.checksum = sizes + found + closed, .right = right && across < pairs.size() / 4};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
