// Layers of networks for images: convolution by Winograd's transforms, channel by channel, by 1 x 1, transposed and in
// bytes; pooling and back, normalisation of groups with activation, softmax of pixels.
// Source: Lavin, Gray, CVPR 2016 (Winograd); Howard et al., arXiv 1704.04861, 2017 (channel by channel); Dumoulin,
// Visin, arXiv 1603.07285, 2016 (transposed); Jacob et al., CVPR 2018 (bytes); Wu, He, ECCV 2018 (groups).
#include <algorithm>
#include <array>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::int8_t>;

/// Channels one after the other, rows of `side` pixels.
struct Image {
  std::size_t channels, side;
  Floats pixel = Floats(channels * side * side);
  std::size_t plane() const { return side * side; }
  float* row(std::size_t c, std::size_t y) { return &pixel[(c * side + y) * side]; }
  const float* row(std::size_t c, std::size_t y) const { return &pixel[(c * side + y) * side]; }
};

CORPUS_REGION void fill(Floats& values, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(corpus::random_real(seed, i)) - 0.5f;
}

/// 3 x 3 filters, channel by channel; weights are nine for each.
CORPUS_REGION void depthwise(const Image& in, const Floats& weight, Image& out) {
#pragma omp parallel for collapse(2)
  for (std::size_t c = 0; c < in.channels; ++c)
    for (std::size_t y = 1; y < in.side - 1; ++y) {
      const float *const above = in.row(c, y - 1), *const here = in.row(c, y), *const below = in.row(c, y + 1);
      const float* const w = &weight[c * 9];
      for (std::size_t x = 1; x < in.side - 1; ++x)
        out.row(c, y)[x] = w[0] * above[x - 1] + w[1] * above[x] + w[2] * above[x + 1] + w[3] * here[x - 1] +
                           w[4] * here[x] + w[5] * here[x + 1] + w[6] * below[x - 1] + w[7] * below[x] +
                           w[8] * below[x + 1];
    }
}

using Tile = std::array<float, 16>;

/// B^T d B of a tile of 4 x 4.
Tile transform(const Image& in, std::size_t c, std::size_t y, std::size_t x) {
  Tile half, tile;
  for (std::size_t k = 0; k < 4; ++k) {
    const float a = in.row(c, y)[x + k], b = in.row(c, y + 1)[x + k], d = in.row(c, y + 2)[x + k];
    half[k] = a - d, half[4 + k] = b + d, half[8 + k] = d - b, half[12 + k] = b - in.row(c, y + 3)[x + k];
  }
  for (std::size_t r = 0; r < 16; r += 4) {
    tile[r] = half[r] - half[r + 2], tile[r + 1] = half[r + 1] + half[r + 2];
    tile[r + 2] = half[r + 2] - half[r + 1], tile[r + 3] = half[r + 1] - half[r + 3];
  }
  return tile;
}

/// G g G^T of a filter of 3 x 3.
Tile transform_filter(const float* g) {
  std::array<float, 12> half;
  for (std::size_t k = 0; k < 3; ++k) {
    half[k] = g[k], half[9 + k] = g[6 + k];
    half[3 + k] = (g[k] + g[3 + k] + g[6 + k]) / 2, half[6 + k] = (g[k] - g[3 + k] + g[6 + k]) / 2;
  }
  Tile tile;
  for (std::size_t r = 0; r < 4; ++r) {
    const float a = half[3 * r], b = half[3 * r + 1], c = half[3 * r + 2];
    tile[4 * r] = a, tile[4 * r + 1] = (a + b + c) / 2, tile[4 * r + 2] = (a - b + c) / 2, tile[4 * r + 3] = c;
  }
  return tile;
}

/// The tiles of all channels.
CORPUS_REGION void to_tiles(const Image& in, std::vector<Tile>& tiles) {
  const std::size_t across = (in.side - 2) / 2;
#pragma omp parallel for collapse(2)
  for (std::size_t c = 0; c < in.channels; ++c)
    for (std::size_t y = 0; y < across; ++y)
      for (std::size_t x = 0; x < across; ++x) tiles[(c * across + y) * across + x] = transform(in, c, 2 * y, 2 * x);
}

