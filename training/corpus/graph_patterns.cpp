// Small patterns in a graph: triangles by words of bits, by marks and by a table of edges, circles of four, cliques of
// four, stars and paths, sketches of neighbourhoods, an order by degeneracy.
// Source: Schank, Wagner, WEA 2005 (triangles); Chiba, Nishizeki, SIAM J. Computing 14, 1985 (circles, cliques); Ahmed
// et al., ICDM 2015 (counts of graphlets); Matula, Beck, JACM 30, 1983 (degeneracy); Broder, SEQUENCES 1997 (sketches).
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Words = std::vector<std::uint64_t>;
constexpr Node none = ~Node{0};

struct Graph {
  Nodes begin, to;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
};

/// Every node knows some of the 32 before it: neighbours of neighbours are often neighbours. Only smaller ones, sorted.
CORPUS_REGION Graph make_lower(Node nodes, corpus::Random& random) {
  Graph g{Nodes{0}, Nodes{}};
  for (Node node = 0; node < nodes; ++node) {
    if (node >= 64 && random.below(2)) g.to.push_back(random.below(node - 40));
    const std::uint64_t coins = random.next() & random.next();
    for (Node back = 32; back > 0; --back)
      if (node >= back && coins >> back & 1) g.to.push_back(node - back);
    g.begin.push_back(static_cast<Node>(g.to.size()));
  }
  return g;
}

/// The names of nodes are shuffled, so that neighbours are anywhere in memory.
CORPUS_REGION Nodes shuffled(Node nodes, corpus::Random& random) {
  Nodes order(nodes);
  std::iota(order.begin(), order.end(), 0u);
  for (Node i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Both directions, with new names.
CORPUS_REGION Graph renamed(const Graph& lower, const Nodes& name) {
  Graph g{Nodes(lower.nodes() + 1), Nodes(2 * lower.to.size())};
  for (Node node = 0; node < lower.nodes(); ++node)
    for (Node k = lower.begin[node]; k < lower.begin[node + 1]; ++k)
      ++g.begin[name[node]], ++g.begin[name[lower.to[k]]];
  std::partial_sum(g.begin.begin(), g.begin.end(), g.begin.begin());
  for (Node node = 0; node < lower.nodes(); ++node)
    for (Node k = lower.begin[node]; k < lower.begin[node + 1]; ++k) {
      const Node a = name[node], b = name[lower.to[k]];
      g.to[--g.begin[a]] = b;
      g.to[--g.begin[b]] = a;
    }
  return g;
}

/// Each list by insertion.
CORPUS_REGION void sort_lists(Graph& g) {
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node)
    for (Node i = g.begin[node] + 1; i < g.begin[node + 1]; ++i) {
      const Node to = g.to[i];
      Node j = i;
      for (; j > g.begin[node] && g.to[j - 1] > to; --j) g.to[j] = g.to[j - 1];
      g.to[j] = to;
    }
}

/// Takes away one node of smallest degree after the other, from buckets in one array. Returns the largest such degree.
CORPUS_REGION Node degeneracy(const Graph& g, Nodes& rank) {
  Nodes degree(g.nodes()), start(256), order(g.nodes()), place(g.nodes());
  for (Node node = 0; node < g.nodes(); ++node) ++start[1 + (degree[node] = g.begin[node + 1] - g.begin[node])];
  std::partial_sum(start.begin(), start.end(), start.begin());
  Nodes next = start;
  for (Node node = 0; node < g.nodes(); ++node) order[place[node] = next[degree[node]]++] = node;
  Node most = 0;
  for (Node i = 0; i < g.nodes(); ++i) {
    const Node node = order[i];
    rank[node] = i;
    most = std::max(most, degree[node]);
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const Node to = g.to[k];
      if (degree[to] <= degree[node]) continue;
      const Node first = std::max(start[degree[to]], i + 1), other = order[first];
      std::swap(order[first], order[place[to]]);
      std::swap(place[to], place[other]);
      start[degree[to]--] = first + 1;
    }
  }
  return most;
}

/// Neighbours that come later in the order, which are few, sorted by their ranks.
CORPUS_REGION Graph later(const Graph& g, const Nodes& rank) {
  Graph up{Nodes{0}, Nodes{}};
  up.to.reserve(g.to.size() / 2);
  for (Node node = 0; node < g.nodes(); ++node) {
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (rank[g.to[k]] > rank[node]) up.to.push_back(g.to[k]);
    up.begin.push_back(static_cast<Node>(up.to.size()));
  }
  return up;
}

