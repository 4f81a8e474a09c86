// What moves and how far away it is, from pairs of pictures: optical flow from gradients in windows, blocks that moved,
// stereo by census bits and along paths; corners, binary descriptors and their matches, pictures of half the side.
// Source: Lucas, Kanade, IJCAI 1981; Zabih, Woodfill, ECCV 1994; Hirschmueller, IEEE TPAMI 30(2), 2008; Harris,
// Stephens, Alvey 1988; Calonder et al., ECCV 2010; Burt, Adelson, IEEE Trans. Comm. 31(4), 1983.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Floats = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;
using Codes = std::vector<std::uint64_t>;

struct Size {
  std::size_t w, h;
  std::size_t area() const { return w * h; }
};

constexpr std::size_t shift = 3, disparities = 16;

/// Smooth noise; the second picture is the first, three pixels to the left.
CORPUS_REGION void make_pair(Size s, Bytes& left, Bytes& right, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y)
    for (std::size_t x = 0; x < s.w; ++x) {
      double sum = 0;
      for (std::size_t k = 0; k < 9; ++k)
        sum += corpus::random_real(seed, ((y + k / 3) / 2) * 4096 + (x + shift + k % 3) / 2);
      right[y * s.w + x] = static_cast<std::uint8_t>(28 * sum);
      if (x + shift < s.w) left[y * s.w + x + shift] = right[y * s.w + x];
    }
}

struct Motion {
  float x = 0, y = 0;
};

/// Sums of gradients over 5 x 5 and two equations for each second pixel.
CORPUS_REGION void flow_windows(Size s, const Bytes& a, const Bytes& b, std::vector<Motion>& flow) {
#pragma omp parallel for
  for (std::size_t y = 3; y < s.h - 3; y += 2)
    for (std::size_t x = 3; x < s.w - 3; x += 2) {
      int xx = 1, xy = 0, yy = 1, xt = 0, yt = 0;
      for (std::size_t k = 0; k < 25; ++k) {
        const std::size_t p = (y + k / 5 - 2) * s.w + x + k % 5 - 2;
        const int dx = a[p + 1] - a[p - 1], dy = a[p + s.w] - a[p - s.w], dt = b[p] - a[p];
        xx += dx * dx, xy += dx * dy, yy += dy * dy, xt += dx * dt, yt += dy * dt;
      }
      const float scale =
          -2 / (static_cast<float>(xx) * static_cast<float>(yy) - static_cast<float>(xy) * static_cast<float>(xy));
      flow[y * s.w + x] = {
          scale * (static_cast<float>(yy) * static_cast<float>(xt) - static_cast<float>(xy) * static_cast<float>(yt)),
          scale * (static_cast<float>(xx) * static_cast<float>(yt) - static_cast<float>(xy) * static_cast<float>(xt))};
    }
}

/// Where blocks of 8 x 8 came from, within four pixels; sums end early when they are too large.
CORPUS_REGION void move_blocks(Size s, const Bytes& a, const Bytes& b, std::vector<std::int8_t>& motion) {
#pragma omp parallel for collapse(2) schedule(dynamic, 16)
  for (std::size_t by = 1; by < s.h / 8 - 1; ++by)
    for (std::size_t bx = 1; bx < s.w / 8 - 1; ++bx) {
      int best = 1 << 20;
      for (int move = 0; move < 81; ++move) {
        const std::size_t p = by * 8 * s.w + bx * 8;
        const std::size_t q =
            p - 4 * s.w - 4 + static_cast<std::size_t>(move / 9) * s.w + static_cast<std::size_t>(move % 9);
        int sum = 0;
        for (std::size_t row = 0; row < 8 && sum < best; ++row)
          for (std::size_t k = 0; k < 8; ++k) sum += std::abs(b[p + row * s.w + k] - a[q + row * s.w + k]);
        if (sum < best) best = sum, motion[by * (s.w / 8) + bx] = static_cast<std::int8_t>(move % 9 - 4);
      }
    }
}

