// Which pixels belong together: components by trees and by labels that spread, a threshold, edges that are followed, a
// curve that moves, sums over rectangles, flooding from springs, seams of least energy.
// Source: Otsu, IEEE Trans. SMC 9(1), 1979; Rosenfeld, Pfaltz, J. ACM 13(4), 1966; Canny, IEEE TPAMI 8(6), 1986; Chan,
// Vese, IEEE Trans. Image Proc. 10(2), 2001; Crow, SIGGRAPH 1984 (sums); Meyer, Signal Processing 38(1), 1994
// (flooding); Avidan, Shamir, ACM TOG 26(3), 2007 (seams).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

struct Size {
  std::size_t w, h;
  std::size_t area() const { return w * h; }
};

/// Blobs of different brightness, with noise.
CORPUS_REGION void draw(Size s, Bytes& image, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y)
    for (std::size_t x = 0; x < s.w; ++x) {
      const std::size_t tile = y / 24 * 1024 + x / 24;
      const double dx = static_cast<double>(x % 24) - 12, dy = static_cast<double>(y % 24) - 12;
      const bool in = dx * dx + dy * dy < 40 + 80 * corpus::random_real(seed, tile);
      image[y * s.w + x] = static_cast<std::uint8_t>((in ? 120 + 80 * corpus::random_real(seed + 1, tile) : 40) +
                                                     20 * corpus::random_real(seed + 2, y * s.w + x));
    }
}

/// The limit that parts a histogram best.
CORPUS_REGION std::uint8_t threshold(const Bytes& image) {
  std::array<std::uint32_t, 256> counts{};
  for (const std::uint8_t v : image) ++counts[v];
  double all = 0, below = 0, sum = 0, most = 0;
  for (std::size_t v = 0; v < 256; ++v) all += static_cast<double>(v * counts[v]);
  std::uint8_t best = 0;
  for (std::size_t v = 0; v < 256; ++v) {
    below += counts[v], sum += static_cast<double>(v * counts[v]);
    const double above = static_cast<double>(image.size()) - below;
    if (below == 0 || above == 0) continue;
    const double difference = sum / below - (all - sum) / above;
    if (below * above * difference * difference > most)
      most = below * above * difference * difference, best = static_cast<std::uint8_t>(v);
  }
  return best;
}

std::uint32_t root(Numbers& parent, std::uint32_t p) {
  while (parent[p] != p) p = parent[p] = parent[parent[p]];
  return p;
}

/// Pixels join those before them, to the left and above; sets of pixels are trees.
CORPUS_REGION void join(Size s, const Bytes& image, std::uint8_t limit, Numbers& parent) {
  for (std::uint32_t p = 0; p < s.area(); ++p) {
    parent[p] = p;
    if (image[p] <= limit) continue;
    if (p % s.w > 0 && image[p - 1] > limit) parent[p] = root(parent, p - 1);
    if (p >= s.w && image[p - s.w] > limit) {
      const std::uint32_t a = root(parent, p), b = root(parent, p - static_cast<std::uint32_t>(s.w));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
}

CORPUS_REGION std::size_t flatten(const Bytes& image, std::uint8_t limit, Numbers& parent) {
  std::size_t roots = 0;
  for (std::uint32_t p = 0; p < image.size(); ++p) {
    parent[p] = parent[parent[p]];
    roots += parent[p] == p && image[p] > limit;
  }
  return roots;
}

/// The least number of each neighbourhood spreads, along rows to and fro and from the row above; how many changed.
CORPUS_REGION std::size_t spread(Size s, const Bytes& image, std::uint8_t limit, const Numbers& from, Numbers& to) {
  std::size_t changed = 0;
#pragma omp parallel for reduction(+ : changed)
  for (std::size_t y = 0; y < s.h; ++y) {
    const auto take = [&](std::size_t p, std::uint32_t other, std::size_t q) {
      if (image[p] <= limit || image[q] <= limit || other >= to[p]) return;
      to[p] = other;
      ++changed;
    };
    for (std::size_t p = y * s.w; p < (y + 1) * s.w; ++p) {
      to[p] = from[p];
      if (y > 0) take(p, from[p - s.w], p - s.w);
      if (y + 1 < s.h) take(p, from[p + s.w], p + s.w);
      if (p > y * s.w) take(p, to[p - 1], p - 1);
    }
    for (std::size_t p = (y + 1) * s.w - 1; p-- > y * s.w;) take(p, to[p + 1], p + 1);
  }
  return changed;
}

CORPUS_REGION std::size_t different(const Bytes& image, std::uint8_t limit, const Numbers& a, const Numbers& b) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t p = 0; p < a.size(); ++p) count += image[p] > limit && a[p] != b[p];
  return count;
}

