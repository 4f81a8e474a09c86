// Search without a guarantee: a tour by strips, exchanges of two edges, moved cities; annealing of an assignment (rate
// style), a genetic algorithm, trees of random games (rate style).
// Source: Lin, Bell System Technical J. 44(10), 1965 (edges); Or, thesis, Northwestern University, 1976 (cities);
// Kirkpatrick, Gelatt, Vecchi, Science 220, 1983 (annealing); Holland, Adaptation in Natural and Artificial Systems,
// 1975; Kocsis, Szepesvari, ECML 2006 (games).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Numbers = std::vector<std::uint32_t>;
using Floats = std::vector<float>;
using Words = std::vector<std::uint64_t>;

struct City {
  float x, y;
};

using Cities = std::vector<City>;

float way(const City& a, const City& b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

CORPUS_REGION void place_cities(Cities& cities, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < cities.size(); ++i)
    cities[i] = {static_cast<float>(corpus::random_real(seed, 2 * i)),
                 static_cast<float>(corpus::random_real(seed, 2 * i + 1))};
}

/// Strips of the square, up and down in turn: cities that are near in the tour are near in the plane.
CORPUS_REGION void sweep(const Cities& cities, Numbers& tour) {
  const auto strips = std::sqrt(static_cast<float>(cities.size()) / 3);
  std::sort(tour.begin(), tour.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto strip = static_cast<int>(cities[a].x * strips), other = static_cast<int>(cities[b].x * strips);
    if (strip != other) return strip < other;
    return strip % 2 == 0 ? cities[a].y < cities[b].y : cities[a].y > cities[b].y;
  });
}

CORPUS_REGION double tour_length(const Cities& cities, const Numbers& tour) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 1; i < tour.size(); ++i) sum += static_cast<double>(way(cities[tour[i - 1]], cities[tour[i]]));
  return sum;
}

/// Two edges of a piece of the tour are exchanged, and what is between them reversed, if that is shorter.
CORPUS_REGION void exchange_edges(const Cities& cities, Numbers& tour, std::size_t offset) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t start = offset; start < tour.size() - 600; start += 512)
    for (std::size_t i = start; i < start + 511; ++i)
      for (std::size_t k = i + 2; k < std::min(i + 40, start + 511); ++k) {
        const City &a = cities[tour[i]], &b = cities[tour[i + 1]], &c = cities[tour[k]], &d = cities[tour[k + 1]];
        if (way(a, c) + way(b, d) + 1e-6f < way(a, b) + way(c, d)) std::reverse(&tour[i + 1], &tour[k + 1]);
      }
}

/// A city moves to a better place some steps on.
CORPUS_REGION std::size_t move_cities(const Cities& cities, Numbers& tour) {
  std::size_t moves = 0;
  for (std::size_t i = 1; i + 12 < tour.size(); ++i) {
    const City &before = cities[tour[i - 1]], &city = cities[tour[i]], &after = cities[tour[i + 1]];
    const float gain = way(before, city) + way(city, after) - way(before, after);
    for (std::size_t k = i + 1; k < i + 11; ++k) {
      const City &a = cities[tour[k]], &b = cities[tour[k + 1]];
      if (way(a, city) + way(city, b) - way(a, b) + 1e-6f >= gain) continue;
      std::rotate(&tour[i], &tour[i + 1], &tour[k + 1]);
      ++moves;
      break;
    }
  }
  return moves;
}

CORPUS_REGION bool is_tour(const Numbers& tour, Numbers& seen) {
  for (const std::uint32_t city : tour) ++seen[city];
  return std::count(seen.begin(), seen.end(), 1u) == std::ssize(tour);
}

constexpr std::size_t size = 192;  // of an assignment

/// Every lane anneals its own assignment of places to things: flows between things times distances.
CORPUS_REGION void anneal(const Floats& flow, const Floats& distance,
                          std::vector<std::array<std::uint16_t, size>>& places, Floats& gains, std::uint64_t seed) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t lane = 0; lane < places.size(); ++lane) {
    auto& place = places[lane];
    const float *const f = &flow[lane * size * size], *const d = &distance[lane * size * size];
    for (std::uint64_t step = 0; step < 1'000; ++step) {
      const std::size_t a = corpus::random_below(size, seed + lane, 3 * step),
                        b = corpus::random_below(size, seed + lane, 3 * step + 1);
      float change = 0;
      for (std::size_t k = 0; k < size; ++k)
        if (k != a && k != b)
          change +=
              (f[a * size + k] - f[b * size + k]) * (d[place[b] * size + place[k]] - d[place[a] * size + place[k]]);
      const float heat = 20 / (1 + static_cast<float>(step) / 50);
      if (change > 0 && static_cast<float>(corpus::random_real(seed, 3 * step + 2)) > std::exp(-change / heat))
        continue;
      std::swap(place[a], place[b]);
      gains[lane] -= change;
    }
  }
}

CORPUS_REGION void random_matrix(Floats& values, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t block = i / (size * size) * size * size, row = i % (size * size) / size, column = i % size;
    const std::size_t least = std::min(row, column), most = std::max(row, column);
    values[i] = row == column ? 0 : static_cast<float>(corpus::random_real(seed, block + least * size + most));
  }
}

constexpr std::size_t genes = 64;  // words of 64 bits

