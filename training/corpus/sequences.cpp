// Layers of networks for sequences: normalisation of rows, rotary positions, attention to a cache in two passes and in
// one, LSTM (rate style) and GRU, experts that tokens are routed to, bags of embeddings, weights of four bits, the loss
// over a large vocabulary.
// Source: Hochreiter, Schmidhuber, Neural Computation 9(8), 1997; Cho et al., EMNLP 2014; Su et al., arXiv 2104.09864,
// 2021 (rotary); Milakov, Gimelshein, arXiv 1805.02867, 2018 (one pass); Shazeer et al., ICLR 2017 (experts); Naumov et
// al., arXiv 1906.00091, 2019 (bags); Dettmers, Zettlemoyer, ICML 2023 (four bits).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t width = 64, experts = 16;

using Floats = std::vector<float>;
using Numbers = std::vector<std::uint32_t>;

CORPUS_REGION void fill(Floats& values, std::uint64_t seed, float scale) {
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = scale * (static_cast<float>(corpus::random_real(seed, i)) - 0.5f);
}

float dot(const float* a, const float* b) {
  float sum = 0;
  for (std::size_t k = 0; k < width; ++k) sum += a[k] * b[k];
  return sum;
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

/// Each token to mean 0 and variance 1.
CORPUS_REGION void normalise(Floats& tokens) {
#pragma omp parallel for
  for (std::size_t t = 0; t < tokens.size() / width; ++t) {
    float* const x = &tokens[t * width];
    const float mean = std::accumulate(x, x + width, 0.0f) / width;
    float square = 1e-5f;
    for (std::size_t k = 0; k < width; ++k) square += (x[k] - mean) * (x[k] - mean);
    const float scale = std::sqrt(width / square);
    for (std::size_t k = 0; k < width; ++k) x[k] = (x[k] - mean) * scale;
  }
}

/// Pairs of numbers half a row apart are turned by the token's position; angles from a table.
CORPUS_REGION void turn(Floats& tokens, const Floats& cosines, const Floats& sines) {
#pragma omp parallel for
  for (std::size_t t = 0; t < tokens.size() / width; ++t)
    for (std::size_t k = 0; k < width / 2; ++k) {
      float &a = tokens[t * width + k], &b = tokens[t * width + width / 2 + k];
      const float c = cosines[t * width / 2 + k], s = sines[t * width / 2 + k], old = a;
      a = a * c - b * s, b = old * s + b * c;
    }
}

CORPUS_REGION void make_angles(Floats& cosines, Floats& sines) {
#pragma omp parallel for
  for (std::size_t i = 0; i < cosines.size(); ++i) {
    const auto k = static_cast<float>(i % (width / 2)), t = static_cast<float>(i / (width / 2));
    const float angle = t * std::exp2(-k * 0.4f);
    cosines[i] = std::cos(angle), sines[i] = std::sin(angle);
  }
}

/// One question to all keys: scores first, then the weighted sum.
CORPUS_REGION void attend(const Floats& keys, const Floats& values, Floats& scores, std::array<float, width>& out) {
  const std::size_t n = scores.size();
  float most = -1e9f, sum = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t t = 0; t < n; ++t) most = std::max(most, scores[t] = dot(&keys[0], &keys[t * width]) / 8);
  for (float& s : scores) sum += s = std::exp(s - most);
  out.fill(0);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t k = 0; k < width; ++k) out[k] += scores[t] / sum * values[t * width + k];
}

/// The same in one pass: what was summed so far is made smaller when a larger score comes.
CORPUS_REGION void attend_once(const Floats& keys, const Floats& values, std::array<float, width>& out) {
  float most = -1e9f, sum = 0;
  out.fill(0);
  for (std::size_t t = 0; t < keys.size() / width; ++t) {
    const float score = dot(&keys[0], &keys[t * width]) / 8, next = std::max(most, score);
    const float keep = std::exp(most - next), weight = std::exp(score - next);
    most = next, sum = sum * keep + weight;
    for (std::size_t k = 0; k < width; ++k) out[k] = out[k] * keep + weight * values[t * width + k];
  }
  for (float& x : out) x /= sum;
}

