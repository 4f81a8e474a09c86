// Random walks over a graph: plain ones one after the other and all at once, with a memory of the last step, from
// tables of aliases; ranks from where walks stop, by pushing residuals, and by iteration; counts of who is met near
// whom, embeddings by negative sampling, coverage.
// Source: Grover, Leskovec, KDD 2016 (node2vec); Walker, ACM TOMS 3, 1977 and Vose, IEEE TSE 17, 1991 (aliases);
// Andersen, Chung, Lang, FOCS 2006 (pushing); Avrachenkov et al., SIAM J. Numerical Analysis 45, 2007; Mikolov et al.,
// NIPS 2013.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Values = std::vector<float>;
constexpr float stop = 0.2f;

struct Graph {
  Nodes begin, to;
  Node nodes() const { return static_cast<Node>(begin.size() - 1); }
  Node degree(Node node) const { return begin[node + 1] - begin[node]; }
};

/// A ring with chords; chords of a node end in an order that can be searched.
CORPUS_REGION Graph make_graph(Node nodes, corpus::Random& random) {
  Graph g{Nodes{0}, Nodes{}};
  for (Node node = 0; node < nodes; ++node) {
    g.to.push_back((node + 1) % nodes);
    for (Node k = random.below(9); k > 0; --k) {
      const double u = random.unit();
      g.to.push_back(static_cast<Node>(u * u * nodes));
    }
    std::sort(g.to.begin() + g.begin.back(), g.to.end());
    g.begin.push_back(static_cast<Node>(g.to.size()));
  }
  return g;
}

/// Visits of one walk after the other, each lane with walks of its own.
CORPUS_REGION void walk(const Graph& g, std::uint64_t seed, Node length, Nodes& paths) {
#pragma omp parallel for schedule(static)
  for (Node start = 0; start < paths.size() / length; ++start) {
    Node node = start * 7 % g.nodes();
    for (Node step = 0; step < length; ++step) {
      paths[start * length + step] = node;
      node = g.to[g.begin[node] + corpus::random_below(g.degree(node), seed + start, step)];
    }
  }
}

/// All walkers make one step: their misses do not wait for each other.
CORPUS_REGION void step_all(const Graph& g, std::uint64_t seed, Nodes& at) {
#pragma omp parallel for
  for (std::size_t w = 0; w < at.size(); ++w)
    at[w] = g.to[g.begin[at[w]] + corpus::random_below(g.degree(at[w]), seed, w)];
}

/// Walkers by the node they are at, so that the next step goes through the graph in order.
CORPUS_REGION void sort_walkers(const Nodes& at, Nodes& next, Nodes& sorted) {
  std::fill(next.begin(), next.end(), 0u);
  for (const Node node : at) ++next[node + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const Node node : at) sorted[next[node]++] = node;
}

bool linked(const Graph& g, Node a, Node b) {
  return std::binary_search(g.to.begin() + g.begin[a], g.to.begin() + g.begin[a + 1], b);
}

/// Going back is less likely, staying near the last node more likely: candidates are drawn until one is accepted.
CORPUS_REGION void walk_with_memory(const Graph& g, std::uint64_t seed, Node length, Nodes& paths) {
#pragma omp parallel for schedule(static)
  for (Node start = 0; start < paths.size() / length; ++start) {
    Node* const path = &paths[start * length];
    path[0] = (start * 11) % g.nodes();
    path[1] = g.to[g.begin[path[0]]];
    std::uint64_t draw = 0;
    for (Node step = 2; step < length; ++step) {
      const Node here = path[step - 1], last = path[step - 2];
      for (int tries = 0; tries < 8; ++tries) {
        path[step] = g.to[g.begin[here] + corpus::random_below(g.degree(here), seed + start, draw++)];
        const double likely = path[step] == last ? 0.25 : linked(g, last, path[step]) ? 1.0 : 0.5;
        if (corpus::random_real(seed + start, draw++) < likely) break;
      }
    }
  }
}

struct Alias {
  float share;  ///< of the slot's own arc
  Node other;
};

/// Tables to draw an arc by its weight (here the receiver's degree) with one look.
CORPUS_REGION void build_aliases(const Graph& g, std::vector<Alias>& table) {
#pragma omp parallel for schedule(static, 64)
  for (Node node = 0; node < g.nodes(); ++node) {
    const Node degree = g.degree(node);
    Alias* const own = &table[g.begin[node]];
    float sum = 0;
    for (Node k = 0; k < degree; ++k) sum += static_cast<float>(g.degree(g.to[g.begin[node] + k]));
    for (Node k = 0; k < degree; ++k)
      own[k] = {static_cast<float>(g.degree(g.to[g.begin[node] + k]) * degree) / sum, k};
    for (Node round = 0; round < degree; ++round) {  // the smallest open slot is filled up by the largest
      Node low = degree, high = 0;
      for (Node k = 0; k < degree; ++k) {
        if (own[k].other == k && own[k].share < 0.999f && (low == degree || own[k].share < own[low].share)) low = k;
        if (own[k].share > own[high].share) high = k;
      }
      if (low == degree || own[high].share <= 1.0f) break;
      own[low].other = high;
      own[high].share -= 1.0f - own[low].share;
    }
  }
}

CORPUS_REGION void step_weighted(const Graph& g, const std::vector<Alias>& table, std::uint64_t seed, Nodes& at) {
#pragma omp parallel for
  for (std::size_t w = 0; w < at.size(); ++w) {
    const Node slot = corpus::random_below(g.degree(at[w]), seed, 2 * w), first = g.begin[at[w]];
    const Alias& alias = table[first + slot];
    at[w] = g.to[first + (corpus::random_real(seed, 2 * w + 1) < alias.share ? slot : alias.other)];
  }
}

