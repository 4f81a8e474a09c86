// Who reaches whom in a directed graph: strongly connected components by Tarjan's search, by trimming with forward and
// backward reach, and by colours; the graph of components in topological order, its longest paths, sets of reached
// sinks, dominators of a flow graph.
// Source: Tarjan, SIAM J. Computing 1, 1972; Hong, Rodia, Olukotun, SC 2013 (trimming); Orzan, thesis, Vrije
// Universiteit 2004 (colours); Kahn, CACM 5, 1962; Cooper, Harvey, Kennedy, Rice TR-06-33870, 2006 (dominators).
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Marks = std::vector<std::uint8_t>;
constexpr Node none = ~Node{0};

struct Graph {
  Nodes begin, to;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
};

/// Most arcs lead a little forward, some a little backward: many components, one after the other. A knot in the middle
/// is one large component.
CORPUS_REGION Graph make_graph(Node nodes, corpus::Random& random) {
  Graph g{Nodes{0}, Nodes{}};
  for (Node node = 0; node < nodes; ++node) {
    for (Node k = 1 + random.below(4); k > 0; --k) {
      const bool knot = node / (nodes / 4) == 1;
      const Node to =
          knot ? nodes / 4 + random.below(nodes / 4) : node + random.below(300) - (random.below(8) ? 0 : 20);
      g.to.push_back(std::min(to, nodes - 1));
    }
    g.begin.push_back(static_cast<Node>(g.to.size()));
  }
  return g;
}

CORPUS_REGION void count_incoming(const Graph& g, Nodes& begin) {
#pragma omp parallel for
  for (std::size_t k = 0; k < g.to.size(); ++k) std::atomic_ref(begin[g.to[k]]).fetch_add(1);
}

CORPUS_REGION void place_incoming(const Graph& g, Graph& in) {
  for (Node node = g.nodes(); node-- > 0;)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) in.to[--in.begin[g.to[k]]] = node;
}

Graph reversed(const Graph& g) {
  Graph in{Nodes(g.nodes() + 1), Nodes(g.to.size())};
  count_incoming(g, in.begin);
  std::partial_sum(in.begin.begin(), in.begin.end(), in.begin.begin());
  place_incoming(g, in);
  return in;
}

struct Frame {
  Node node, next;
};

/// Components by one depth-first search with a stack of its own; component[node] is the root's number.
CORPUS_REGION Node tarjan(const Graph& g, Nodes& component) {
  Nodes index(g.nodes(), none), low(g.nodes()), stack;
  std::vector<Frame> calls;
  Node clock = 0, count = 0;
  for (Node start = 0; start < g.nodes(); ++start) {
    if (index[start] != none) continue;
    calls.push_back({start, g.begin[start]});
    while (!calls.empty()) {
      const auto [node, next] = calls.back();
      if (index[node] == none) index[node] = low[node] = clock++, stack.push_back(node);
      if (next > g.begin[node] && component[g.to[next - 1]] == none)
        low[node] = std::min(low[node], low[g.to[next - 1]]);
      if (next < g.begin[node + 1]) {
        ++calls.back().next;
        if (index[g.to[next]] == none) calls.push_back({g.to[next], g.begin[g.to[next]]});
        continue;
      }
      calls.pop_back();
      if (low[node] != index[node]) continue;
      ++count;
      for (Node top = none; top != node; stack.pop_back()) component[top = stack.back()] = node;
    }
  }
  return count;
}

/// Nodes that nobody points at, or that point at nobody, are alone. Looks at marks of the last round only.
CORPUS_REGION std::size_t trim(const Graph& g, const Graph& in, const Nodes& component, Nodes& next) {
  std::size_t alone = 0;
#pragma omp parallel for reduction(+ : alone)
  for (Node node = 0; node < g.nodes(); ++node) {
    next[node] = component[node];
    if (component[node] != none) continue;
    const auto others = [&](const Graph& side) {
      for (Node k = side.begin[node]; k < side.begin[node + 1]; ++k)
        if (side.to[k] != node && component[side.to[k]] == none) return true;
      return false;
    };
    if (others(g) && others(in)) continue;
    next[node] = node;
    ++alone;
  }
  return alone;
}