/// A sequence for each lane, that all read the same weights: four gates of `width` rows.
CORPUS_REGION void lstm(const Floats& weight, const Floats& tokens, std::size_t length, Floats& states) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < states.size() / width; ++s) {
    std::array<float, width> cell{}, state{};
    std::array<float, 4 * width> gate;
    for (std::size_t t = 0; t < length; ++t) {
      const float* const x = &tokens[(s * length + t) * width];
      for (std::size_t row = 0; row < 4 * width; ++row)
        gate[row] = dot(&weight[2 * row * width], x) + dot(&weight[(2 * row + 1) * width], state.data());
      for (std::size_t k = 0; k < width; ++k) {
        cell[k] = sigmoid(gate[k]) * cell[k] + sigmoid(gate[width + k]) * std::tanh(gate[2 * width + k]);
        state[k] = sigmoid(gate[3 * width + k]) * std::tanh(cell[k]);
      }
    }
    std::copy(state.begin(), state.end(), &states[s * width]);
  }
}

/// One large state of `n`; in each step all lanes stream three matrices of n x n.
CORPUS_REGION void gru_step(const Floats& weight, const Floats& input, const Floats& state, Floats& next) {
  const std::size_t n = state.size();
#pragma omp parallel for
  for (std::size_t row = 0; row < n; ++row) {
    float update = input[row], reset = input[n + row], candidate = 0;
    for (std::size_t k = 0; k < n; ++k) {
      update += weight[row * n + k] * state[k];
      reset += weight[(n + row) * n + k] * state[k];
      candidate += weight[(2 * n + row) * n + k] * state[k];
    }
    const float z = sigmoid(update);
    next[row] = z * state[row] + (1 - z) * std::tanh(input[2 * n + row] + sigmoid(reset) * candidate);
  }
}

struct Route {
  std::uint32_t token;
  float share;
};

/// The expert whose direction suits a token best.
CORPUS_REGION void choose(const Floats& tokens, const Floats& directions, Numbers& expert, Floats& share) {
#pragma omp parallel for
  for (std::size_t t = 0; t < expert.size(); ++t) {
    std::array<float, experts> score;
    for (std::size_t e = 0; e < experts; ++e) score[e] = dot(&tokens[t * width], &directions[e * width]);
    expert[t] = static_cast<std::uint32_t>(std::max_element(score.begin(), score.end()) - score.begin());
    float sum = 0;
    for (std::size_t e = 0; e < experts; ++e) sum += std::exp(score[e] - score[expert[t]]);
    share[t] = 1 / sum;
  }
}

CORPUS_REGION void dispatch(const Numbers& expert, const Floats& share, std::array<std::size_t, experts + 2>& start,
                            std::vector<Route>& routes) {
  start.fill(0);
  for (const std::uint32_t e : expert) ++start[e + 2];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (std::uint32_t t = 0; t < expert.size(); ++t) routes[start[expert[t] + 1]++] = {t, share[t]};
}

/// Each expert takes its tokens wherever they are, and writes its answers there.
CORPUS_REGION void ask_experts(const Floats& tokens, const Floats& weight, const std::vector<Route>& routes,
                               const std::array<std::size_t, experts + 2>& start, Floats& out) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t e = 0; e < experts; ++e)
    for (std::size_t r = start[e]; r < start[e + 1]; ++r)
      for (std::size_t row = 0; row < width; row += 4)
        out[routes[r].token * width + row] =
            routes[r].share * std::max(0.0f, dot(&weight[(e * width + row) * width], &tokens[routes[r].token * width]));
}

/// Sums of rows of a table: a bag is eight rows.
CORPUS_REGION void sum_bags(const Floats& table, const Numbers& names, Floats& out) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t bag = 0; bag < names.size() / 8; ++bag)
    for (std::size_t n = 8 * bag; n < 8 * bag + 8; ++n)
      for (std::size_t k = 0; k < width; ++k) out[bag * width + k] += table[names[n] * width + k];
}

/// Two weights a byte, a scale for 32 of them.
struct Block {
  std::array<std::uint8_t, 16> pair;
  float scale;
};