/// A bit for each of 24 neighbours that is darker.
CORPUS_REGION void census(Size s, const Bytes& image, std::vector<std::uint32_t>& bits) {
#pragma omp parallel for
  for (std::size_t y = 2; y < s.h - 2; ++y)
    for (std::size_t p = y * s.w + 2; p < (y + 1) * s.w - 2; ++p) {
      std::uint32_t code = 0;
      for (std::size_t k = 0; k < 25; ++k) code = code << 1 | (image[p + k / 5 * s.w - 2 * s.w + k % 5 - 2] < image[p]);
      bits[p] = code;
    }
}

/// How badly pixels of both pictures fit, for each of 16 distances.
CORPUS_REGION void costs(Size s, const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right,
                         Bytes& cost) {
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y)
    for (std::size_t x = disparities; x < s.w; ++x)
      for (std::size_t d = 0; d < disparities; ++d)
        cost[(y * s.w + x) * disparities + d] =
            static_cast<std::uint8_t>(std::popcount(left[y * s.w + x] ^ right[y * s.w + x - d]));
}

using Path = std::array<std::uint16_t, disparities>;

/// What a path costs so far, if distances should not change.
[[gnu::always_inline]] inline void go_on(Path& path, const std::uint8_t* cost) {
  const std::uint16_t least = *std::min_element(path.begin(), path.end());
  Path next;
  for (std::size_t d = 0; d < disparities; ++d) {
    int best = std::min<int>(path[d], least + 12);
    if (d > 0) best = std::min(best, path[d - 1] + 4);
    if (d + 1 < disparities) best = std::min(best, path[d + 1] + 4);
    next[d] = static_cast<std::uint16_t>(cost[d] + best - least);
  }
  path = next;
}

CORPUS_REGION void paths_along_rows(Size s, const Bytes& cost, Bytes& sums) {
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y) {
    Path path{};
    for (std::size_t x = disparities; x < s.w; ++x) {
      const std::size_t at = (y * s.w + x) * disparities;
      go_on(path, &cost[at]);
      for (std::size_t d = 0; d < disparities; ++d) sums[at + d] = static_cast<std::uint8_t>(path[d]);
    }
  }
}

/// Down the columns, and the distance with the least sum.
CORPUS_REGION void paths_along_columns(Size s, const Bytes& cost, const Bytes& sums, Bytes& distance) {
#pragma omp parallel for schedule(static, 8)
  for (std::size_t x = disparities; x < s.w; ++x) {
    Path path{};
    for (std::size_t y = 0; y < s.h; ++y) {
      const std::size_t at = (y * s.w + x) * disparities;
      go_on(path, &cost[at]);
      std::size_t best = 0;
      for (std::size_t d = 1; d < disparities; ++d)
        if (path[d] + sums[at + d] < path[best] + sums[at + best]) best = d;
      distance[y * s.w + x] = static_cast<std::uint8_t>(best);
    }
  }
}

/// Where gradients of a window go in both directions: the corners' strength.
CORPUS_REGION void corners(Size s, const Bytes& image, Floats& strength) {
#pragma omp parallel for
  for (std::size_t y = 2; y < s.h - 2; ++y)
    for (std::size_t p = y * s.w + 2; p < (y + 1) * s.w - 2; ++p) {
      float xx = 0, xy = 0, yy = 0;
      for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t q = p + (k / 3) * s.w - s.w + k % 3 - 1;
        const auto dx = static_cast<float>(image[q + 1] - image[q - 1]),
                   dy = static_cast<float>(image[q + s.w] - image[q - s.w]);
        xx += dx * dx, xy += dx * dy, yy += dy * dy;
      }
      strength[p] = xx * yy - xy * xy - 0.04f * (xx + yy) * (xx + yy);
    }
}

/// Local maxima, as a list.
CORPUS_REGION std::size_t strongest(Size s, const Floats& strength, std::vector<std::uint32_t>& list) {
  std::size_t count = 0;
  for (std::size_t y = 24; y < s.h - 24; ++y)
    for (std::size_t p = y * s.w + 24; p < (y + 1) * s.w - 24; ++p)
      if (count < list.size() && strength[p] > 1e6f && strength[p] > strength[p - 1] && strength[p] > strength[p + 1] &&
          strength[p] > strength[p - s.w] && strength[p] > strength[p + s.w])
        list[count++] = static_cast<std::uint32_t>(p);
  return count;
}

