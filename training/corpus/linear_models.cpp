// Linear models of sparse data: logistic regression by AdaGrad with gradients by rows and by columns, hashed features,
// support vectors by dual coordinates, the lasso by columns, naive Bayes, FTRL.
// Source: Duchi, Hazan, Singer, JMLR 12, 2011 (AdaGrad); Weinberger et al., ICML 2009 (hashing); Hsieh et al., ICML
// 2008 (dual coordinates); Friedman, Hastie, Tibshirani, J. Stat. Software 33(1), 2010 (lasso); McMahan et al., KDD
// 2013 (FTRL).
#include <algorithm>
#include <array>
#include <cmath>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t width = 12;  // features of a sample that are not 0

using Floats = std::vector<float>;
using Numbers = std::vector<std::uint32_t>;

struct Feature {
  std::uint32_t index;
  float value;
};

/// Samples in rows; some features are much more frequent than others.
struct Samples {
  std::size_t features;
  std::vector<Feature> entries;  ///< sample i has those from i * width on
  Floats label;                  ///< -1 or 1
};

CORPUS_REGION void make_entries(Samples& s, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t k = 0; k < s.entries.size(); ++k) {
    const double u = corpus::random_real(seed, 2 * k);
    s.entries[k] = {static_cast<std::uint32_t>(u * u * static_cast<double>(s.features)),
                    static_cast<float>(0.5 + corpus::random_real(seed, 2 * k + 1))};
  }
}

float hidden_weight(std::uint32_t feature) { return feature * 2654435761u >> 31 ? 1.0f : -1.0f; }

CORPUS_REGION void make_labels(Samples& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.label.size(); ++i) {
    float sum = 0;
    for (std::size_t k = i * width; k < (i + 1) * width; ++k)
      sum += s.entries[k].value * hidden_weight(s.entries[k].index);
    s.label[i] = sum < 0 ? -1.0f : 1.0f;
  }
}

float score(const Samples& s, std::size_t i, const Floats& weight) {
  float sum = 0;
  for (std::size_t k = i * width; k < (i + 1) * width; ++k) sum += s.entries[k].value * weight[s.entries[k].index];
  return sum;
}

/// Share of the samples that a model takes for what they are.
CORPUS_REGION double accuracy(const Samples& s, const Floats& weight) {
  std::size_t right = 0;
#pragma omp parallel for reduction(+ : right)
  for (std::size_t i = 0; i < s.label.size(); ++i) right += score(s, i, weight) * s.label[i] > 0;
  return static_cast<double>(right) / static_cast<double>(s.label.size());
}

/// How much each sample pulls.
CORPUS_REGION void errors(const Samples& s, const Floats& weight, Floats& error) {
#pragma omp parallel for
  for (std::size_t i = 0; i < error.size(); ++i)
    error[i] = s.label[i] / (1 + std::exp(s.label[i] * score(s, i, weight)));
}

/// The gradient by rows: scattered additions.
CORPUS_REGION void scatter(const Samples& s, const Floats& error, Floats& gradient) {
  for (std::size_t i = 0; i < error.size(); ++i)
    for (std::size_t k = i * width; k < (i + 1) * width; ++k)
      gradient[s.entries[k].index] += error[i] * s.entries[k].value;
}

/// The same samples by columns.
struct Columns {
  Numbers start;
  std::vector<Feature> entries;  ///< their index is the sample
};

CORPUS_REGION void count_columns(const Samples& s, Columns& c) {
  for (const Feature& f : s.entries) ++c.start[f.index + 2];
  for (std::size_t f = 2; f < c.start.size(); ++f) c.start[f] += c.start[f - 1];
}

CORPUS_REGION void fill_columns(const Samples& s, Columns& c) {
  for (std::size_t k = 0; k < s.entries.size(); ++k)
    c.entries[c.start[s.entries[k].index + 1]++] = {static_cast<std::uint32_t>(k / width), s.entries[k].value};
}

/// The gradient by columns: gathers.
CORPUS_REGION void gather(const Columns& c, const Floats& error, Floats& gradient) {
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t f = 0; f < gradient.size(); ++f) {
    float sum = 0;
    for (std::size_t k = c.start[f]; k < c.start[f + 1]; ++k) sum += c.entries[k].value * error[c.entries[k].index];
    gradient[f] = sum;
  }
}

CORPUS_REGION void adagrad(const Floats& gradient, Floats& squares, Floats& weight) {
#pragma omp parallel for
  for (std::size_t f = 0; f < weight.size(); ++f) {
    squares[f] += gradient[f] * gradient[f];
    weight[f] += gradient[f] / (std::sqrt(squares[f]) + 1e-6f);
  }
}

/// Features of pairs of neighbours, hashed to a table of weights; learnt as the samples come.
CORPUS_REGION std::size_t learn_hashed(const Samples& s, Floats& table) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < s.label.size(); ++i) {
    std::array<std::uint32_t, 2 * width> place;
    float sum = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint32_t a = s.entries[i * width + k].index, b = s.entries[i * width + (k + 1) % width].index;
      place[2 * k] = a * 2654435761u % table.size();
      place[2 * k + 1] = ((a * 31 + b) * 2246822519u >> 7) % table.size();
      sum += table[place[2 * k]] + table[place[2 * k + 1]];
    }
    wrong += sum * s.label[i] <= 0;
    const float step = 0.1f * s.label[i] / (1 + std::exp(s.label[i] * sum));
    for (const std::uint32_t p : place) table[p] += step;
  }
  return wrong;
}

