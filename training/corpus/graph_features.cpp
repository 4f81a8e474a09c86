// Networks on graphs: neighbours' features are added up, averaged, the largest taken, weighted by attention; products
// with weights, and the way back; sampled neighbours, edges' own features, normalised layers.
// Source: Kipf, Welling, ICLR 2017 (convolution); Hamilton, Ying, Leskovec, NIPS 2017 (sampling, pooling); Velickovic
// et al., ICLR 2018 (attention); Gilmer et al., ICML 2017 (messages); Wu et al., ICML 2019 (simplified propagation).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Node = std::uint32_t;
using Nodes = std::vector<Node>;
using Values = std::vector<float>;
constexpr std::size_t width = 16;  // features of a node

struct Graph {
  Nodes begin, from, slot;  // slot: of the arc in the list of arcs by sender
  std::size_t nodes() const { return begin.size() - 1; }
  float degree(std::size_t node) const { return static_cast<float>(begin[node + 1] - begin[node]); }
};

/// Communities of nearby numbers, and popular nodes that many look at.
CORPUS_REGION Graph make_graph(Node nodes, corpus::Random& random) {
  Graph g{Nodes{0}, Nodes{}, Nodes{}};
  for (Node node = 0; node < nodes; ++node) {
    g.from.push_back(node);
    for (Node k = 2 + random.below(6); k > 0; --k)
      g.from.push_back(random.below(2) ? (node + random.below(500)) % nodes : random.below(1 + random.below(nodes)));
    g.begin.push_back(static_cast<Node>(g.from.size()));
  }
  return g;
}

/// Arcs by sender: receivers, and where each arc is there.
CORPUS_REGION Graph reversed(Graph& g) {
  Graph out{Nodes(g.begin.size()), Nodes(g.from.size()), Nodes{}};
  g.slot.resize(g.from.size());
  for (const Node from : g.from) ++out.begin[from];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  for (std::size_t node = g.nodes(); node-- > 0;)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      g.slot[k] = --out.begin[g.from[k]];
      out.from[g.slot[k]] = static_cast<Node>(node);
    }
  return out;
}

CORPUS_REGION void randomise(std::uint64_t seed, Values& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(corpus::random_real(seed, i)) - 0.5f;
}

/// Kipf and Welling: with the roots of both degrees.
CORPUS_REGION void convolve(const Graph& g, const Values& x, Values& y) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    std::array<float, width> sum{};
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      const float scale = 1 / std::sqrt(g.degree(node) * g.degree(g.from[k]));
      for (std::size_t c = 0; c < width; ++c) sum[c] += scale * x[g.from[k] * width + c];
    }
    std::copy(sum.begin(), sum.end(), &y[node * width]);
  }
}

/// The largest of each feature, and whose it was.
CORPUS_REGION void pool(const Graph& g, const Values& x, Values& y, Nodes& whose) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node)
    for (std::size_t c = 0; c < width; ++c) {
      Node best = g.from[g.begin[node]];
      for (Node k = g.begin[node] + 1; k < g.begin[node + 1]; ++k)
        if (x[g.from[k] * width + c] > x[best * width + c]) best = g.from[k];
      y[node * width + c] = x[best * width + c];
      whose[node * width + c] = best;
    }
}

/// The way back from pooling: a gradient goes to whose feature it was.
CORPUS_REGION void unpool(const Nodes& whose, const Values& gradient, Values& back) {
  for (std::size_t i = 0; i < whose.size(); ++i) back[whose[i] * width + i % width] += gradient[i];
}

/// The average over four neighbours that chance chooses.
CORPUS_REGION void sample(const Graph& g, std::uint64_t seed, const Values& x, Values& y) {
#pragma omp parallel for schedule(static, 128)
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    const Node degree = g.begin[node + 1] - g.begin[node];
    std::array<float, width> sum{};
    for (std::uint64_t i = 0; i < 4; ++i) {
      const Node from = g.from[g.begin[node] + corpus::random_below(degree, seed, node * 4 + i)];
      for (std::size_t c = 0; c < width; ++c) sum[c] += x[from * width + c];
    }
    for (std::size_t c = 0; c < width; ++c) y[node * width + c] = sum[c] / 4;
  }
}

/// y = max(0, x weights), a small matrix for all rows.
CORPUS_REGION void dense(const Values& x, const Values& weights, Values& y) {
#pragma omp parallel for
  for (std::size_t node = 0; node < x.size() / width; ++node) {
    std::array<float, width> sum{};
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t c = 0; c < width; ++c) sum[c] += x[node * width + k] * weights[k * width + c];
    for (std::size_t c = 0; c < width; ++c) y[node * width + c] = std::max(0.0f, sum[c]);
  }
}

/// The gradient of the weights: x transposed times that of y.
CORPUS_REGION void weight_gradient(const Values& x, const Values& gradient, Values& result) {
  float* const sums = result.data();
#pragma omp parallel for reduction(+ : sums[ : width * width])
  for (std::size_t node = 0; node < x.size() / width; ++node)
    for (std::size_t k = 0; k < width; ++k)
      for (std::size_t c = 0; c < width; ++c) sums[k * width + c] += x[node * width + k] * gradient[node * width + c];
}