/// 64 comparisons of pairs of pixels around each corner: random bytes, a row apart.
CORPUS_REGION void describe(Size s, const Bytes& image, const std::vector<std::uint32_t>& list, std::size_t offset,
                            Codes& codes) {
#pragma omp parallel for
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const std::uint8_t* const at = &image[list[k] - 20 * s.w - 20 - offset];
    std::uint64_t code = 0;
    for (std::size_t b = 0; b < 64; ++b) {
      const std::size_t bits = b * 2654435761u >> 3;
      code = code << 1 | (at[bits % 40 * s.w + bits / 64 % 40] < at[bits / 4096 % 40 * s.w + bits / 262144 % 40]);
    }
    codes[k] = code;
  }
}

/// For every fourth code the nearest of the others; how many are those of the same corner.
CORPUS_REGION std::size_t match(const Codes& a, const Codes& b) {
  std::size_t same = 0;
#pragma omp parallel for reduction(+ : same) schedule(static, 1)
  for (std::size_t i = 0; i < a.size(); i += 32) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < b.size(); ++k)
      if (std::popcount(a[i] ^ b[k]) < std::popcount(a[i] ^ b[best])) best = k;
    same += b[best] == b[i];
  }
  return same;
}

/// Half the side, with weights 1 3 3 1.
CORPUS_REGION void halve(Size s, const Bytes& image, Bytes& out) {
  constexpr std::array<int, 4> weight{1, 3, 3, 1};
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h / 2 - 1; ++y)
    for (std::size_t x = 1; x < s.w / 2 - 1; ++x) {
      int sum = 32;
      for (std::size_t k = 0; k < 16; ++k)
        sum += weight[k / 4] * weight[k % 4] * image[(2 * y + k / 4 - 1) * s.w + 2 * x + k % 4 - 1];
      out[y * (s.w / 2) + x] = static_cast<std::uint8_t>(sum / 64);
    }
}

/// Share of the places, away from the border, where a distance or a motion is what it was made to be.
template <class Values>
double share(Size s, const Values& values, int wanted) {
  std::size_t right = 0, all = 0;
  for (std::size_t y = s.h / 8; y < s.h * 7 / 8; ++y)
    for (std::size_t x = s.w / 8; x < s.w * 7 / 8; ++x) right += values[y * s.w + x] == wanted, ++all;
  return static_cast<double>(right) / static_cast<double>(all);
}

corpus::Answer program(const corpus::Input& input) {
  const Size s{input.pick<std::size_t>(320, 400), input.pick<std::size_t>(280, 360)};
  Bytes left(s.area()), right(s.area()), half(s.area()), quarter(s.area()), distance(s.area());
  make_pair(s, left, right, input.seed);
  Bytes cost(s.area() * disparities), sums(cost.size());
  std::vector<std::uint32_t> left_bits(s.area()), right_bits(s.area());
  census(s, left, left_bits);
  census(s, right, right_bits);
  costs(s, left_bits, right_bits, cost);
  paths_along_rows(s, cost, sums);
  paths_along_columns(s, cost, sums, distance);
  std::vector<std::int8_t> blocks(s.area() / 64);
  move_blocks(s, left, right, blocks);
  bool correct = share(s, distance, shift) > 0.9 && share({s.w / 8, s.h / 8}, blocks, shift) > 0.9;
  std::vector<Motion> flow(s.area() / 4);
  halve(s, left, half);
  halve(s, right, quarter);
  flow_windows({s.w / 2, s.h / 2}, half, quarter, flow);
  Floats strength(s.area());
  corners(s, left, strength);
  std::vector<std::uint32_t> list(8'000);
  list.resize(strongest(s, strength, list));
  Codes codes(list.size()), others(list.size());
  describe(s, left, list, 0, codes);
  describe(s, right, list, shift, others);
  correct = correct && match(codes, others) * 32 > codes.size() * 9 / 10;
  return {.checksum = static_cast<double>(flow[s.w / 2 * 51 + 51].x) + list[7], .right = correct};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