/// Where walks stop that go on with probability 1 - stop.
CORPUS_REGION void stopped_walks(const Graph& g, std::uint64_t seed, Nodes& ends, Node walks) {
#pragma omp parallel for schedule(static)
  for (Node w = 0; w < walks; ++w) {
    Node node = w % g.nodes();
    for (Node step = 0; corpus::random_real(seed + w, 2 * step) > stop; ++step)
      node = g.to[g.begin[node] + corpus::random_below(g.degree(node), seed + w, 2 * step + 1)];
#pragma omp atomic
    ++ends[node];
  }
}

/// The same as an iteration over all nodes, from the arcs' senders.
CORPUS_REGION void iterate(const Graph& g, const std::vector<double>& rank, std::vector<double>& next) {
  std::fill(next.begin(), next.end(), static_cast<double>(stop) / g.nodes());
  for (Node node = 0; node < g.nodes(); ++node) {
    const double share = (1.0 - static_cast<double>(stop)) * rank[node] / g.degree(node);
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) next[g.to[k]] += share;
  }
}

/// Rank from one node's point of view: whoever has more left than the tolerance gives it away.
CORPUS_REGION std::size_t push(const Graph& g, Node source, float tolerance, Values& rank, Values& left) {
  Nodes queue{source};
  left[source] += 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Node node = queue[i];
    const float amount = left[node], share = (1 - stop) * amount / static_cast<float>(g.degree(node));
    rank[node] += stop * amount;
    left[node] = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const float old = left[g.to[k]];
      left[g.to[k]] += share;
      if (old <= tolerance && old + share > tolerance) queue.push_back(g.to[k]);
    }
  }
  return queue.size();
}

/// How often two nodes are within two steps of a path, in a table of fixed size.
CORPUS_REGION void count_meetings(const Nodes& paths, Node length, Nodes& table) {
  for (std::size_t start = 0; start < paths.size(); start += length)
    for (Node i = 0; i + 2 < length; ++i)
      for (Node j = i + 1; j <= i + 2; ++j)
        ++table[corpus::random_bits(paths[start + i], paths[start + j]) % table.size()];
}

constexpr std::size_t dimensions = 16;

/// Vectors of nodes that follow each other are pulled together, those of any others apart.
CORPUS_REGION double train(const Nodes& paths, Node length, Node nodes, std::uint64_t seed, Values& in, Values& out) {
  double loss = 0;
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if ((i + 1) % length == 0) continue;
    float* const a = &in[paths[i] * dimensions];
    for (int k = 0; k < 2; ++k) {
      float* const b = &out[(k == 0 ? paths[i + 1] : corpus::random_below(nodes, seed, i)) * dimensions];
      float dot = 0;
      for (std::size_t d = 0; d < dimensions; ++d) dot += a[d] * b[d];
      const float right = k == 0 ? 1.0f : 0.0f, guess = 1 / (1 + std::exp(-dot)), change = 0.1f * (right - guess);
      loss -= std::log(static_cast<double>(k == 0 ? guess : 1 - guess));
      for (std::size_t d = 0; d < dimensions; ++d) {
        const float old = a[d];
        a[d] += change * b[d];
        b[d] += change * old;
      }
    }
  }
  return loss;
}

/// How many different nodes each path has, by a mark with the path's number.
CORPUS_REGION std::size_t coverage(const Nodes& paths, Node length, Nodes& mark) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto path = static_cast<Node>(i / length) + 1;
    count += mark[paths[i]] != path;
    mark[paths[i]] = path;
  }
  return count;
}

CORPUS_REGION double distance(const Nodes& ends, const std::vector<double>& rank, double walks) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t node = 0; node < rank.size(); ++node) sum += std::fabs(ends[node] / walks - rank[node]);
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node nodes = input.pick<Node>(18'000, 30'000), length = 12;
  const Graph g = make_graph(nodes, random);
  Nodes paths(nodes / 2 * length), memory(paths.size()), at(nodes * 2), sorted(at.size()), next(nodes + 1);
  walk(g, input.seed, length, paths);
  walk_with_memory(g, input.seed, length, memory);
  for (std::size_t w = 0; w < at.size(); ++w) at[w] = static_cast<Node>(w % nodes);
  for (std::uint64_t step = 0; step < 3; ++step) step_all(g, input.seed + step, at);
  sort_walkers(at, next, sorted);
  step_all(g, input.seed, sorted);
  std::vector<Alias> aliases(g.to.size());
  build_aliases(g, aliases);
  for (std::uint64_t step = 0; step < 2; ++step) step_weighted(g, aliases, input.seed + step, at);
  const Node walks = 2 * nodes;
  Nodes ends(nodes), meetings(1u << 18), mark(nodes);
  stopped_walks(g, input.seed, ends, walks);
  std::vector<double> rank(nodes, 1.0 / nodes), other(nodes);
  for (int round = 0; round < 8; ++round, rank.swap(other)) iterate(g, rank, other);
  const double differ = distance(ends, rank, walks);
  Values near(nodes), left(nodes), in(nodes * dimensions), out(nodes * dimensions);
  const std::size_t pushes = push(g, nodes / 3, 2e-6f, near, left);
  const double mass = std::accumulate(near.begin(), near.end(), std::accumulate(left.begin(), left.end(), 0.0));
  count_meetings(memory, length, meetings);
  for (float& value : in) value = static_cast<float>(random.unit()) - 0.5f;
  const double first = train(paths, length, nodes, 1, in, out), second = train(paths, length, nodes, 2, in, out);
  const std::size_t covered = coverage(memory, length, mark);
  const bool right = std::fabs(mass - 1) < 1e-3 && differ < 0.8 && second < first;
  return {.checksum = static_cast<double>(pushes + covered + at[5] + sorted[7] + meetings[9]) + second, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