/// Marks with the bit whoever the frontier's nodes point at.
CORPUS_REGION std::size_t reach(const Graph& g, const Nodes& frontier, std::size_t count, std::uint8_t bit,
                                Marks& marks, Nodes& next) {
  std::atomic<std::size_t> found = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i)
    for (Node k = g.begin[frontier[i]]; k < g.begin[frontier[i] + 1]; ++k) {
      std::atomic_ref<std::uint8_t> mark(marks[g.to[k]]);
      if (mark.load(std::memory_order_relaxed) & bit) continue;
      if (!(mark.fetch_or(bit) & bit)) next[found.fetch_add(1)] = g.to[k];
    }
  return found;
}

void reach_all(const Graph& g, Node start, std::uint8_t bit, Marks& marks) {
  Nodes frontier(g.nodes()), next(g.nodes());
  frontier[0] = start;
  marks[start] |= bit;
  for (std::size_t count = 1; count > 0; frontier.swap(next)) count = reach(g, frontier, count, bit, marks, next);
}

CORPUS_REGION std::size_t take_both(const Marks& marks, Node root, Nodes& component) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t node = 0; node < marks.size(); ++node) {
    if (marks[node] != 3 || component[node] != none) continue;
    component[node] = root;
    ++count;
  }
  return count;
}

/// The largest number that reaches each node; one round, in place: colours only grow.
CORPUS_REGION bool spread_colours(const Graph& in, const Nodes& component, Nodes& colour) {
  bool changed = false;
#pragma omp parallel for reduction(|| : changed)
  for (Node node = 0; node < in.nodes(); ++node) {
    if (component[node] != none) continue;
    Node most = colour[node];
    for (Node k = in.begin[node]; k < in.begin[node + 1]; ++k)
      if (component[in.to[k]] == none)
        most = std::max(most, std::atomic_ref(colour[in.to[k]]).load(std::memory_order_relaxed));
    if (most == colour[node]) continue;
    std::atomic_ref(colour[node]).store(most, std::memory_order_relaxed);
    changed = true;
  }
  return changed;
}

/// Nodes of the root's colour that reach the root are its component.
CORPUS_REGION void take_colours(const Graph& in, const Nodes& colour, Nodes& component) {
  Nodes stack;
  for (Node root = 0; root < in.nodes(); ++root) {
    if (component[root] != none || colour[root] != root) continue;
    component[root] = root;
    for (stack.push_back(root); !stack.empty();) {
      const Node node = stack.back();
      stack.pop_back();
      for (Node k = in.begin[node]; k < in.begin[node + 1]; ++k)
        if (component[in.to[k]] == none && colour[in.to[k]] == root)
          component[in.to[k]] = root, stack.push_back(in.to[k]);
    }
  }
}

void by_colours(const Graph& in, Nodes& component) {
  Nodes colour(in.nodes());
  while (std::find(component.begin(), component.end(), none) != component.end()) {
    std::iota(colour.begin(), colour.end(), 0u);
    while (spread_colours(in, component, colour)) {}
    take_colours(in, colour, component);
  }
}

/// Names every component after its smallest node.
CORPUS_REGION void canonical(const Nodes& component, Nodes& smallest, Nodes& name) {
  for (Node node = static_cast<Node>(component.size()); node-- > 0;) smallest[component[node]] = node;
#pragma omp parallel for
  for (std::size_t node = 0; node < component.size(); ++node) name[node] = smallest[component[node]];
}

/// Arcs between components, with repetitions.
CORPUS_REGION Graph condense(const Graph& g, const Nodes& name) {
  std::vector<std::array<Node, 2>> arcs;
  for (Node node = 0; node < g.nodes(); ++node)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      if (name[node] != name[g.to[k]]) arcs.push_back({name[node], name[g.to[k]]});
  Graph c{Nodes(g.nodes() + 1), Nodes(arcs.size())};
  for (const auto& arc : arcs) ++c.begin[arc[0]];
  std::partial_sum(c.begin.begin(), c.begin.end(), c.begin.begin());
  for (const auto& arc : arcs) c.to[--c.begin[arc[0]]] = arc[1];
  return c;
}