/// How much pixels differ from those around.
CORPUS_REGION void energies(Size s, const Bytes& image, Floats& energy) {
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h - 1; ++y)
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p)
      energy[p] = static_cast<float>(std::abs(image[p + 1] - image[p - 1]) + std::abs(image[p + s.w] - image[p - s.w]));
}

/// The least sum of energies from the top to each pixel: row after row, each by all lanes.
CORPUS_REGION void sum_down(Size s, const Floats& energy, Floats& sum) {
#pragma omp parallel
  for (std::size_t y = 1; y < s.h; ++y)
#pragma omp for
    for (std::size_t x = 1; x < s.w - 1; ++x) {
      const std::size_t p = y * s.w + x;
      sum[p] = energy[p] + std::min(sum[p - s.w], std::min(sum[p - s.w - 1], sum[p - s.w + 1]));
    }
}

/// From the bottom up along the least sums; pixels of the seam are taken out of their rows.
CORPUS_REGION float carve(Size s, const Floats& sum, Bytes& image) {
  std::size_t x = 1;
  for (std::size_t k = 1; k < s.w - 1; ++k)
    if (sum[(s.h - 1) * s.w + k] < sum[(s.h - 1) * s.w + x]) x = k;
  const float least = sum[(s.h - 1) * s.w + x];
  for (std::size_t y = s.h; y-- > 0;) {
    std::copy(&image[y * s.w + x + 1], &image[y * s.w] + s.w, &image[y * s.w + x]);
    if (y == 0) break;
    const std::size_t above = (y - 1) * s.w + x;
    if (x > 1 && sum[above - 1] < sum[above])
      --x;
    else if (x + 2 < s.w && sum[above + 1] < sum[above])
      ++x;
  }
  return least;
}

/// Sums over rows and then columns: a table of sums of everything above and to the left.
CORPUS_REGION void sum_rows(Size s, const Bytes& image, Numbers& sums) {
#pragma omp parallel for
  for (std::size_t y = 0; y < s.h; ++y) {
    std::uint32_t sum = 0;
    for (std::size_t x = 0; x < s.w; ++x) sums[y * s.w + x] = sum += image[y * s.w + x];
  }
}

CORPUS_REGION void sum_columns(Size s, Numbers& sums) {
#pragma omp parallel for
  for (std::size_t block = 0; block < s.w; block += 32)
    for (std::size_t y = 1; y < s.h; ++y)
      for (std::size_t x = block; x < std::min(s.w, block + 32); ++x) sums[y * s.w + x] += sums[(y - 1) * s.w + x];
}

/// Water from many springs, lowest pixels first: a queue for each brightness.
CORPUS_REGION void flood(Size s, const Bytes& image, Numbers& label, std::array<Numbers, 256>& queues) {
  for (std::uint32_t y = 12; y < s.h; y += 24)
    for (std::uint32_t x = 12; x < s.w; x += 24) {
      const auto p = static_cast<std::uint32_t>(y * s.w + x);
      label[p] = p;
      queues[255u - image[p]].push_back(p);
    }
  for (std::size_t level = 0; level < 256; ++level)
    for (std::size_t k = 0; k < queues[level].size(); ++k) {
      const std::uint32_t p = queues[level][k];
      const auto w = static_cast<std::uint32_t>(s.w);
      for (const std::uint32_t q : {p - 1, p + 1, p - w, p + w}) {
        if (q >= s.area() || label[q] != 0) continue;
        label[q] = label[p];
        queues[std::max<std::size_t>(level, 255u - image[q])].push_back(q);
      }
    }
}