CORPUS_REGION void pack(const Floats& weight, std::vector<Block>& blocks) {
#pragma omp parallel for
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const float* const w = &weight[b * 32];
    float most = 1e-9f;
    for (std::size_t k = 0; k < 32; ++k) most = std::max(most, std::fabs(w[k]));
    blocks[b].scale = most / 7;
    for (std::size_t k = 0; k < 16; ++k)
      blocks[b].pair[k] = static_cast<std::uint8_t>(static_cast<int>(std::round(w[k] / most * 7)) + 8 +
                                                    16 * (static_cast<int>(std::round(w[16 + k] / most * 7)) + 8));
  }
}

CORPUS_REGION void multiply_packed(const std::vector<Block>& blocks, const Floats& x, Floats& y) {
  const std::size_t across = x.size() / 32;
#pragma omp parallel for
  for (std::size_t row = 0; row < y.size(); ++row) {
    float sum = 0;
    for (std::size_t b = 0; b < across; ++b) {
      const Block& block = blocks[row * across + b];
      float part = 0;
      for (std::size_t k = 0; k < 16; ++k)
        part += static_cast<float>((block.pair[k] & 15) - 8) * x[b * 32 + k] +
                static_cast<float>((block.pair[k] >> 4) - 8) * x[b * 32 + 16 + k];
      sum += block.scale * part;
    }
    y[row] = sum;
  }
}

CORPUS_REGION float packing_error(const Floats& weight, const Floats& x, const Floats& y) {
  float worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (std::size_t row = 0; row < y.size(); ++row) {
    float sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += weight[row * x.size() + k] * x[k];
    worst = std::max(worst, std::fabs(sum - y[row]));
  }
  return worst;
}

/// The surprise at the next word, for a few tokens: the whole table of words each time.
CORPUS_REGION double surprise(const Floats& tokens, const Floats& table, std::size_t count) {
  double loss = 0;
#pragma omp parallel for reduction(+ : loss) schedule(static, 1)
  for (std::size_t t = 0; t < count; ++t) {
    float sum = 0;
    for (std::size_t w = 0; w < table.size() / width; ++w) sum += std::exp(dot(&tokens[t * width], &table[w * width]));
    loss += static_cast<double>(std::log(sum) - dot(&tokens[t * width], &table[(7 * t + 1) * width]));
  }
  return loss / static_cast<double>(count);
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(4'000, 6'000), side = input.pick<std::size_t>(320, 448);
  Floats tokens(n * width), values(n * width), cosines(n * width / 2), sines(n * width / 2), scores(n);
  fill(tokens, input.seed, 2);
  make_angles(cosines, sines);
  normalise(tokens);
  turn(tokens, cosines, sines);
  fill(values, input.seed + 4, 1);
  std::array<float, width> twice, once;
  attend(tokens, values, scores, twice);
  attend_once(tokens, values, once);
  bool right = true;
  for (std::size_t k = 0; k < width; ++k) right = right && std::fabs(twice[k] - once[k]) < 1e-3f;
  Floats weight(3 * side * side), states(12 * width), state(side), next(side), packed_answer(3 * side);
  fill(weight, input.seed + 1, 0.2f);
  lstm(weight, tokens, 20, states);
  for (int step = 0; step < 2; ++step) {
    gru_step(weight, tokens, state, next);
    state.swap(next);
  }
  std::vector<Block> blocks(weight.size() / 32);
  pack(weight, blocks);
  multiply_packed(blocks, state, packed_answer);
  right = right && packing_error(weight, state, packed_answer) < 0.2f;
  Numbers expert(n);
  std::vector<Route> routes(n);
  std::array<std::size_t, experts + 2> start;
  choose(tokens, weight, expert, scores);
  dispatch(expert, scores, start, routes);
  ask_experts(tokens, weight, routes, start, values);
  Numbers names(n * 2);
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = corpus::random_below(static_cast<std::uint32_t>(n), input.seed + 2, i);
  Floats bags(names.size() / 8 * width);
  sum_bags(tokens, names, bags);
  fill(values, input.seed + 3, 0.1f);
  const double loss = surprise(tokens, values, 24);
  return {.checksum = loss + static_cast<double>(states[5] + state[3] + bags[7] + once[1]),
          .right = right && start[experts] == n && std::fabs(loss - std::log(static_cast<double>(n))) < 1};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