/// Products of tiles and filters, and back to 2 x 2 pixels.
CORPUS_REGION void from_tiles(const std::vector<Tile>& tiles, const Floats& weight, Image& out) {
  const std::size_t across = (out.side - 2) / 2;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t c = 0; c < out.channels; ++c) {
    const Tile filter = transform_filter(&weight[c * 9]);
    for (std::size_t y = 0; y < across; ++y)
      for (std::size_t x = 0; x < across; ++x) {
        const Tile& tile = tiles[(c * across + y) * across + x];
        std::array<float, 8> half;
        for (std::size_t k = 0; k < 4; ++k) {
          const float b = tile[4 + k] * filter[4 + k], d = tile[8 + k] * filter[8 + k];
          half[k] = tile[k] * filter[k] + b + d, half[4 + k] = b - d - tile[12 + k] * filter[12 + k];
        }
        for (std::size_t r = 0; r < 2; ++r) {
          float* const pixel = out.row(c, 2 * y + 1 + r) + 2 * x + 1;
          pixel[0] = half[4 * r] + half[4 * r + 1] + half[4 * r + 2];
          pixel[1] = half[4 * r + 1] - half[4 * r + 2] - half[4 * r + 3];
        }
      }
  }
}

CORPUS_REGION float difference(const Image& a, const Image& b) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t c = 0; c < a.channels; ++c)
    for (std::size_t y = 1; y < a.side - 1; ++y)
      for (std::size_t x = 1; x < a.side - 1; ++x) most = std::max(most, std::fabs(a.row(c, y)[x] - b.row(c, y)[x]));
  return most;
}

/// 1 x 1: every pixel's channels times a matrix; planes of all channels side by side.
CORPUS_REGION void pointwise(const Image& in, const Floats& weight, Image& out) {
  constexpr std::size_t block = 128;
#pragma omp parallel for
  for (std::size_t start = 0; start < in.plane(); start += block)
    for (std::size_t o = 0; o < out.channels; o += 2)
      for (std::size_t c = 0; c < in.channels; ++c) {
        const float w = weight[o * in.channels + c], v = weight[(o + 1) * in.channels + c];
        for (std::size_t p = start; p < std::min(start + block, in.plane()); ++p) {
          out.pixel[o * in.plane() + p] += w * in.pixel[c * in.plane() + p];
          out.pixel[(o + 1) * in.plane() + p] += v * in.pixel[c * in.plane() + p];
        }
      }
}

/// Each pixel of a small image is spread over 3 x 3 of one of twice its side.
CORPUS_REGION void transposed(const Image& in, const Floats& weight, Image& out) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t c = 0; c < in.channels; ++c)
    for (std::size_t y = 0; y + 1 < in.side; ++y)
      for (std::size_t x = 0; x + 1 < in.side; ++x)
        for (std::size_t k = 0; k < 9; ++k)
          out.row(c, 2 * y + k / 3)[2 * x + k % 3] += weight[c * 9 + k] * in.row(c, y)[x];
}

CORPUS_REGION double sum_of(const Floats& values) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]);
  return sum;
}

/// The largest of 2 x 2, and which it was.
CORPUS_REGION void pool(const Image& in, Image& out, Bytes& which) {
#pragma omp parallel for collapse(2)
  for (std::size_t c = 0; c < out.channels; ++c)
    for (std::size_t y = 0; y < out.side; ++y)
      for (std::size_t x = 0; x < out.side; ++x) {
        std::int8_t best = 0;
        for (std::int8_t k = 1; k < 4; ++k)
          if (in.row(c, 2 * y + k / 2)[2 * x + k % 2] > in.row(c, 2 * y + best / 2)[2 * x + best % 2]) best = k;
        which[(c * out.side + y) * out.side + x] = best;
        out.row(c, y)[x] = in.row(c, 2 * y + best / 2)[2 * x + best % 2];
      }
}

/// Back: errors go where the largest came from, zero elsewhere.
CORPUS_REGION void unpool(const Image& error, const Bytes& which, Image& out) {
#pragma omp parallel for
  for (std::size_t i = 0; i < which.size(); ++i) {
    const std::size_t c = i / error.plane(), y = i / error.side % error.side, x = i % error.side;
    for (std::size_t k = 0; k < 4; ++k)
      out.row(c, 2 * y + k / 2)[2 * x + k % 2] = static_cast<std::int8_t>(k) == which[i] ? error.pixel[i] : 0;
  }
}

