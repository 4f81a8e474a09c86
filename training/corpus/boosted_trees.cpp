// Decision trees, trained and asked: features in bins, histograms by rows and by columns and by subtraction, the search
// for splits, partition of rows; prediction by oblivious trees and by bit masks of leaves.
// Source: Friedman, Annals of Statistics 29(5), 2001; Chen, Guestrin, KDD 2016; Ke et al., NeurIPS 2017; Prokhorenkova
// et al., NeurIPS 2018 (oblivious trees); Lucchese et al., SIGIR 2015 (masks).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t features = 16, bins = 256, depth = 5, leaves = 1 << depth;

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint32_t>;

struct Gradient {
  float first = 0, second = 0;
};

using Histogram = std::array<Gradient, bins>;
using Histograms = std::array<Histogram, features>;

CORPUS_REGION void make_rows(Floats& rows, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto u = static_cast<float>(corpus::random_real(seed, i));
    rows[i] = i % 3 == 0 ? u * u : u;
  }
}

CORPUS_REGION void make_labels(const Floats& rows, std::uint64_t seed, Bytes& labels) {
#pragma omp parallel for
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float* const x = &rows[i * features];
    const float score = x[0] * x[1] + (x[2] > 0.4f ? x[3] : 1 - x[4]) - 0.5f * x[5];
    labels[i] = static_cast<double>(score) + 0.2 * corpus::random_real(seed, i) > 0.6;
  }
}

/// Limits of bins, from a sample.
CORPUS_REGION void find_limits(const Floats& rows, std::vector<Floats>& limits) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t f = 0; f < features; ++f) {
    Floats& sample = limits[f];
    for (std::size_t s = 0; s < sample.size(); ++s) sample[s] = rows[(s * 7 * features + f) % rows.size()];
    std::sort(sample.begin(), sample.end());
    for (std::size_t b = 0; b + 1 < bins; ++b) sample[b] = sample[(b + 1) * sample.size() / bins];
    sample.resize(bins - 1);
  }
}

/// Binary search; a byte for each value, by columns.
CORPUS_REGION void to_bins(const Floats& rows, const std::vector<Floats>& limits, Bytes& columns) {
  const std::size_t n = rows.size() / features;
#pragma omp parallel for collapse(2)
  for (std::size_t f = 0; f < features; ++f)
    for (std::size_t i = 0; i < n; ++i)
      columns[f * n + i] = static_cast<std::uint8_t>(
          std::lower_bound(limits[f].begin(), limits[f].end(), rows[i * features + f]) - limits[f].begin());
}

CORPUS_REGION void to_rows(const Bytes& columns, Bytes& rows) {
  const std::size_t n = rows.size() / features;
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t f = 0; f < features; ++f) rows[i * features + f] = columns[f * n + i];
}

CORPUS_REGION void gradients(const Floats& score, const Bytes& labels, std::vector<Gradient>& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < score.size(); ++i) {
    const float p = 1 / (1 + std::exp(-score[i]));
    out[i] = {p - static_cast<float>(labels[i]), p * (1 - p)};
  }
}

/// A lane to each feature: gathers of gradients, random additions to two KiB.
CORPUS_REGION void histogram_columns(const Bytes& columns, const std::vector<Gradient>& gradient,
                                     const Numbers& members, Histograms& out) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t f = 0; f < features; ++f) {
    out[f].fill({});
    const std::uint8_t* const column = &columns[f * gradient.size()];
    for (const std::uint32_t i : members) {
      out[f][column[i]].first += gradient[i].first;
      out[f][column[i]].second += gradient[i].second;
    }
  }
}

/// Row by row: 16 places in 32 KiB.
CORPUS_REGION void histogram_rows(const Bytes& rows, const std::vector<Gradient>& gradient, const Numbers& members,
                                  Histograms& out) {
  for (const std::uint32_t i : members)
    for (std::size_t f = 0; f < features; ++f) {
      Gradient& bin = out[f][rows[i * features + f]];
      bin.first += gradient[i].first;
      bin.second += gradient[i].second;
    }
}

struct Split {
  float gain = 0;
  std::uint8_t feature = 0, bin = 0;
};

/// The best of all limits between bins, from running sums; histograms of many nodes, one after the other.
CORPUS_REGION void find_splits(const std::vector<Histograms>& nodes, std::vector<Split>& splits) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t node = 0; node < nodes.size(); ++node)
    for (std::size_t f = 0; f < features; ++f) {
      Gradient all, left;
      for (const Gradient& bin : nodes[node][f]) all.first += bin.first, all.second += bin.second;
      for (std::size_t b = 0; b + 1 < bins; ++b) {
        left = {left.first + nodes[node][f][b].first, left.second + nodes[node][f][b].second};
        const float rest = all.first - left.first;
        const float gain = left.first * left.first / (left.second + 1) + rest * rest / (all.second - left.second + 1);
        if (gain > splits[node].gain) splits[node] = {gain, static_cast<std::uint8_t>(f), static_cast<std::uint8_t>(b)};
      }
    }
}

