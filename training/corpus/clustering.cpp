// Clusters of points: k-means (seeding by distances, steps by rows and by columns, with bounds, with small batches),
// mixtures of Gaussians by expectation and maximisation.
// Source: Arthur, Vassilvitskii, SODA 2007; Lloyd, IEEE Trans. Inf. Theory 28(2), 1982; Hamerly, SDM 2010; Sculley, WWW
// 2010; Dempster, Laird, Rubin, J. R. Stat. Soc. B 39(1), 1977.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

constexpr std::size_t dims = 8, clusters = 16;

using Floats = std::vector<float>;
using Labels = std::vector<std::uint32_t>;
using Centre = std::array<float, dims>;
using Centres = std::array<Centre, clusters>;

CORPUS_REGION void make_points(Floats& points, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint64_t blob = corpus::random_bits(seed, i / dims) % clusters;
    const double noise = corpus::random_real(seed + 1, i) + corpus::random_real(seed + 2, i) - 1;
    points[i] = static_cast<float>(10 * corpus::random_real(seed + 3, blob * dims + i % dims) + noise);
  }
}

CORPUS_REGION void to_columns(const Floats& points, Floats& columns) {
  const std::size_t n = points.size() / dims;
#pragma omp parallel for
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t i = 0; i < n; ++i) columns[d * n + i] = points[i * dims + d];
}

float square_distance(const float* point, const Centre& centre) {
  float sum = 0;
  for (std::size_t d = 0; d < dims; ++d) sum += (point[d] - centre[d]) * (point[d] - centre[d]);
  return sum;
}

CORPUS_REGION void approach(const Floats& points, const Centre& centre, Floats& nearest) {
#pragma omp parallel for
  for (std::size_t i = 0; i < nearest.size(); ++i)
    nearest[i] = std::min(nearest[i], square_distance(&points[i * dims], centre));
}

/// A point, with probability in proportion to its distance from what was drawn before.
CORPUS_REGION std::size_t draw(const Floats& nearest, double share) {
  double left = share * std::accumulate(nearest.begin(), nearest.end(), 0.0);
  std::size_t i = 0;
  while (i + 1 < nearest.size() && left > static_cast<double>(nearest[i])) left -= static_cast<double>(nearest[i++]);
  return i;
}

Centres seed_centres(const Floats& points, corpus::Random& random) {
  Floats nearest(points.size() / dims, 1e9f);
  Centres centres{};
  for (Centre& centre : centres) {
    std::copy_n(&points[draw(nearest, random.unit()) * dims], dims, centre.begin());
    approach(points, centre, nearest);
  }
  return centres;
}

/// The sum of square distances.
CORPUS_REGION double assign(const Floats& points, const Centres& centres, Labels& labels) {
  double inertia = 0;
#pragma omp parallel for reduction(+ : inertia)
  for (std::size_t i = 0; i < labels.size(); ++i) {
    float best = 1e9f;
    for (std::uint32_t c = 0; c < clusters; ++c) {
      const float distance = square_distance(&points[i * dims], centres[c]);
      if (distance < best) best = distance, labels[i] = c;
    }
    inertia += static_cast<double>(best);
  }
  return inertia;
}

/// The same from columns: blocks of points, side by side in vectors.
CORPUS_REGION void assign_columns(const Floats& columns, const Centres& centres, Labels& labels) {
  constexpr std::size_t block = 128;
  const std::size_t n = labels.size();
#pragma omp parallel for
  for (std::size_t start = 0; start < n; start += block) {
    std::array<float, block> best, distance;
    best.fill(1e9f);
    const std::size_t count = std::min(block, n - start);
    for (std::uint32_t c = 0; c < clusters; ++c) {
      distance.fill(0);
      for (std::size_t d = 0; d < dims; ++d)
        for (std::size_t i = 0; i < count; ++i) {
          const float difference = columns[d * n + start + i] - centres[c][d];
          distance[i] += difference * difference;
        }
      for (std::size_t i = 0; i < count; ++i) {
        labels[start + i] = distance[i] < best[i] ? c : labels[start + i];
        best[i] = std::min(best[i], distance[i]);
      }
    }
  }
}

struct Sums {
  std::array<std::array<double, dims>, clusters> place{};
  std::array<double, clusters> count{};
};

/// Each lane has sums of its own.
CORPUS_REGION void add_members(const Floats& points, const Labels& labels, std::vector<Sums>& lanes) {
#pragma omp parallel for
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Sums& sums = lanes[static_cast<std::size_t>(omp_get_thread_num())];
    for (std::size_t d = 0; d < dims; ++d) sums.place[labels[i]][d] += static_cast<double>(points[i * dims + d]);
    ++sums.count[labels[i]];
  }
}

void recentre(const Floats& points, const Labels& labels, Centres& centres) {
  std::vector<Sums> lanes(static_cast<std::size_t>(omp_get_max_threads()));
  add_members(points, labels, lanes);
  for (std::size_t c = 0; c < clusters; ++c)
    for (std::size_t d = 0; d < dims; ++d) {
      double place = 0, count = 1e-9;
      for (const Sums& lane : lanes) place += lane.place[c][d], count += lane.count[c];
      centres[c][d] = static_cast<float>(place / count);
    }
}