/// To bytes, by the largest value of each channel.
CORPUS_REGION void quantise(const Image& in, Bytes& out, Floats& scale) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t c = 0; c < in.channels; ++c) {
    float most = 1e-9f;
    for (std::size_t p = c * in.plane(); p < (c + 1) * in.plane(); ++p) most = std::max(most, std::fabs(in.pixel[p]));
    scale[c] = most / 127;
    for (std::size_t p = c * in.plane(); p < (c + 1) * in.plane(); ++p)
      out[p] = static_cast<std::int8_t>(in.pixel[p] / scale[c]);
  }
}

/// Products of bytes are summed in whole numbers: pairs of channels with each other.
CORPUS_REGION void correlate_bytes(const Bytes& bytes, std::size_t channels, std::vector<std::int32_t>& out) {
  const std::size_t plane = bytes.size() / channels;
#pragma omp parallel for collapse(2)
  for (std::size_t a = 0; a < channels; ++a)
    for (std::size_t b = 0; b < channels; b += 8) {
      std::int32_t sum = 0;
      for (std::size_t p = 0; p < plane; ++p) sum += bytes[a * plane + p] * bytes[b * plane + p];
      out[a * channels + b] = sum;
    }
}

/// Groups of four channels to mean 0 and variance 1, and GELU's approximation by tanh.
CORPUS_REGION void normalise_groups(Image& image) {
  const std::size_t length = 4 * image.plane();
#pragma omp parallel for schedule(static, 1)
  for (std::size_t group = 0; group < image.channels / 4; ++group) {
    float* const value = &image.pixel[group * length];
    float sum = 0, square = 0;
    for (std::size_t p = 0; p < length; ++p) sum += value[p], square += value[p] * value[p];
    const float mean = sum / static_cast<float>(length);
    const float scale = 1 / std::sqrt(square / static_cast<float>(length) - mean * mean + 1e-5f);
    for (std::size_t p = 0; p < length; ++p) {
      const float x = (value[p] - mean) * scale;
      value[p] = 0.5f * x * (1 + std::tanh(0.797885f * (x + 0.044715f * x * x * x)));
    }
  }
}

/// Classes of pixels: channels are a plane apart, so three passes over columns of planes.
CORPUS_REGION void softmax(Image& image) {
#pragma omp parallel for
  for (std::size_t p = 0; p < image.plane(); ++p) {
    float most = -1e9f, sum = 0;
    for (std::size_t c = 0; c < image.channels; ++c) most = std::max(most, image.pixel[c * image.plane() + p]);
    for (std::size_t c = 0; c < image.channels; ++c)
      sum += image.pixel[c * image.plane() + p] = std::exp(image.pixel[c * image.plane() + p] - most);
    for (std::size_t c = 0; c < image.channels; ++c) image.pixel[c * image.plane() + p] /= sum;
  }
}

corpus::Answer program(const corpus::Input& input) {
  Image in{16, input.pick<std::size_t>(124, 156)}, direct{in}, fast{in}, small{in.channels, in.side / 2};
  Floats weight(9 * in.channels), matrix(in.channels * in.channels);
  fill(in.pixel, input.seed);
  fill(weight, input.seed + 1);
  fill(matrix, input.seed + 2);
  depthwise(in, weight, direct);
  std::vector<Tile> tiles(in.channels * (in.side / 2 - 1) * (in.side / 2 - 1));
  to_tiles(in, tiles);
  from_tiles(tiles, weight, fast);
  bool right = difference(direct, fast) < 1e-4f;
  std::fill(fast.pixel.begin(), fast.pixel.end(), 0.0f);
  pointwise(direct, matrix, fast);
  Bytes which(small.pixel.size()), bytes(in.pixel.size());
  pool(fast, small, which);
  unpool(small, which, direct);
  const double small_sum = sum_of(small.pixel);
  right = right && std::fabs(sum_of(direct.pixel) - small_sum) < 1e-6 * static_cast<double>(in.pixel.size());
  transposed(small, weight, direct);
  Floats scale(in.channels);
  quantise(direct, bytes, scale);
  std::vector<std::int32_t> products(in.channels * in.channels);
  correlate_bytes(bytes, in.channels, products);
  normalise_groups(direct);
  softmax(direct);
  right = right && std::fabs(sum_of(direct.pixel) / static_cast<double>(in.plane()) - 1) < 1e-4;
  return {.checksum = small_sum + products[8] + static_cast<double>(direct.pixel[77]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