/// How many pairs of neighbouring bits of a creature are different, with a penalty for too many ones.
CORPUS_REGION void rate(const Words& creatures, Numbers& fitness) {
#pragma omp parallel for
  for (std::size_t c = 0; c < fitness.size(); ++c) {
    int score = 0;
    for (std::size_t g = c * genes; g < (c + 1) * genes; ++g)
      score += std::popcount(creatures[g] ^ creatures[g] << 1) - std::popcount(creatures[g] & 0xff);
    fitness[c] = static_cast<std::uint32_t>(std::max(0, score));
  }
}

/// The better of two random creatures, twice; words of the one or of the other, sometimes with a changed bit.
CORPUS_REGION void breed(const Words& parents, const Numbers& fitness, Words& children, std::uint64_t seed) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t c = 0; c < fitness.size(); ++c) {
    std::array<std::size_t, 2> parent;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto count = static_cast<std::uint32_t>(fitness.size());
      const std::uint32_t a = corpus::random_below(count, seed, 4 * c + 2 * k),
                          b = corpus::random_below(count, seed, 4 * c + 2 * k + 1);
      parent[k] = fitness[a] > fitness[b] ? a : b;
    }
    for (std::size_t g = 0; g < genes; ++g) {
      const std::uint64_t bits = corpus::random_bits(seed + 1, c * genes + g);
      const std::uint64_t changed = bits >> 8 & 15 ? 0 : std::uint64_t{1} << (bits >> 16 & 63);
      children[c * genes + g] = parents[parent[bits & 1] * genes + g] ^ changed;
    }
  }
}

struct Node {
  std::array<std::uint32_t, 4> child{};
  std::uint32_t visits = 0, wins = 0;
};

/// Games of twelve moves with four choices: down the tree by upper bounds, one new node, wins back up (rate style).
CORPUS_REGION void play(std::vector<std::vector<Node>>& trees, std::size_t games, std::uint64_t seed) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < trees.size(); ++t) {
    std::vector<Node>& tree = trees[t];
    for (std::size_t game = 0; game < games; ++game) {
      std::array<std::uint32_t, 13> path{};
      std::uint64_t state = seed + t;
      std::size_t depth = 0;
      for (; depth < 12; ++depth) {
        Node& node = tree[path[depth]];
        std::size_t best = 0;
        float most = -1;
        for (std::size_t k = 0; k < 4; ++k) {
          const Node& child = tree[node.child[k]];
          const auto tries = static_cast<float>(node.child[k] == 0 ? 0 : child.visits);
          const float bound = (static_cast<float>(child.wins) + 1) / (tries + 1) +
                              std::sqrt(static_cast<float>(std::bit_width(node.visits)) / (tries + 1));
          if (bound > most) most = bound, best = k;
        }
        state = corpus::random_bits(state, best);
        if (node.child[best] == 0) {
          node.child[best] = path[++depth] = static_cast<std::uint32_t>(tree.size());
          tree.emplace_back();
          break;
        }
        path[depth + 1] = node.child[best];
      }
      const bool won = corpus::random_bits(state, game) % 16 < state % 16;
      for (std::size_t k = 0; k <= depth; ++k) ++tree[path[k]].visits, tree[path[k]].wins += won;
    }
  }
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const std::size_t n = input.pick<std::size_t>(40'000, 70'000);
  Cities cities(n);
  place_cities(cities, input.seed);
  Numbers tour(n), seen(n);
  std::iota(tour.begin(), tour.end(), 0u);
  sweep(cities, tour);
  const double before = tour_length(cities, tour);
  exchange_edges(cities, tour, 0);
  exchange_edges(cities, tour, 256);
  const std::size_t moves = move_cities(cities, tour);
  const double after = tour_length(cities, tour);
  bool right = is_tour(tour, seen) && after < 0.95 * before;
  Floats flow(12 * size * size), distance(flow.size()), gains(12);
  random_matrix(flow, input.seed);
  random_matrix(distance, input.seed + 1);
  std::vector<std::array<std::uint16_t, size>> places(12);
  for (auto& place : places) std::iota(place.begin(), place.end(), std::uint16_t{0});
  anneal(flow, distance, places, gains, input.seed);
  for (const float gain : gains) right = right && gain > 0;
  const std::size_t count = input.pick<std::size_t>(2'000, 3'500);
  Words creatures(count * genes), children(creatures.size());
  Numbers fitness(count);
  for (std::size_t g = 0; g < creatures.size(); ++g) creatures[g] = random.next();
  rate(creatures, fitness);
  const auto start = std::accumulate(fitness.begin(), fitness.end(), std::uint64_t{0});
  for (std::uint64_t generation = 0; generation < 3; ++generation) {
    breed(creatures, fitness, children, input.seed + generation);
    creatures.swap(children);
    rate(creatures, fitness);
  }
  right = right && std::accumulate(fitness.begin(), fitness.end(), std::uint64_t{0}) > start;
  std::vector<std::vector<Node>> trees(12, std::vector<Node>(1));
  const std::size_t games = input.pick<std::size_t>(5'000, 8'000);
  for (std::vector<Node>& tree : trees) tree.resize(games + 1), tree.resize(1);  // pages are there, then
  play(trees, games, input.seed);
  for (const std::vector<Node>& tree : trees) right = right && tree[0].visits == games;
  return {.checksum = after + static_cast<double>(moves + trees[5][0].wins), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