/// How far a point is at most from its centre, and at least from all others.
struct Bounds {
  float upper = 1e9f, lower = 0;
};

/// Only points whose bounds say no more who is nearest look at all centres; how many did.
CORPUS_REGION std::size_t assign_bounded(const Floats& points, const Centres& centres, const Centres& before,
                                         std::vector<Bounds>& bounds, Labels& labels) {
  std::array<float, clusters> shift{};
  for (std::size_t c = 0; c < clusters; ++c) shift[c] = std::sqrt(square_distance(before[c].data(), centres[c]));
  const float most = *std::max_element(shift.begin(), shift.end());
  std::size_t looked = 0;
#pragma omp parallel for reduction(+ : looked)
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Bounds& b = bounds[i];
    b = {b.upper + shift[labels[i]], b.lower - most};
    if (b.upper < b.lower) continue;
    ++looked;
    b = {1e9f, 1e9f};
    for (std::uint32_t c = 0; c < clusters; ++c) {
      const float distance = std::sqrt(square_distance(&points[i * dims], centres[c]));
      if (distance < b.upper)
        b = {distance, b.upper}, labels[i] = c;
      else
        b.lower = std::min(b.lower, distance);
    }
  }
  return looked;
}

/// Points at random, each moves its centre at once.
CORPUS_REGION void small_batches(const Floats& points, Centres& centres, corpus::Random& random) {
  std::array<float, clusters> count{};
  for (std::size_t sample = 0; sample < points.size() / dims / 4; ++sample) {
    const float* const point = &points[random.below(points.size() / dims) * dims];
    std::size_t best = 0;
    for (std::size_t c = 1; c < clusters; ++c)
      if (square_distance(point, centres[c]) < square_distance(point, centres[best])) best = c;
    const float rate = 1 / ++count[best];
    for (std::size_t d = 0; d < dims; ++d) centres[best][d] += rate * (point[d] - centres[best][d]);
  }
}

struct Mixture {
  Centres mean, variance;
  std::array<float, clusters> weight;
};

/// Shares of the components in each point; the logarithm of the likelihood.
CORPUS_REGION double expect(const Floats& points, const Mixture& m, Floats& shares) {
  double likelihood = 0;
#pragma omp parallel for reduction(+ : likelihood)
  for (std::size_t i = 0; i < points.size() / dims; ++i) {
    float* const share = &shares[i * clusters];
    float sum = 1e-30f;
    for (std::size_t c = 0; c < clusters; ++c) {
      float exponent = 0, volume = 1;
      for (std::size_t d = 0; d < dims; ++d) {
        const float difference = points[i * dims + d] - m.mean[c][d];
        exponent -= difference * difference / m.variance[c][d];
        volume *= m.variance[c][d];
      }
      sum += share[c] = exponent < -150 ? 0 : m.weight[c] * std::exp(exponent / 2) / std::sqrt(volume);
    }
    for (std::size_t c = 0; c < clusters; ++c) share[c] /= sum;
    likelihood += std::log(static_cast<double>(sum));
  }
  return likelihood;
}

/// Component by component: a column of the shares, at a stride.
CORPUS_REGION void maximise(const Floats& points, const Floats& shares, Mixture& m) {
  const std::size_t n = points.size() / dims;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t c = 0; c < clusters; ++c) {
    float count = 1e-9f;
    Centre sum{}, square{};
    for (std::size_t i = 0; i < n; ++i) {
      const float share = shares[i * clusters + c];
      count += share;
      for (std::size_t d = 0; d < dims; ++d) {
        const float difference = points[i * dims + d] - m.mean[c][d];
        sum[d] += share * difference, square[d] += share * difference * difference;
      }
    }
    for (std::size_t d = 0; d < dims; ++d) {
      const float shift = sum[d] / count;
      m.mean[c][d] += shift;
      m.variance[c][d] = std::max(1e-3f, square[d] / count - shift * shift);
    }
    m.weight[c] = count / static_cast<float>(n);
  }
}

CORPUS_REGION std::size_t different(const Labels& a, const Labels& b) {
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count)
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t n = input.pick<std::size_t>(36'000, 60'000);
  Floats points(n * dims), columns(n * dims), shares(n * clusters);
  make_points(points, input.seed);
  to_columns(points, columns);
  Labels labels(n), bounded(n);
  Centres centres = seed_centres(points, random);
  small_batches(points, centres, random);
  std::vector<Bounds> bounds(n);
  const double start = assign(points, centres, labels);
  assign_bounded(points, centres, centres, bounds, bounded);
  const Centres before = centres;
  recentre(points, labels, centres);
  const std::size_t looked = assign_bounded(points, centres, before, bounds, bounded);
  assign_columns(columns, centres, labels);
  bool right = looked < n && different(labels, bounded) < n / 1000 && assign(points, centres, labels) <= start;
  Mixture mixture{.mean = centres, .variance = {}, .weight = {}};
  for (Centre& variance : mixture.variance) variance.fill(1);
  mixture.weight.fill(1.0f / clusters);
  const double likelihood = expect(points, mixture, shares);
  maximise(points, shares, mixture);
  return {.checksum = likelihood, .right = right && expect(points, mixture, shares) >= likelihood};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
