// Transforms of still images and signals: Haar's wavelet along rows and columns, the 5/3 lifting of JPEG 2000 (Le Gall,
// Tabatabai, ICASSP 1988), Daubechies' four coefficients, the discrete cosine transform of 8 x 8 blocks with
// quantisation and zigzag as in JPEG (Wallace, CACM 34(4), 1991), run lengths, Walsh and Hadamard's transform, FIR and
// IIR filters.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

using Floats = std::vector<float>;
using Shorts = std::vector<std::int16_t>;

CORPUS_REGION void randomise(std::uint64_t seed, Floats& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(corpus::random_real(seed, i)) + 0.001f * static_cast<float>(i % 1000);
}

CORPUS_REGION void haar_rows(std::size_t n, const Floats& from, Floats& to) {
#pragma omp parallel for
  for (std::size_t y = 0; y < n; ++y) {
    for (std::size_t x = 0; x < n / 2; ++x) {
      const float a = from[y * n + 2 * x], b = from[y * n + 2 * x + 1];
      to[y * n + x] = 0.5f * (a + b);
      to[y * n + n / 2 + x] = 0.5f * (a - b);
    }
  }
}

/// Down each column for itself: a line is used for one number.
CORPUS_REGION void haar_columns(std::size_t n, const Floats& from, Floats& to) {
#pragma omp parallel for
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n / 2; ++y) {
      const float a = from[2 * y * n + x], b = from[(2 * y + 1) * n + x];
      to[y * n + x] = 0.5f * (a + b);
      to[(y + n / 2) * n + x] = 0.5f * (a - b);
    }
  }
}

/// Back, a row pair at a time.
CORPUS_REGION void haar_back(std::size_t n, const Floats& from, Floats& to) {
#pragma omp parallel for
  for (std::size_t y = 0; y < n / 2; ++y) {
    for (std::size_t x = 0; x < n / 2; ++x) {
      const float a = from[y * n + x], h = from[y * n + n / 2 + x];
      const float v = from[(y + n / 2) * n + x], d = from[(y + n / 2) * n + n / 2 + x];
      to[2 * y * n + 2 * x] = a + h + v + d;
      to[2 * y * n + 2 * x + 1] = a - h + v - d;
      to[(2 * y + 1) * n + 2 * x] = a + h - v - d;
      to[(2 * y + 1) * n + 2 * x + 1] = a - h - v + d;
    }
  }
}

CORPUS_REGION void to_integers(const Floats& x, Shorts& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) s[i] = static_cast<std::int16_t>(std::lrint(64 * x[i]));
}

/// Lifting in place along the rows: strides of two, then four, then eight.
CORPUS_REGION void lift(std::size_t n, Shorts& s) {
#pragma omp parallel for
  for (std::size_t y = 0; y < n; ++y) {
    std::int16_t* row = &s[y * n];
    for (std::size_t step = 1; step <= 4; step *= 2) {
      for (std::size_t x = step; x + step < n; x += 2 * step) {
        row[x] = static_cast<std::int16_t>(row[x] - ((row[x - step] + row[x + step]) >> 1));
      }
      for (std::size_t x = 2 * step; x + step < n; x += 2 * step) {
        row[x] = static_cast<std::int16_t>(row[x] + ((row[x - step] + row[x + step] + 2) >> 2));
      }
    }
  }
}

/// Daubechies' wavelet over a whole signal, level by level in the same two arrays.
CORPUS_REGION void daubechies(Floats& x, Floats& work) {
  constexpr float h[4] = {0.48296291f, 0.83651630f, 0.22414387f, -0.12940952f};
  for (std::size_t n = x.size(); n >= x.size() / 8; n /= 2) {
    for (std::size_t i = 0; i < n / 2; ++i) {
      const float a = x[2 * i], b = x[2 * i + 1], c = x[(2 * i + 2) % n], d = x[(2 * i + 3) % n];
      work[i] = h[0] * a + h[1] * b + h[2] * c + h[3] * d;
      work[n / 2 + i] = h[3] * a - h[2] * b + h[1] * c - h[0] * d;
    }
    for (std::size_t i = 0; i < n; ++i) x[i] = work[i];
  }
}

using Block = std::array<float, 64>;

Block cosines() {
  Block c{};
  for (std::size_t k = 0; k < 8; ++k) {
    for (std::size_t x = 0; x < 8; ++x) {
      const double angle = std::numbers::pi * static_cast<double>(k * (2 * x + 1)) / 16;
      c[8 * k + x] = static_cast<float>((k ? 0.5 : 0.5 / std::numbers::sqrt2) * std::cos(angle));
    }
  }
  return c;
}