using Lanes = std::vector<Nodes>;  // a mark for each node, one list a lane

/// A lane marks the neighbours of a node, and looks which of theirs are marked.
CORPUS_REGION std::uint64_t triangles_by_marks(const Graph& up, std::size_t lane, std::size_t lanes, Nodes& mark) {
  std::uint64_t count = 0;
  for (Node a = static_cast<Node>(lane); a < up.nodes(); a += static_cast<Node>(lanes)) {
    for (Node k = up.begin[a]; k < up.begin[a + 1]; ++k) mark[up.to[k]] = a;
    for (Node k = up.begin[a]; k < up.begin[a + 1]; ++k)
      for (Node i = up.begin[up.to[k]]; i < up.begin[up.to[k] + 1]; ++i) count += mark[up.to[i]] == a;
  }
  return count;
}

std::size_t slot_of(Node a, Node b, std::size_t mask) { return corpus::random_bits(a, b) & mask; }

CORPUS_REGION void fill_table(const Graph& up, Words& table) {
  for (Node a = 0; a < up.nodes(); ++a)
    for (Node k = up.begin[a]; k < up.begin[a + 1]; ++k) {
      std::size_t slot = slot_of(a, up.to[k], table.size() - 1);
      while (table[slot] != ~std::uint64_t{0}) slot = (slot + 1) & (table.size() - 1);
      table[slot] = std::uint64_t{a} << 32 | up.to[k];
    }
}

bool contains(const Words& table, Node a, Node b) {
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  std::size_t slot = slot_of(a, b, table.size() - 1);
  while (table[slot] != key && table[slot] != ~std::uint64_t{0}) slot = (slot + 1) & (table.size() - 1);
  return table[slot] == key;
}

/// For every pair of later neighbours: is there the third side?
CORPUS_REGION std::uint64_t triangles_by_table(const Graph& up, const Words& table) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Node a = 0; a < up.nodes(); ++a)
    for (Node i = up.begin[a]; i < up.begin[a + 1]; ++i)
      for (Node j = i + 1; j < up.begin[a + 1]; ++j)
        count += contains(table, up.to[i], up.to[j]) || contains(table, up.to[j], up.to[i]);
  return count;
}

/// The original order needs few bits: whom of the 64 before it a node knows, as one word.
CORPUS_REGION void make_bits(const Graph& lower, Words& bits) {
#pragma omp parallel for
  for (Node node = 0; node < lower.nodes(); ++node)
    for (Node k = lower.begin[node]; k < lower.begin[node + 1]; ++k)
      if (node - lower.to[k] < 64) bits[node] |= std::uint64_t{1} << (node - lower.to[k]);
}

/// Triangles of near nodes: words shifted and combined.
CORPUS_REGION std::uint64_t triangles_by_bits(const Words& bits) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t node = 0; node < bits.size(); ++node)
    for (std::uint64_t rest = bits[node]; rest != 0; rest &= rest - 1) {
      const int back = std::countr_zero(rest);
      count +=
          static_cast<std::uint64_t>(std::popcount(bits[node - static_cast<std::size_t>(back)] << back & bits[node]));
    }
  return count;
}

/// The others, with at least one far side: the far neighbour of a node is the first in its list.
CORPUS_REGION std::uint64_t far_triangles(const Graph& lower) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Node a = 0; a < lower.nodes(); ++a)
    for (Node i = lower.begin[a]; i < lower.begin[a + 1]; ++i)
      for (Node j = lower.begin[a]; j < i; ++j) {
        const Node b = lower.to[i], c = lower.to[j];
        const bool side = std::find(&lower.to[lower.begin[b]], lower.to.data() + lower.begin[b + 1], c) !=
                          lower.to.data() + lower.begin[b + 1];
        count += side && (a - b >= 64 || a - c >= 64 || b - c >= 64);
      }
  return count;
}

