// The discrete element method: spheres with springs, dampers and friction at their contacts. Candidates come from a
// hash of cells and from sweeping along an axis; contacts keep their history in lists of neighbours; forces are summed
// by both partners and by contacts.
// Source: Cundall and Strack, Geotechnique 29, 1979; Pöschel and Schwager, Computational Granular Dynamics, chapter 2;
// Cohen et al., I-COLLIDE, I3D 1995 (sweep and prune).
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/vec.h"

namespace {

using corpus::Vec;
using Index = std::uint32_t;
using Vecs = std::vector<Vec>;

constexpr std::size_t most = 8;  ///< contacts of a sphere that are kept
constexpr double stiffness = 1000, damping = 2, slide = 0.4, margin = 0.1;

struct Spheres {
  double side;  ///< of the box
  Vecs place, velocity, spin, force, torque;
  std::vector<double> radius;
  explicit Spheres(std::size_t n) : side(0), place(n), velocity(n), spin(n), force(n), torque(n), radius(n) {}
  std::size_t size() const { return place.size(); }
  double near(std::size_t i, std::size_t j) const { return radius[i] + radius[j] + margin; }
};

CORPUS_REGION void place_on_lattice(Spheres& s, std::size_t row, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto jitter = [&](std::size_t k) { return 0.3 * (corpus::random_real(seed, 4 * i + k) - 0.5); };
    const auto x = static_cast<double>(i % row), y = static_cast<double>(i / row % row);
    s.place[i] = {x + 0.5 + jitter(0), y + 0.5 + jitter(1), static_cast<double>(i / (row * row)) + 0.5 + jitter(2)};
    s.radius[i] = 0.45 + jitter(3) / 3;
    s.velocity[i] = {jitter(1), jitter(2), jitter(3)};
  }
}

/// Numbers are shuffled, as those of spheres that have flowed for long.
CORPUS_REGION void shuffle(Spheres& s, std::uint64_t seed) {
  for (std::size_t i = s.size(); i > 1; --i) {
    const std::size_t j = corpus::random_below(static_cast<Index>(i), seed, i);
    std::swap(s.place[i - 1], s.place[j]);
    std::swap(s.velocity[i - 1], s.velocity[j]);
    std::swap(s.radius[i - 1], s.radius[j]);
  }
}

std::size_t bucket(const Vec& p, std::size_t buckets) {
  const auto whole = [](double u) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(u + 64)); };
  return (whole(p.x) * 73856093 ^ whole(p.y) * 19349663 ^ whole(p.z) * 83492791) % buckets;
}

/// Chains of spheres in the buckets of a hash of cells.
CORPUS_REGION void fill_buckets(const Spheres& s, std::vector<Index>& head, std::vector<Index>& next) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    Index& first = head[bucket(s.place[i], head.size())];
    next[i] = first;
    first = static_cast<Index>(i) + 1;  // 0: the end
  }
}

struct Neighbours {
  std::vector<Index> count, list;
  Vecs slip;  ///< how far the surfaces have slipped along each other
  explicit Neighbours(std::size_t n) : count(n), list(n * most), slip(n * most) {}
};

/// Walks along the chains of 27 cells; a sphere lists those with larger numbers.
CORPUS_REGION void search_buckets(const Spheres& s, const std::vector<Index>& head, const std::vector<Index>& next,
                                  Neighbours& n) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t i = 0; i < s.size(); ++i) {
    Index found = 0;
    for (int cell = 0; cell < 27; ++cell) {
      const Vec at = s.place[i] + Vec{cell % 3 - 1.0, cell / 3 % 3 - 1.0, cell / 9 - 1.0};
      for (Index j = head[bucket(at, head.size())]; j != 0; j = next[j - 1]) {
        const Vec& p = s.place[j - 1];
        const auto whole = [](double u) { return static_cast<int>(u + 64); };
        if (whole(p.x) != whole(at.x) || whole(p.y) != whole(at.y) || whole(p.z) != whole(at.z)) continue;
        const Vec d = p - s.place[i];
        const double reach = s.near(i, j - 1);
        if (j - 1 > i && found < most && dot(d, d) < reach * reach) n.list[i * most + found++] = j - 1;
      }
    }
    n.count[i] = found;
  }
}

/// Sorts by the lower end along x; the order is nearly right when it is used again.
CORPUS_REGION void sort_along(const Spheres& s, std::vector<Index>& order) {
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return s.place[a].x - s.radius[a] < s.place[b].x - s.radius[b]; });
}

/// How many pairs are near each other: each sphere looks ahead until the others begin behind its end.
CORPUS_REGION std::uint64_t sweep(const Spheres& s, const std::vector<Index>& order) {
  std::uint64_t pairs = 0;
#pragma omp parallel for reduction(+ : pairs) schedule(dynamic, 32)
  for (std::size_t k = 0; k < order.size(); k += 16) {  // a sample
    const Index i = order[k];
    for (std::size_t l = k + 1; l < order.size(); ++l) {
      const Index j = order[l];
      if (s.place[j].x - s.radius[j] > s.place[i].x + s.radius[i] + margin) break;
      const Vec d = s.place[j] - s.place[i];
      pairs += dot(d, d) < s.near(i, j) * s.near(i, j);
    }
  }
  return pairs;
}

struct Pull {
  Vec force, arm;
};