CORPUS_REGION void cosine_blocks(std::size_t n, const Block& c, const Floats& image, Floats& blocks) {
#pragma omp parallel for collapse(2)
  for (std::size_t by = 0; by < n; by += 8) {
    for (std::size_t bx = 0; bx < n; bx += 8) {
      Block rows{};
      for (std::size_t y = 0; y < 8; ++y) {
        for (std::size_t x = 0; x < 8; ++x) {
          for (std::size_t k = 0; k < 8; ++k) rows[8 * y + k] += c[8 * k + x] * image[(by + y) * n + bx + x];
        }
      }
      float* to = &blocks[by * n + 8 * bx];
      for (std::size_t k = 0; k < 8; ++k) {
        for (std::size_t x = 0; x < 8; ++x) {
          float sum = 0;
          for (std::size_t y = 0; y < 8; ++y) sum += c[8 * k + y] * rows[8 * y + x];
          to[8 * k + x] = sum;
        }
      }
    }
  }
}

/// Along diagonals of a block: a gather within four lines.
CORPUS_REGION void zigzag(const Floats& blocks, Shorts& coded) {
  std::array<std::uint8_t, 64> order{};
  for (std::size_t d = 0, at = 0; d < 15; ++d) {
    for (std::size_t k = d < 8 ? 0 : d - 7; k <= std::min<std::size_t>(d, 7); ++k) {
      order[at++] = static_cast<std::uint8_t>(d % 2 ? 8 * k + d - k : 8 * (d - k) + k);
    }
  }
#pragma omp parallel for
  for (std::size_t b = 0; b < blocks.size(); b += 64) {
    for (std::size_t k = 0; k < 64; ++k) {
      coded[b + k] = static_cast<std::int16_t>(std::lrint(16 * blocks[b + order[k]] / static_cast<float>(4 + k)));
    }
  }
}

/// Pairs of (zeros before, value): branches, and stores at a pace that depends on data.
CORPUS_REGION std::size_t run_lengths(const Shorts& coded, Shorts& packed) {
  std::size_t out = 0;
  std::int16_t zeros = 0;
  for (const std::int16_t value : coded) {
    if (value == 0 && zeros < 63) {
      ++zeros;
      continue;
    }
    if (out + 2 > packed.size()) break;
    packed[out++] = std::exchange(zeros, std::int16_t{0});
    packed[out++] = value;
  }
  return out;
}

CORPUS_REGION void hadamard(Floats& x) {
  for (std::size_t half = 512; half < x.size(); half *= 4) {
#pragma omp parallel for schedule(static)
    for (std::size_t pair = 0; pair < x.size() / 2; ++pair) {
      const std::size_t p = pair / half * 2 * half + pair % half;
      const float a = x[p], b = x[p + half];
      x[p] = a + b;
      x[p + half] = a - b;
    }
  }
}

CORPUS_REGION void finite_response(const Floats& x, Floats& y) {
  std::array<float, 32> taps{};
  for (std::size_t k = 0; k < 32; ++k) taps[k] = 1.0f / static_cast<float>(32 + k);
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size() - 32; ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < 32; ++k) sum += taps[k] * x[i + k];
    y[i] = sum;
  }
}

/// Two biquads in a row over every channel of an interleaved signal: recurrences at a stride.
CORPUS_REGION void infinite_response(std::size_t channels, Floats& x) {
#pragma omp parallel for
  for (std::size_t c = 0; c < channels; ++c) {
    float s1 = 0, s2 = 0, t1 = 0, t2 = 0;
    for (std::size_t i = c; i < x.size(); i += channels) {
      const float w = x[i] + 1.2f * s1 - 0.5f * s2, y = 0.1f * (w + 2 * s1 + s2);
      s2 = std::exchange(s1, w);
      const float v = y + 0.8f * t1 - 0.3f * t2;
      x[i] = 0.2f * (v + 2 * t1 + t2);
      t2 = std::exchange(t1, v);
    }
  }
}

CORPUS_REGION float farthest(const Floats& a, const Floats& b) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::fabs(a[i] - b[i]));
  return most;
}

CORPUS_REGION double total(const Floats& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::fabs(static_cast<double>(x[i]));
  return sum;
}

corpus::Answer wavelets(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(512, 640);
  Floats image(n * n), other(n * n), third(n * n);
  Shorts integers(n * n), packed(n * n);
  randomise(input.seed, image);
  haar_rows(n, image, other);
  haar_columns(n, other, third);
  haar_back(n, third, other);
  const bool same = farthest(image, other) < 1e-4f;
  cosine_blocks(n, cosines(), image, other);
  zigzag(other, integers);
  const std::size_t coded = run_lengths(integers, packed);
  to_integers(image, integers);
  lift(n, integers);
  Floats line(1 << 18), work(1 << 18);
  randomise(input.seed + 1, line);
  daubechies(line, work);
  hadamard(work);
  finite_response(image, other);
  infinite_response(96, third);
  return {total(line) + total(work) + total(other) + total(third) + static_cast<double>(coded) + integers[n], same};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, wavelets); }