/// Support vectors: one dual variable after the other, in random order.
CORPUS_REGION void dual_coordinates(const Samples& s, Floats& alpha, Floats& weight, corpus::Random& random) {
  for (std::size_t step = 0; step < alpha.size(); ++step) {
    const std::size_t i = random.below(alpha.size());
    float square = 1e-6f;
    for (std::size_t k = i * width; k < (i + 1) * width; ++k) square += s.entries[k].value * s.entries[k].value;
    const float wanted = alpha[i] + (1 - s.label[i] * score(s, i, weight)) / square;
    const float change = (std::clamp(wanted, 0.0f, 1.0f) - alpha[i]) * s.label[i];
    alpha[i] = std::clamp(wanted, 0.0f, 1.0f);
    for (std::size_t k = i * width; k < (i + 1) * width; ++k) weight[s.entries[k].index] += change * s.entries[k].value;
  }
}

struct Proximal {
  float z = 0, n = 0;
  float weight() const {
    if (std::fabs(z) <= 0.05f) return 0;
    return -(z - std::copysign(0.05f, z)) / (1 + std::sqrt(n));
  }
};

/// FTRL: weights are made from two numbers when they are asked for.
CORPUS_REGION void follow_leader(const Samples& s, std::vector<Proximal>& table) {
  for (std::size_t i = 0; i < s.label.size(); ++i) {
    const Feature* const sample = &s.entries[i * width];
    float sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += sample[k].value * table[sample[k].index].weight();
    const float error = -s.label[i] / (1 + std::exp(s.label[i] * sum));
    for (std::size_t k = 0; k < width; ++k) {
      Proximal& p = table[sample[k].index];
      const float g = error * sample[k].value;
      const float sigma = std::sqrt(p.n + g * g) - std::sqrt(p.n);
      p.z += g - sigma * p.weight();
      p.n += g * g;
    }
  }
}

CORPUS_REGION void weights_of(const std::vector<Proximal>& table, Floats& weight) {
#pragma omp parallel for
  for (std::size_t f = 0; f < weight.size(); ++f) weight[f] = table[f].weight();
}

/// Naive Bayes: counts of both classes, side by side.
CORPUS_REGION void count_classes(const Samples& s, std::vector<std::array<std::uint32_t, 2>>& counts) {
#pragma omp parallel for
  for (std::size_t k = 0; k < s.entries.size(); ++k) {
#pragma omp atomic
    ++counts[s.entries[k].index][s.label[k / width] > 0];
  }
}

CORPUS_REGION void logarithms(const std::vector<std::array<std::uint32_t, 2>>& counts, Floats& weight) {
#pragma omp parallel for
  for (std::size_t f = 0; f < weight.size(); ++f)
    weight[f] = std::log(static_cast<float>(counts[f][1] + 1) / static_cast<float>(counts[f][0] + 1));
}

constexpr std::size_t dense = 64;  // features of the dense samples below, by columns

CORPUS_REGION void make_dense(Floats& columns, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<float>(corpus::random_real(seed, k)) - 0.5f;
}

CORPUS_REGION void target_of(const Floats& columns, Floats& rest) {
#pragma omp parallel for
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (std::size_t f = 0; f < 8; ++f) rest[i] += columns[f * rest.size() + i];
}

/// The lasso: column by column against what is left; small weights become 0.
CORPUS_REGION void lasso(const Floats& columns, Floats& rest, std::array<float, dense>& weight) {
  const std::size_t n = rest.size();
  for (std::size_t f = 0; f < dense; ++f) {
    const float* const x = &columns[f * n];
    float product = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) product += x[i] * rest[i], square += x[i] * x[i];
    const float full = weight[f] + product / square, penalty = 0.1f;
    const float change = std::copysign(std::max(0.0f, std::fabs(full) - penalty), full) - weight[f];
    weight[f] += change;
    if (change != 0)
      for (std::size_t i = 0; i < n; ++i) rest[i] -= change * x[i];
  }
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t n = input.pick<std::size_t>(20'000, 32'000), m = input.pick<std::size_t>(40'000, 60'000);
  Samples s{m, std::vector<Feature>(n * width), Floats(n)};
  make_entries(s, input.seed);
  make_labels(s);
  Floats weight(m), error(n), gradient(m), by_rows(m), squares(m);
  Columns columns{Numbers(m + 2), std::vector<Feature>(n * width)};
  count_columns(s, columns);
  fill_columns(s, columns);
  errors(s, weight, error);
  gather(columns, error, gradient);
  scatter(s, error, by_rows);
  bool right = std::equal(gradient.begin(), gradient.end(), by_rows.begin(),
                          [](float a, float b) { return std::fabs(a - b) < 1e-3f; });
  adagrad(gradient, squares, weight);
  double sum = accuracy(s, weight);
  std::vector<std::array<std::uint32_t, 2>> counts(m);
  count_classes(s, counts);
  logarithms(counts, weight);
  sum += accuracy(s, weight);
  weight.assign(m, 0);
  error.assign(n, 0);
  dual_coordinates(s, error, weight, random);
  sum += accuracy(s, weight);
  std::vector<Proximal> table(m);
  follow_leader(s, table);
  weights_of(table, weight);
  sum += accuracy(s, weight);
  right = right && sum > 4 * 0.7;
  Floats hashed(input.pick<std::size_t>(100'000, 200'000));
  const std::size_t wrong = learn_hashed(s, hashed);
  const std::size_t many = input.pick<std::size_t>(6'000, 10'000);
  Floats dense_columns(many * dense), rest(many);
  make_dense(dense_columns, input.seed + 1);
  target_of(dense_columns, rest);
  std::array<float, dense> found{};
  lasso(dense_columns, rest, found);
  for (std::size_t f = 0; f < dense; ++f) right = right && (std::fabs(found[f]) > 0.3f) == (f < 8);
  return {.checksum = sum + static_cast<double>(wrong), .right = right && wrong < n / 2};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
