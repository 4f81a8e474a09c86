// Layers of neural networks: convolution (direct, and by a matrix of patches), pooling, normalisation, attention, an
// embedding, a recurrent cell, training of a perceptron of two layers, Adam's update. Source: Goodfellow, Bengio,
// Courville, Deep Learning, 2016; Vaswani et al., NeurIPS 2017; Kingma and Ba, ICLR 2015.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Values = std::vector<float>;

CORPUS_REGION void fill(Values& values, std::uint64_t seed, float scale) {
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = scale * (static_cast<float>(corpus::random_real(seed, i)) - 0.5f);
}

struct Image {
  std::size_t channels, side;
  std::size_t at(std::size_t c, std::size_t y, std::size_t x) const { return (c * side + y) * side + x; }
};

/// 3 x 3 filters without a border; weights [out][in][9].
CORPUS_REGION void convolve(const Image& in, const Values& image, const Image& out, const Values& weight,
                            Values& result) {
#pragma omp parallel for collapse(2)
  for (std::size_t o = 0; o < out.channels; ++o)
    for (std::size_t y = 0; y < out.side; ++y)
      for (std::size_t c = 0; c < in.channels; ++c)
        for (std::size_t k = 0; k < 9; ++k) {
          const float w = weight[(o * in.channels + c) * 9 + k];
          const float* const source = image.data() + in.at(c, y + k / 3, k % 3);
          float* const target = result.data() + out.at(o, y, 0);
          for (std::size_t x = 0; x < out.side; ++x) target[x] += w * source[x];
        }
}

CORPUS_REGION void patches(const Image& in, const Values& image, std::size_t side, Values& matrix) {
#pragma omp parallel for
  for (std::size_t row = 0; row < in.channels * 9; ++row)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        matrix[(row * side + y) * side + x] = image[in.at(row / 9, y + row % 9 / 3, x + row % 3)];
}

/// [rows][inner] times [inner][columns], by blocks of 64 columns.
CORPUS_REGION void multiply(const Values& a, const Values& b, std::size_t rows, std::size_t inner, std::size_t columns,
                            Values& c) {
#pragma omp parallel for
  for (std::size_t block = 0; block < columns; block += 64)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < inner; ++k)
        for (std::size_t column = block; column < std::min(block + 64, columns); ++column)
          c[row * columns + column] += a[row * inner + k] * b[k * columns + column];
}

CORPUS_REGION void pool(const Image& in, const Values& image, Values& out) {
  const std::size_t half = in.side / 2;
#pragma omp parallel for collapse(2)
  for (std::size_t c = 0; c < in.channels; ++c)
    for (std::size_t y = 0; y < half; ++y)
      for (std::size_t x = 0; x < half; ++x) {
        const float* const p = image.data() + in.at(c, 2 * y, 2 * x);
        out[(c * half + y) * half + x] = std::max(std::max(p[0], p[1]), std::max(p[in.side], p[in.side + 1]));
      }
}

/// Every channel to mean 0 and variance 1: two passes for the sums, one to scale.
CORPUS_REGION void normalise(Values& image, std::size_t channels) {
  const std::size_t length = image.size() / channels;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t c = 0; c < channels; ++c) {
    float* const values = image.data() + c * length;
    float sum = 0, square = 0;
    for (std::size_t i = 0; i < length; ++i) sum += values[i];
    const float mean = sum / static_cast<float>(length);
    for (std::size_t i = 0; i < length; ++i) square += (values[i] - mean) * (values[i] - mean);
    const float scale = 1 / std::sqrt(square / static_cast<float>(length) + 1e-5f);
    for (std::size_t i = 0; i < length; ++i) values[i] = (values[i] - mean) * scale;
  }
}

constexpr std::size_t width = 64;

/// Scores, softmax and the weighted sum, question by question.
CORPUS_REGION void attend(const Values& question, const Values& key, const Values& value, std::size_t step,
                          Values& out) {
  const std::size_t length = key.size() / width;
#pragma omp parallel
  {
    Values score(length);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t q = 0; q < length; q += step) {
      float most = -1e9f, sum = 0;
      for (std::size_t k = 0; k < length; ++k) {
        float dot = 0;
        for (std::size_t i = 0; i < width; ++i) dot += question[q * width + i] * key[k * width + i];
        score[k] = dot * 0.125f;
        most = std::max(most, score[k]);
      }
      for (float& s : score) s = std::exp(s - most), sum += s;
      for (std::size_t k = 0; k < length; ++k)
        for (std::size_t i = 0; i < width; ++i) out[q * width + i] += score[k] / sum * value[k * width + i];
    }
  }
}

