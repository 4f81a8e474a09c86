// Filters of images: convolution, box filter by sums, Sobel's edges, median, bilateral, histogram equalisation,
// integral image, erosion, distance transform, Floyd and Steinberg's dithering, rotation, components of a scale space
// (Gonzalez, Woods: Digital Image Processing, 4th edition; Tomasi, Manduchi, ICCV 1998; Viola, Jones, CVPR 2001).
#include <algorithm>
#include <array>
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<unsigned char>;

struct Size {
  std::size_t w, h;
};

CORPUS_REGION void scene(Size s, std::uint64_t seed, Floats& image) {
#pragma omp parallel for
  for (std::size_t p = 0; p < image.size(); ++p) {
    const auto tile = static_cast<float>((p % s.w / 32 + p / s.w / 32) % 5);
    image[p] = 40 * tile + 60 * static_cast<float>(corpus::random_real(seed, p));
  }
}

CORPUS_REGION void quantise(const Floats& image, Bytes& grey) {
#pragma omp parallel for
  for (std::size_t p = 0; p < image.size(); ++p)
    grey[p] = static_cast<unsigned char>(std::clamp(image[p], 0.0f, 255.0f));
}

CORPUS_REGION void gauss_rows(Size s, const Floats& from, Floats& to) {
  constexpr float k[7] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y) {
    for (std::size_t x = 3; x < s.w - 3; ++x) {
      float sum = 0;
      for (std::size_t d = 0; d < 7; ++d) sum += k[d] * from[y * s.w + x + d - 3];
      to[y * s.w + x] = sum;
    }
  }
}

/// Down the columns, though rows are next to each other.
CORPUS_REGION void gauss_columns(Size s, const Floats& from, Floats& to) {
  constexpr float k[7] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};
#pragma omp parallel for
  for (std::size_t x = 0; x < s.w; x += 4) {
    for (std::size_t y = 3; y < s.h - 3; ++y) {
      float sum = 0;
      for (std::size_t d = 0; d < 7; ++d) sum += k[d] * from[(y + d - 3) * s.w + x];
      to[y * s.w + x] = sum;
    }
  }
}

CORPUS_REGION void convolve(Size s, const std::array<float, 25>& k, const Floats& from, Floats& to) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t y = 2; y < s.h - 2; ++y) {
    for (std::size_t x = 2; x < s.w - 2; ++x) {
      float sum = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        for (std::size_t i = 0; i < 5; ++i) sum += k[5 * j + i] * from[(y + j - 2) * s.w + x + i - 2];
      }
      to[y * s.w + x] = sum;
    }
  }
}

CORPUS_REGION void sobel(Size s, const Bytes& grey, Bytes& edges) {
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h - 1; ++y) {
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p) {
      const int right = grey[p - s.w + 1] + 2 * grey[p + 1] + grey[p + s.w + 1];
      const int left = grey[p - s.w - 1] + 2 * grey[p - 1] + grey[p + s.w - 1];
      const int below = grey[p + s.w - 1] + 2 * grey[p + s.w] + grey[p + s.w + 1];
      const int above = grey[p - s.w - 1] + 2 * grey[p - s.w] + grey[p - s.w + 1];
      edges[p] = static_cast<unsigned char>(std::min(255, std::abs(right - left) + std::abs(below - above)));
    }
  }
}

/// Of nine, by insertion: branches that depend on the picture.
CORPUS_REGION void median(Size s, const Bytes& grey, Bytes& to) {
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h - 1; y += 4) {
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p) {
      unsigned char values[9];
      for (std::size_t k = 0; k < 9; ++k) {
        const unsigned char value = grey[p + (k / 3) * s.w + k % 3 - s.w - 1];
        std::size_t at = k;
        for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
        values[at] = value;
      }
      to[p] = values[4];
    }
  }
}

CORPUS_REGION void bilateral(Size s, const Floats& from, Floats& to) {
#pragma omp parallel for
  for (std::size_t y = 2; y < s.h - 2; y += 8) {
    for (std::size_t x = 2; x < s.w - 2; ++x) {
      float sum = 0, weights = 0;
      for (std::size_t k = 0; k < 25; ++k) {
        const float value = from[(y + k / 5 - 2) * s.w + x + k % 5 - 2], difference = value - from[y * s.w + x];
        const float weight = std::exp(-difference * difference / 800);
        sum += weight * value;
        weights += weight;
      }
      to[y * s.w + x] = sum / weights;
    }
  }
}

using Histogram = std::array<std::uint32_t, 256>;

CORPUS_REGION Histogram histogram(const Bytes& grey) {
  Histogram counts{};
  for (const unsigned char value : grey) ++counts[value];
  return counts;
}

CORPUS_REGION void equalise(const Histogram& counts, Bytes& grey) {
  std::array<unsigned char, 256> table{};
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < 256; ++v) {
    sum += counts[v];
    table[v] = static_cast<unsigned char>(255 * sum / grey.size());
  }
#pragma omp parallel for
  for (std::size_t p = 0; p < grey.size(); ++p) grey[p] = table[grey[p]];
}