/// What a contact does to the first of both; slip is the spring of its friction.
Pull contact(const Spheres& s, std::size_t i, std::size_t j, Vec& slip, double step) {
  const Vec d = s.place[i] - s.place[j];
  const double square = dot(d, d), sum = s.radius[i] + s.radius[j];
  if (square >= sum * sum) return slip = {}, Pull{};
  const double far = std::sqrt(square);
  const Vec normal = 1 / far * d, arm = -s.radius[i] * normal;
  const Vec turning = cross(s.radius[i] * s.spin[i] + s.radius[j] * s.spin[j], normal);
  const Vec relative = s.velocity[i] - s.velocity[j] - turning;
  const double along = dot(relative, normal), push = std::max(stiffness * (sum - far) - damping * along, 0.0);
  slip = slip + step * (relative - along * normal);
  const double spring = 0.3 * stiffness * std::sqrt(dot(slip, slip));
  if (spring > slide * push) slip = slide * push / spring * slip;
  const Vec force = push * normal - 0.3 * stiffness * slip;
  return {force, cross(arm, force)};
}

/// One lane goes through the lists; both partners get their share at once.
CORPUS_REGION std::uint64_t push_pairs(Spheres& s, Neighbours& n, double step) {
  std::uint64_t contacts = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k) {
      const std::size_t j = n.list[k];
      const Pull pull = contact(s, i, j, n.slip[k], step);
      contacts += dot(pull.force, pull.force) > 0;
      s.force[i] = s.force[i] + pull.force, s.force[j] = s.force[j] - pull.force;
      s.torque[i] = s.torque[i] + pull.arm, s.torque[j] = s.torque[j] + s.radius[j] / s.radius[i] * pull.arm;
    }
  return contacts;
}

/// All lanes: what the contacts do is kept, a record for each place in the lists.
CORPUS_REGION void find_pulls(const Spheres& s, Neighbours& n, double step, std::vector<Pull>& pulls) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k) pulls[k] = contact(s, i, n.list[k], n.slip[k], step);
}

/// Contacts by their second partner, so that each sphere can gather both halves.
CORPUS_REGION void transpose(const Neighbours& n, std::vector<Index>& begin, std::vector<Index>& place) {
  for (std::size_t i = 0; i < n.count.size(); ++i)
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k) ++begin[n.list[k] + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < n.count.size(); ++i)
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k) place[next[n.list[k]]++] = static_cast<Index>(k);
}

CORPUS_REGION void gather_pulls(const Neighbours& n, const std::vector<Pull>& pulls, const std::vector<Index>& begin,
                                const std::vector<Index>& place, Vecs& force) {
#pragma omp parallel for
  for (std::size_t i = 0; i < force.size(); ++i) {
    Vec sum{};
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k) sum = sum + pulls[k].force;
    for (Index k = begin[i]; k < begin[i + 1]; ++k) sum = sum - pulls[place[k]].force;
    force[i] = sum;
  }
}

CORPUS_REGION void push_walls(Spheres& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto wall = [&](double x, double v) {
      const double low = std::max(s.radius[i] - x, 0.0), high = std::max(x + s.radius[i] - s.side, 0.0);
      return stiffness * (low - high) - (low + high > 0 ? damping * v : 0.0);
    };
    const Vec &p = s.place[i], &v = s.velocity[i];
    s.force[i] = s.force[i] + Vec{wall(p.x, v.x), wall(p.y, v.y), wall(p.z, v.z) - 9.81};
  }
}

CORPUS_REGION void move(Spheres& s, double step) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double inverse = 1 / (8 * s.radius[i] * s.radius[i] * s.radius[i]);
    s.velocity[i] = s.velocity[i] + step * inverse * s.force[i];
    s.place[i] = s.place[i] + step * s.velocity[i];
  }
}

CORPUS_REGION void turn(Spheres& s, double step) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.size(); ++i)
    s.spin[i] = s.spin[i] + step / (3.2 * std::pow(s.radius[i], 5.0)) * s.torque[i];
}

/// The stress of the packing: forces times distances.
CORPUS_REGION double stress(const Spheres& s, const Neighbours& n, const std::vector<Pull>& pulls) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < s.size(); ++i)
    for (std::size_t k = i * most; k < i * most + n.count[i]; ++k)
      sum += dot(pulls[k].force, s.place[i] - s.place[n.list[k]]);
  return sum;
}

CORPUS_REGION double difference(const Vecs& a, const Vecs& b) {
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec d = a[i] - b[i];
    worst = std::max(worst, dot(d, d) / (1 + dot(a[i], a[i])));
  }
  return worst;
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t row = input.pick<std::size_t>(17, 21);
  Spheres s(row * row * row);
  s.side = static_cast<double>(row);
  place_on_lattice(s, row, input.seed);
  shuffle(s, input.seed);
  std::vector<Index> head(16384), next(s.size()), order(s.size()), begin(s.size() + 1), place(s.size() * most);
  Neighbours n(s.size());
  std::vector<Pull> pulls(s.size() * most);
  fill_buckets(s, head, next);
  search_buckets(s, head, next, n);
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  sort_along(s, order);
  const std::uint64_t near = sweep(s, order);
  const double step = 1e-4;
  Neighbours copy = n;
  find_pulls(s, copy, step, pulls);
  transpose(n, begin, place);
  Vecs gathered(s.size());
  gather_pulls(n, pulls, begin, place, gathered);
  const std::uint64_t contacts = push_pairs(s, n, step);
  const double apart = difference(gathered, s.force), pressure = stress(s, n, pulls);
  push_walls(s);
  move(s, step);
  turn(s, step);
  std::uint64_t listed = 0;
  for (const Index count : n.count) listed += count;
  const double sampled = 16.0 * static_cast<double>(near) / static_cast<double>(listed);
  const bool right = apart < 1e-18 && sampled > 0.8 && sampled < 1.2 && pressure > 0;
  return {.checksum = pressure + static_cast<double>(contacts) + s.place[99].z + s.spin[7].x, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