/// Strong edges, and weak ones that touch them: a stack of pixels.
CORPUS_REGION std::size_t follow(Size s, const Floats& energy, Bytes& edge, Numbers& stack) {
  std::size_t found = 0, count = 0;
  for (std::uint32_t p = 0; p < s.area(); ++p) {
    if (energy[p] < 130 || edge[p]) continue;
    edge[p] = 1, stack[count++] = p;
    while (count > 0) {
      const std::uint32_t at = stack[--count];
      ++found;
      for (const std::size_t q : {at - std::size_t{1}, at + std::size_t{1}, at - s.w, at + s.w})
        if (energy[q] > 60 && !edge[q]) edge[q] = 1, stack[count++] = static_cast<std::uint32_t>(q);
    }
  }
  return found;
}

/// A curve, where a field changes its sign, moves to where the means inside and outside are most different.
CORPUS_REGION void evolve(Size s, const Bytes& image, float inside, float outside, const Floats& from, Floats& to) {
#pragma omp parallel for
  for (std::size_t y = 1; y < s.h - 1; ++y)
    for (std::size_t p = y * s.w + 1; p < (y + 1) * s.w - 1; ++p) {
      const float dx = (from[p + 1] - from[p - 1]) / 2, dy = (from[p + s.w] - from[p - s.w]) / 2;
      const float bend = from[p - 1] + from[p + 1] + from[p - s.w] + from[p + s.w] - 4 * from[p];
      const float a = static_cast<float>(image[p]) - inside, b = static_cast<float>(image[p]) - outside;
      const float step = 0.1f * bend / std::sqrt(1 + dx * dx + dy * dy) + (b * b - a * a) / 20;
      to[p] = std::clamp(from[p] + step, -20.0f, 20.0f);
    }
}

/// Means of the image where the field is positive, and where it is not.
CORPUS_REGION std::array<float, 2> means(const Bytes& image, const Floats& field) {
  std::uint64_t sum = 0, other = 0, count = 1;
#pragma omp parallel for reduction(+ : sum, other, count)
  for (std::size_t p = 0; p < image.size(); ++p) {
    (field[p] > 0 ? sum : other) += image[p];
    count += field[p] > 0;
  }
  return {static_cast<float>(sum) / static_cast<float>(count),
          static_cast<float>(other) / static_cast<float>(image.size() + 1 - count)};
}

corpus::Answer program(const corpus::Input& input) {
  const Size s{input.pick<std::size_t>(440, 560), input.pick<std::size_t>(400, 500)};
  Bytes image(s.area()), edge(s.area());
  draw(s, image, input.seed);
  const std::uint8_t limit = threshold(image);
  Numbers parent(s.area()), label(s.area()), next(s.area());
  join(s, image, limit, parent);
  const std::size_t components = flatten(image, limit, parent);
  std::iota(label.begin(), label.end(), 0u);
  while (spread(s, image, limit, label, next) > 0) label.swap(next);
  bool right = components > 0 && different(image, limit, parent, label) == 0;
  Floats energy(s.area()), sum(s.area()), field(s.area()), moved(s.area());
  energies(s, image, energy);
  const std::size_t edges = follow(s, energy, edge, label);
  for (std::size_t p = 0; p < s.area(); ++p) field[p] = moved[p] = static_cast<float>(p % s.w % 40) - 20;
  for (int step = 0; step < 3; ++step) {
    const auto [inside, outside] = means(image, field);
    evolve(s, image, inside, outside, field, moved);
    field.swap(moved);
  }
  const auto [inside, outside] = means(image, field);
  right = right && std::fabs(inside - outside) > 30;
  sum_rows(s, image, next);
  sum_columns(s, next);
  right = right && next.back() == std::accumulate(image.begin(), image.end(), 0u);
  std::fill(parent.begin(), parent.end(), 0u);
  std::array<Numbers, 256> queues;
  for (Numbers& queue : queues) queue.reserve(s.area() / 32);
  flood(s, image, parent, queues);
  right = right && std::count(parent.begin(), parent.end(), 0u) == 0;
  for (std::size_t y = 0; y < s.h; ++y) sum[y * s.w] = sum[(y + 1) * s.w - 1] = 1e9f;
  sum_down(s, energy, sum);
  const float least = carve(s, sum, image);
  right = right &&
          least <= std::accumulate(&sum[(s.h - 1) * s.w + 1], &sum[s.h * s.w - 1], 0.0f) / static_cast<float>(s.w - 2);
  return {.checksum = static_cast<double>(least + inside) + static_cast<double>(components + edges) + parent[999],
          .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