/// Circles of four: how often two nodes meet in a third one, for nodes after each other; a list a lane for the counts.
CORPUS_REGION std::uint64_t circles(const Graph& g, const Nodes& rank, std::size_t lane, std::size_t lanes,
                                    Nodes& meetings) {
  std::uint64_t count = 0;
  for (Node a = static_cast<Node>(lane); a < g.nodes(); a += static_cast<Node>(lanes) * 4) {
    for (int pass = 0; pass < 2; ++pass)
      for (Node k = g.begin[a]; k < g.begin[a + 1]; ++k)
        for (Node i = g.begin[g.to[k]]; rank[g.to[k]] < rank[a] && i < g.begin[g.to[k] + 1]; ++i) {
          Node& met = meetings[g.to[i]];
          if (pass == 1)
            met = 0;
          else if (rank[g.to[i]] < rank[a])
            count += met++;
        }
  }
  return count;
}

/// Cliques of four, by crossing three lists of later neighbours.
CORPUS_REGION std::uint64_t cliques(const Graph& up) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count) schedule(static, 32)
  for (Node a = 0; a < up.nodes(); ++a) {
    const auto begin = up.to.begin();
    std::array<Node, 256> common, both;
    for (Node k = up.begin[a]; k < up.begin[a + 1]; ++k) {
      const Node b = up.to[k];
      const auto end = std::set_intersection(begin + up.begin[a], begin + up.begin[a + 1], begin + up.begin[b],
                                             begin + up.begin[b + 1], common.begin());
      for (auto c = common.begin(); c != end; ++c)
        count += static_cast<std::uint64_t>(
            std::set_intersection(common.begin(), end, begin + up.begin[*c], begin + up.begin[*c + 1], both.begin()) -
            both.begin());
    }
  }
  return count;
}

using Sketch = std::array<Node, 8>;

/// The smallest of eight hashes over all neighbours.
CORPUS_REGION void make_sketches(const Graph& g, std::vector<Sketch>& sketches) {
#pragma omp parallel for
  for (Node node = 0; node < g.nodes(); ++node) {
    sketches[node].fill(none);
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      for (std::size_t h = 0; h < 8; ++h)
        sketches[node][h] =
            std::min(sketches[node][h], (g.to[k] + 1) * (2654435761u + 2 * 40503u * static_cast<Node>(h)));
  }
}

/// Equal parts of the sketches of all linked nodes.
CORPUS_REGION std::uint64_t similar(const Graph& g, const std::vector<Sketch>& sketches) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Node node = 0; node < g.nodes(); ++node)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      for (std::size_t h = 0; h < 8; ++h) count += sketches[node][h] == sketches[g.to[k]][h];
  return count;
}

/// Stars of three rays, and paths of three steps, from the degrees alone.
CORPUS_REGION std::uint64_t stars_and_paths(const Graph& g) {
  std::uint64_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (Node node = 0; node < g.nodes(); ++node) {
    const std::uint64_t degree = g.begin[node + 1] - g.begin[node];
    count += degree * (degree - 1) * (degree - 2) / 6;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (g.to[k] < node) count += (degree - 1) * (g.begin[g.to[k] + 1] - g.begin[g.to[k]] - 1);
  }
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node nodes = input.pick<Node>(10'000, 16'000);
  const Graph lower = make_lower(nodes, random);
  Graph g = renamed(lower, shuffled(nodes, random));
  sort_lists(g);
  Nodes rank(nodes);
  const Node deepest = degeneracy(g, rank);
  const Graph up = later(g, rank);
  constexpr std::size_t lanes = 12;
  Lanes marks(lanes, Nodes(nodes, none)), meetings(lanes, Nodes(nodes));
  Words table(1u << 18, ~std::uint64_t{0}), bits(nodes);
  std::uint64_t by_marks = 0, squares = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : by_marks, squares)
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    by_marks += triangles_by_marks(up, lane, lanes, marks[lane]);
    squares += circles(g, rank, lane, lanes, meetings[lane]);
  }
  fill_table(up, table);
  const std::uint64_t by_table = triangles_by_table(up, table);
  make_bits(lower, bits);
  const std::uint64_t by_bits = triangles_by_bits(bits) + far_triangles(lower);
  std::vector<Sketch> sketches(nodes);
  make_sketches(g, sketches);
  const std::uint64_t sum = squares + cliques(up) + similar(g, sketches) + stars_and_paths(g) + deepest;
  return {.checksum = static_cast<double>(sum + by_marks), .right = by_marks == by_table && by_bits == by_table};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