CORPUS_REGION void integral(Size s, const Bytes& grey, std::vector<std::uint32_t>& sums) {
  for (std::size_t y = 0; y < s.h; ++y) {
    std::uint32_t row = 0;
    for (std::size_t x = 0; x < s.w; ++x) {
      row += grey[y * s.w + x];
      sums[y * s.w + x] = row + (y ? sums[(y - 1) * s.w + x] : 0);
    }
  }
}

/// Means over 33 x 33 pixels: four corners each.
CORPUS_REGION void local_means(Size s, const std::vector<std::uint32_t>& sums, Floats& to) {
#pragma omp parallel for
  for (std::size_t y = 17; y < s.h - 16; ++y) {
    for (std::size_t x = 17; x < s.w - 16; ++x) {
      const std::size_t top = (y - 17) * s.w + x, bottom = (y + 16) * s.w + x;
      to[y * s.w + x] =
          static_cast<float>(sums[bottom + 16] - sums[bottom - 17] - sums[top + 16] + sums[top - 17]) / 1089;
    }
  }
}

CORPUS_REGION void erode(Size s, const Bytes& from, Bytes& to) {
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h - 1; ++y) {
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p) {
      to[p] = std::min({from[p], from[p - 1], from[p + 1], from[p - s.w], from[p + s.w]});
    }
  }
}

/// Two passes with a recurrence along rows (Rosenfeld, Pfaltz, 1966).
CORPUS_REGION void distances(Size s, const Bytes& grey, std::vector<std::uint16_t>& d) {
  for (std::size_t p = 0; p < s.w; ++p) d[p] = 1000;
  for (std::size_t p = s.w; p < s.w * s.h; ++p) {
    const int near = std::min(d[p - 1], d[p - s.w]) + 1;
    d[p] = grey[p] < 60 ? std::uint16_t{0} : static_cast<std::uint16_t>(std::min(near, 1000));
  }
  for (std::size_t p = s.w * (s.h - 1); p-- > 0;) {
    d[p] = std::min<std::uint16_t>(d[p], static_cast<std::uint16_t>(std::min(d[p + 1], d[p + s.w]) + 1));
  }
}

/// The error of each pixel goes to its neighbours, so pixels wait for each other.
CORPUS_REGION std::size_t dither(Size s, Floats& image) {
  std::size_t white = 0;
  for (std::size_t y = 0; y + 1 < s.h; y += 2) {
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p) {
      const float value = image[p] > 127 ? 255.0f : 0.0f, error = image[p] - value;
      white += value > 0;
      image[p] = value;
      image[p + 1] += error * 7 / 16;
      image[p + s.w - 1] += error * 3 / 16;
      image[p + s.w] += error * 5 / 16;
      image[p + s.w + 1] += error / 16;
    }
  }
  return white;
}

/// By 30 degrees about the centre: rows of the result cross those of the source.
CORPUS_REGION void rotate(Size s, const Floats& from, Floats& to) {
  const float cx = static_cast<float>(s.w) / 2, cy = static_cast<float>(s.h) / 2;
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y) {
    for (std::size_t x = 0; x < s.w; ++x) {
      const float dx = static_cast<float>(x) - cx, dy = static_cast<float>(y) - cy;
      const float u = cx + 0.866f * dx - 0.5f * dy, v = cy + 0.5f * dx + 0.866f * dy;
      const bool inside = u >= 0 && v >= 0 && u < static_cast<float>(s.w) && v < static_cast<float>(s.h);
      to[y * s.w + x] = inside ? from[static_cast<std::size_t>(v) * s.w + static_cast<std::size_t>(u)] : 0;
    }
  }
}

CORPUS_REGION double total(const Floats& image) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = 0; p < image.size(); ++p) sum += static_cast<double>(image[p]);
  return sum;
}

corpus::Answer filters(const corpus::Input& input) {
  const Size s = input.pick(Size{600, 400}, Size{768, 576});
  const std::size_t n = s.w * s.h;
  Floats image(n), other(n);
  Bytes grey(n), result(n);
  scene(s, input.seed, image);
  quantise(image, grey);
  gauss_rows(s, image, other);
  gauss_columns(s, other, image);
  std::array<float, 25> sharpen{};
  sharpen.fill(-0.04f);
  sharpen[12] = 1.96f;
  convolve(s, sharpen, image, other);
  bilateral(s, other, image);
  sobel(s, grey, result);
  median(s, grey, result);
  const Histogram counts = histogram(grey);
  equalise(counts, grey);
  std::vector<std::uint32_t> sums(n);
  integral(s, grey, sums);
  local_means(s, sums, other);
  erode(s, grey, result);
  std::vector<std::uint16_t> away(n);
  distances(s, result, away);
  const std::size_t white = dither(s, image);
  rotate(s, image, other);
  std::uint64_t all = 0;
  for (const std::uint32_t count : counts) all += count;
  std::uint32_t sum = 0;
  for (const unsigned char value : grey) sum += value;
  return {total(other) + static_cast<double>(white) + away[n / 2], all == n && sums[n - 1] == sum};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, filters); }