CORPUS_REGION void topological(const Graph& g, Nodes& degree, Nodes& order) {
  for (Node node = 0; node < g.nodes(); ++node)
    if (degree[node] == 0) order.push_back(node);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Node k = g.begin[order[i]]; k < g.begin[order[i] + 1]; ++k)
      if (--degree[g.to[k]] == 0) order.push_back(g.to[k]);
}

CORPUS_REGION Node longest_path(const Graph& g, const Nodes& order, Nodes& length) {
  Node most = 0;
  for (const Node node : order) {
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      length[g.to[k]] = std::max(length[g.to[k]], length[node] + 1);
    most = std::max(most, length[node]);
  }
  return most;
}

using Set = std::array<std::uint64_t, 8>;

/// Which of 512 chosen nodes each one reaches, from the end of the order.
CORPUS_REGION void reached_sets(const Graph& g, const Nodes& order, std::vector<Set>& sets) {
  for (std::size_t i = order.size(); i-- > 0;) {
    Set& set = sets[order[i]];
    for (Node k = g.begin[order[i]]; k < g.begin[order[i] + 1]; ++k)
      for (std::size_t word = 0; word < set.size(); ++word) set[word] |= sets[g.to[k]][word];
  }
}

/// Immediate dominators of a graph without cycles: the last common ancestor of all who point here. Where there is none,
/// the first node of the order stands for an entry before all.
CORPUS_REGION void dominators(const Graph& in, const Nodes& order, Nodes& place, Nodes& dominator) {
  for (Node i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const Node node : order) {
    Node common = none;
    for (Node k = in.begin[node]; k < in.begin[node + 1]; ++k) {
      Node other = in.to[k];
      if (common == none) common = other;
      while (common != other) {
        Node& later = place[common] > place[other] ? common : other;
        if (dominator[later] == later)
          later = order[0], common = other = order[0];
        else
          later = dominator[later];
      }
    }
    dominator[node] = common == none ? node : common;
  }
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node nodes = input.pick<Node>(28'000, 48'000);
  const Graph g = make_graph(nodes, random), in = reversed(g);
  Nodes by_search(nodes, none), by_reach(nodes, none), next(nodes), scratch(nodes), names(nodes), others(nodes);
  const Node count = tarjan(g, by_search);
  for (int round = 0; round < 4; ++round, by_reach.swap(next)) trim(g, in, by_reach, next);
  Marks marks(nodes);
  const Node knot = nodes / 4 + nodes / 8;
  reach_all(g, knot, 1, marks);
  reach_all(in, knot, 2, marks);
  const std::size_t together = take_both(marks, knot, by_reach);
  by_colours(in, by_reach);
  canonical(by_search, scratch, names);
  canonical(by_reach, scratch, others);
  const Graph c = condense(g, names), back = reversed(c);
  Nodes degree(nodes), order, length(nodes), dominator(nodes);
  for (Node node = 0; node < nodes; ++node) degree[node] = back.begin[node + 1] - back.begin[node];
  topological(c, degree, order);
  const Node longest = longest_path(c, order, length);
  std::vector<Set> sets(nodes);
  for (std::size_t bit = 0; bit < 512; ++bit) sets[order[order.size() - 1 - bit]][bit / 64] |= 1ull << bit % 64;
  reached_sets(c, order, sets);
  dominators(back, order, scratch, dominator);
  std::size_t reached = 0, far = 0;
  bool right = names == others && order.size() == nodes && together > nodes / 8;
  for (Node node = 0; node < nodes; ++node) {
    for (const std::uint64_t word : sets[node]) reached += static_cast<std::size_t>(std::popcount(word));
    right = right && length[dominator[node]] <= length[node];
    far += dominator[node] != node;
  }
  return {.checksum = static_cast<double>(count + together + longest + reached + far), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