/// One score for each arc: how alike its ends are.
CORPUS_REGION void scores(const Graph& g, const Values& x, Values& score) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) {
      float dot = 0;
      for (std::size_t c = 0; c < width; ++c) dot += x[node * width + c] * x[g.from[k] * width + c];
      score[k] = dot > 0 ? dot : 0.2f * dot;
    }
}

/// Scores to shares of each receiver.
CORPUS_REGION void softmax(const Graph& g, Values& score) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    float most = score[g.begin[node]], sum = 0;
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) most = std::max(most, score[k]);
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) sum += score[k] = std::exp(score[k] - most);
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) score[k] /= sum;
  }
}

CORPUS_REGION void attend(const Graph& g, const Values& share, const Values& x, Values& y) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t node = 0; node < g.nodes(); ++node) {
    std::array<float, width> sum{};
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      for (std::size_t c = 0; c < width; ++c) sum[c] += share[k] * x[g.from[k] * width + c];
    std::copy(sum.begin(), sum.end(), &y[node * width]);
  }
}

/// Shares in the order of senders: a permutation over all arcs.
CORPUS_REGION void turn_round(const Nodes& slot, const Values& share, Values& by_sender) {
#pragma omp parallel for
  for (std::size_t k = 0; k < slot.size(); ++k) by_sender[slot[k]] = share[k];
}

/// The way back from attending as additions to the senders, one arc after the other.
CORPUS_REGION void scatter_back(const Graph& g, const Values& share, const Values& gradient, Values& back) {
  for (std::size_t node = 0; node < g.nodes(); ++node)
    for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k)
      for (std::size_t c = 0; c < width; ++c) back[g.from[k] * width + c] += share[k] * gradient[node * width + c];
}

/// Messages are made for every arc first, and added up from there.
CORPUS_REGION void messages(const Graph& g, const Values& x, const Values& share, Values& message) {
#pragma omp parallel for
  for (std::size_t k = 0; k < share.size(); ++k)
    for (std::size_t c = 0; c < 4; ++c) message[k * 4 + c] = share[k] * std::tanh(x[g.from[k] * width + 4 * c]);
}

CORPUS_REGION void receive(const Graph& g, const Values& message, Values& y) {
#pragma omp parallel for
  for (std::size_t node = 0; node < g.nodes(); ++node)
    for (std::size_t c = 0; c < 4; ++c) {
      float sum = 0;
      for (Node k = g.begin[node]; k < g.begin[node + 1]; ++k) sum += message[k * 4 + c];
      y[node * width + 4 * c] = sum;
    }
}

/// Every feature gets mean 0 and variance 1 over all nodes: columns of the table.
CORPUS_REGION void normalise(Values& x) {
  const std::size_t nodes = x.size() / width;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
      sum += x[node * width + c];
      squares += x[node * width + c] * x[node * width + c];
    }
    const double mean = sum / static_cast<double>(nodes);
    const auto scale = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(nodes) - mean * mean + 1e-9));
    for (std::size_t node = 0; node < nodes; ++node)
      x[node * width + c] = (x[node * width + c] - static_cast<float>(mean)) * scale;
  }
}

CORPUS_REGION double dot(const Values& x, const Values& y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i] * y[i]);
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Node nodes = input.pick<Node>(11'000, 20'000);
  Graph g = make_graph(nodes, random);
  const Graph out = reversed(g);
  const std::size_t arcs = g.from.size(), size = nodes * width;
  Values x(size), y(size), z(size), gradient(size), weights(width * width), found(width * width);
  Values share(arcs), by_sender(arcs), message(4 * arcs);
  Nodes whose(size);
  randomise(input.seed, x);
  randomise(input.seed + 1, weights);
  randomise(input.seed + 2, gradient);
  convolve(g, x, y);
  dense(y, weights, z);
  sample(g, input.seed, z, y);
  normalise(y);
  pool(g, y, z, whose);
  std::fill(x.begin(), x.end(), 0.0f);
  unpool(whose, gradient, x);
  // Whoever is at both ends of an adjoint pair sees the same product.
  const double pooled = dot(z, gradient), unpooled = dot(x, y);
  scores(g, y, share);
  softmax(g, share);
  const double shares = std::accumulate(share.begin(), share.end(), 0.0);
  attend(g, share, y, z);
  turn_round(g.slot, share, by_sender);
  attend(out, by_sender, gradient, x);
  const double attended = dot(z, gradient), back = dot(x, y);
  std::fill(x.begin(), x.end(), 0.0f);
  scatter_back(g, share, gradient, x);
  const double scattered = dot(x, y);
  weight_gradient(y, gradient, found);
  messages(g, z, share, message);
  receive(g, message, y);
  const double tolerance = 1e-3 * std::sqrt(static_cast<double>(size));
  const bool right = std::fabs(pooled - unpooled) < tolerance && std::fabs(attended - back) < tolerance &&
                     std::fabs(attended - scattered) < tolerance && std::fabs(shares - nodes) < 1e-3 * nodes;
  return {.checksum = attended + pooled + dot(y, y) + static_cast<double>(found[3]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