/// Histograms of the other child: parent minus child.
CORPUS_REGION void subtract(const Histograms& parent, const std::vector<Histograms>& child,
                            std::vector<Histograms>& other) {
#pragma omp parallel for
  for (std::size_t node = 0; node < child.size(); ++node)
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t b = 0; b < bins; ++b)
        other[node][f][b] = {parent[f][b].first - child[node][f][b].first,
                             parent[f][b].second - child[node][f][b].second};
}

/// Members that go left stay in order in front, the others behind; how many go left.
CORPUS_REGION std::size_t partition(const Bytes& columns, std::size_t n, const Split& split, const Numbers& members,
                                    Numbers& out) {
  const std::uint8_t* const column = &columns[split.feature * n];
  std::size_t left = 0, right = out.size();
  for (const std::uint32_t i : members) {
    const bool goes_left = column[i] <= split.bin;
    out[goes_left ? left : right - 1] = i;
    left += goes_left, right -= !goes_left;
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(left), out.end());
  return left;
}

/// A tree that asks the same question at all nodes of a level.
struct Oblivious {
  std::array<std::uint8_t, depth> feature, bin;
  std::array<float, leaves> value;
};

CORPUS_REGION void predict_oblivious(const Bytes& columns, const std::vector<Oblivious>& trees, Floats& score) {
  const std::size_t n = score.size();
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i)
    for (const Oblivious& tree : trees) {
      std::size_t leaf = 0;
      for (std::size_t level = 0; level < depth; ++level)
        leaf = 2 * leaf + (columns[tree.feature[level] * n + i] > tree.bin[level]);
      score[i] += tree.value[leaf];
    }
}

/// Leaf values of a tree: sums of gradients by leaf.
CORPUS_REGION void fit_leaves(const Bytes& rows, const std::vector<Gradient>& gradient, Oblivious& tree) {
  std::array<Gradient, leaves> sums{};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    std::size_t leaf = 0;
    for (std::size_t level = 0; level < depth; ++level)
      leaf = 2 * leaf + (rows[i * features + tree.feature[level]] > tree.bin[level]);
    sums[leaf].first += gradient[i].first;
    sums[leaf].second += gradient[i].second;
  }
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) tree.value[leaf] = -sums[leaf].first / (sums[leaf].second + 1);
}

/// Leaves that are still possible, as bits: each question that is answered by yes takes half of some away.
CORPUS_REGION void predict_masks(const Bytes& rows, const std::vector<Oblivious>& trees, Floats& score) {
#pragma omp parallel for
  for (std::size_t i = 0; i < score.size(); ++i)
    for (const Oblivious& tree : trees) {
      constexpr std::uint32_t right_half[depth] = {0xffff0000, 0xff00ff00, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa};
      std::uint32_t possible = ~0u;
      for (std::size_t level = 0; level < depth; ++level)
        possible &= rows[i * features + tree.feature[level]] > tree.bin[level] ? right_half[level] : ~right_half[level];
      score[i] += tree.value[static_cast<std::size_t>(std::countr_zero(possible))];
    }
}

CORPUS_REGION double loss(const Floats& score, const Bytes& labels) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < score.size(); ++i)
    sum += static_cast<double>(std::log1p(std::exp(labels[i] ? -score[i] : score[i])));
  return sum / static_cast<double>(score.size());
}

CORPUS_REGION float difference(const Floats& a, const Floats& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(32'000, 56'000);
  Floats values(n * features), score(n), by_masks(n);
  Bytes columns(n * features), rows(n * features), labels(n);
  make_rows(values, input.seed);
  make_labels(values, input.seed + 1, labels);
  std::vector<Floats> limits(features, Floats(4096));
  find_limits(values, limits);
  to_bins(values, limits, columns);
  to_rows(columns, rows);
  std::vector<Gradient> gradient(n);
  std::vector<Oblivious> trees;
  std::vector<Histograms> nodes(12), others(12);
  Histograms all{};
  Numbers everyone(n), members(n);
  std::iota(everyone.begin(), everyone.end(), 0u);
  const double before = loss(score, labels);
  for (int round = 0; round < 2; ++round) {
    gradients(score, labels, gradient);
    histogram_columns(columns, gradient, everyone, all);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const Split half{0, static_cast<std::uint8_t>(node), 120};
      members.resize(n);
      members.resize(partition(columns, n, half, everyone, members));
      nodes[node] = {};
      if (node % 4 == 0)
        histogram_rows(rows, gradient, members, nodes[node]);
      else
        histogram_columns(columns, gradient, members, nodes[node]);
    }
    subtract(all, nodes, others);
    std::vector<Split> splits(nodes.size());
    find_splits(nodes, splits);
    find_splits(others, splits);
    Oblivious tree{};
    for (std::size_t level = 0; level < depth; ++level)
      tree.feature[level] = splits[level].feature, tree.bin[level] = splits[level].bin;
    fit_leaves(rows, gradient, tree);
    trees.push_back(tree);
    score.assign(n, 0);
    predict_oblivious(columns, trees, score);
  }
  const double after = loss(score, labels);
  predict_masks(rows, trees, by_masks);
  return {.checksum = after, .right = after < before && difference(score, by_masks) < 1e-5f};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