/// Rows of a table, named by words: short streams at random places; written one after the other.
CORPUS_REGION void embed(const Values& table, const std::vector<std::uint32_t>& words, Values& out) {
#pragma omp parallel for
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::size_t i = 0; i < width; ++i)
      out[w * width + i] = table[words[w] * width + i] + 0.01f * static_cast<float>(i);
}

CORPUS_REGION void collect_gradient(const std::vector<std::uint32_t>& words, const Values& gradient, Values& table) {
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::size_t i = 0; i < width; ++i) table[words[w] * width + i] -= 0.1f * gradient[w * width + i];
}

/// state = tanh(W state + input), whole weights each step.
CORPUS_REGION void recur(const Values& weight, const Values& inputs, Values& state, Values& next, std::size_t steps) {
  const std::size_t n = state.size();
  for (std::size_t step = 0; step < steps; ++step) {
#pragma omp parallel for
    for (std::size_t row = 0; row < n; ++row) {
      float sum = inputs[(step * n + row) % inputs.size()];
      for (std::size_t k = 0; k < n; ++k) sum += weight[row * n + k] * state[k];
      next[row] = std::tanh(sum);
    }
    state.swap(next);
  }
}

/// weight[row][k] -= rate error[row] x[k], and what goes back: W^T error.
CORPUS_REGION void learn(Values& weight, const Values& error, const Values& x, Values& back) {
#pragma omp parallel for
  for (std::size_t block = 0; block < x.size(); block += 32)
    for (std::size_t row = 0; row < error.size(); ++row)
      for (std::size_t k = block; k < std::min(block + 32, x.size()); ++k) {
        back[k] += weight[row * x.size() + k] * error[row];
        weight[row * x.size() + k] -= 0.01f * error[row] * x[k];
      }
}

CORPUS_REGION void adam(Values& weight, const Values& gradient, Values& first, Values& second) {
#pragma omp parallel for
  for (std::size_t i = 0; i < weight.size(); ++i) {
    first[i] = 0.9f * first[i] + 0.1f * gradient[i];
    second[i] = 0.999f * second[i] + 0.001f * gradient[i] * gradient[i];
    weight[i] -= 0.001f * first[i] / (std::sqrt(second[i]) + 1e-8f);
  }
}

CORPUS_REGION float difference(const Values& a, const Values& b) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  const Image in{3, input.pick<std::size_t>(130, 162)}, out{8, in.side - 2};
  Values image(in.channels * in.side * in.side), weight(out.channels * in.channels * 9);
  fill(image, input.seed, 1);
  fill(weight, input.seed + 1, 1);
  Values direct(out.channels * out.side * out.side), by_matrix(direct.size()),
      matrix(in.channels * 9 * out.side * out.side);
  convolve(in, image, out, weight, direct);
  patches(in, image, out.side, matrix);
  multiply(weight, matrix, out.channels, in.channels * 9, out.side * out.side, by_matrix);
  const bool right = difference(direct, by_matrix) < 1e-4f;
  normalise(direct, out.channels);
  Values pooled(direct.size() / 4);
  pool(out, direct, pooled);
  const std::size_t words = input.pick<std::size_t>(2'500, 4'000);
  Values table(8'000 * width), key(words * width), attended(words * width);
  fill(table, input.seed + 2, 1);
  std::vector<std::uint32_t> text(words);
  for (std::size_t w = 0; w < words; ++w) text[w] = corpus::random_below(8'000, input.seed + 3, w);
  embed(table, text, key);
  attend(key, key, key, words / 24, attended);
  collect_gradient(text, attended, table);
  const std::size_t n = input.pick<std::size_t>(420, 560);
  Values square(n * n), state(n), next(n), back(n);
  fill(square, input.seed + 4, 0.1f);
  recur(square, image, state, next, 3);
  learn(square, state, next, back);
  Values gradient(square), first(square.size()), second(square.size());
  adam(square, gradient, first, second);
  return {.checksum = static_cast<double>(square[n] + back[5] + attended[3] + pooled[7] + table[text[0] * width]),
          .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
