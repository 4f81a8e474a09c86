// Lattices at random: Metropolis' algorithm for the Ising model on a checkerboard (by sites, and 64 copies in the bits
// of words), Wolff's clusters, labels of clusters by Hoshen and Kopelman, random walks, sandpiles. Source: Newman and
// Barkema, Monte Carlo Methods in Statistical Physics, 1999; Wolff, PRL 62, 1989; Hoshen and Kopelman, Physical Review
// B 14, 1976; Bak, Tang, Wiesenfeld, PRL 59, 1987.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

template <class T>
struct Lattice {
  explicit Lattice(std::size_t length) : side(length), site(length * length) {}
  T& at(std::size_t y, std::size_t x) { return site[y * side + x]; }
  std::size_t side;
  std::vector<T> site;
};

CORPUS_REGION void heat(Lattice<std::int8_t>& l, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < l.site.size(); ++i) l.site[i] = corpus::random_bits(seed, i) & 1 ? 1 : -1;
}

CORPUS_REGION void sweep(Lattice<std::int8_t>& l, std::size_t colour, std::uint64_t seed) {
  const double chance[] = {1, 1, std::exp(-4 / 2.27), std::exp(-8 / 2.27)};
#pragma omp parallel for
  for (std::size_t y = 0; y < l.side; ++y) {
    const std::size_t above = (y + l.side - 1) % l.side, below = (y + 1) % l.side;
    for (std::size_t x = (y + colour) % 2; x < l.side; x += 2) {
      const std::size_t left = (x + l.side - 1) % l.side, right = (x + 1) % l.side;
      const int around = l.at(above, x) + l.at(below, x) + l.at(y, left) + l.at(y, right);
      const int cost = around * l.at(y, x) / 2;
      if (cost <= 0 || corpus::random_real(seed, y * l.side + x) < chance[cost + 1])
        l.at(y, x) = static_cast<std::int8_t>(-l.at(y, x));
    }
  }
}

CORPUS_REGION double magnetisation(const Lattice<std::int8_t>& l) {
  std::int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < l.site.size(); ++i) sum += l.site[i];
  return static_cast<double>(sum) / static_cast<double>(l.site.size());
}

/// 64 systems in the bits of each word: a spin is turned where at least two neighbours differ from it.
CORPUS_REGION void sweep_bits(const Lattice<std::uint64_t>& l, Lattice<std::uint64_t>& next) {
#pragma omp parallel for
  for (std::size_t y = 1; y < l.side - 1; ++y)
    for (std::size_t x = 1; x < l.side - 1; ++x) {
      const std::uint64_t* const s = l.site.data() + y * l.side + x;
      const std::uint64_t a = s[0] ^ s[-1], b = s[0] ^ s[1], c = s[0] ^ *(s - l.side), d = s[0] ^ s[l.side];
      next.site[y * l.side + x] = s[0] ^ ((a & b) | (c & d) | ((a ^ b) & (c ^ d)));
    }
}

/// A cluster grown from one site through a stack; its spins are turned over. Returns its size.
CORPUS_REGION std::size_t turn_cluster(Lattice<std::int8_t>& l, std::uint32_t from, corpus::Random& random,
                                       std::size_t limit) {
  const auto side = static_cast<std::uint32_t>(l.side), sites = side * side;
  const std::int8_t spin = l.site[from];
  std::vector<std::uint32_t> stack{from};
  l.site[from] = static_cast<std::int8_t>(-spin);
  std::size_t size = 1;
  while (!stack.empty() && size < limit) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    for (const std::uint32_t to :
         {(at + 1) % sites, (at + sites - 1) % sites, (at + side) % sites, (at + sites - side) % sites})
      if (l.site[to] == spin && random.unit() < 0.59) {
        l.site[to] = static_cast<std::int8_t>(-spin);
        stack.push_back(to);
        ++size;
      }
  }
  return size;
}

std::uint32_t root(const std::vector<std::uint32_t>& parent, std::uint32_t label) {
  while (parent[label] != label) label = parent[label];
  return label;
}

/// Row by row; labels that meet are united.
CORPUS_REGION void label_clusters(Lattice<std::int8_t>& l, Lattice<std::uint32_t>& label,
                                  std::vector<std::uint32_t>& parent) {
  parent.assign(1, 0);
  for (std::size_t y = 0; y < l.side; ++y)
    for (std::size_t x = 0; x < l.side; ++x) {
      if (l.at(y, x) < 0) continue;
      const std::uint32_t left = x > 0 && l.at(y, x - 1) > 0 ? root(parent, label.at(y, x - 1)) : 0;
      const std::uint32_t above = y > 0 && l.at(y - 1, x) > 0 ? root(parent, label.at(y - 1, x)) : 0;
      std::uint32_t mine = left != 0 && above != 0 ? std::min(left, above) : std::max(left, above);
      if (mine == 0) parent.push_back(mine = static_cast<std::uint32_t>(parent.size()));
      if (left != 0 && above != 0) parent[std::max(left, above)] = mine;
      label.at(y, x) = mine;
    }
}

CORPUS_REGION std::size_t largest_cluster(const Lattice<std::uint32_t>& label,
                                          const std::vector<std::uint32_t>& parent) {
  std::vector<std::uint32_t> size(parent.size());
  for (const std::uint32_t mine : label.site)
    if (mine != 0) ++size[root(parent, mine)];
  return *std::max_element(size.begin(), size.end());
}

/// Many walkers; each step is at a random neighbour, counted where it leads.
CORPUS_REGION void walk(Lattice<std::uint32_t>& visits, std::vector<std::uint32_t>& walkers, std::uint64_t seed) {
  const auto sites = static_cast<std::uint32_t>(visits.site.size()), side = static_cast<std::uint32_t>(visits.side);
  const std::uint32_t steps[] = {1, sites - 1, side, sites - side};
#pragma omp parallel for
  for (std::size_t w = 0; w < walkers.size(); ++w) {
    std::uint32_t at = walkers[w];
    std::uint64_t bits = corpus::random_bits(seed, w);
    for (int step = 0; step < 16; ++step, bits >>= 2) {
      at = (at + steps[bits & 3]) % sites;
#pragma omp atomic
      ++visits.site[at];
    }
    walkers[w] = at;
  }
}

/// Topples until no site holds four grains or the passes are over. Returns topplings.
CORPUS_REGION std::size_t topple(Lattice<std::int32_t>& pile, int passes) {
  std::size_t count = 0;
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t y = 1; y < pile.side - 1; ++y)
      for (std::size_t x = 1; x < pile.side - 1; ++x) {
        if (pile.at(y, x) < 4) continue;
        pile.at(y, x) -= 4;
        ++pile.at(y - 1, x), ++pile.at(y + 1, x), ++pile.at(y, x - 1), ++pile.at(y, x + 1);
        ++count;
      }
  return count;
}

CORPUS_REGION std::uint64_t total(const std::vector<std::uint32_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint32_t value : values) sum += value;
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  Lattice<std::int8_t> l(input.pick<std::size_t>(700, 1100));
  heat(l, input.seed);
  for (std::size_t half = 0; half < 2; ++half) sweep(l, half, input.seed + half + 1);
  const double magnet = magnetisation(l);
  std::size_t turned = 0;
  for (int i = 0; i < 4; ++i) turned += turn_cluster(l, random.below(l.site.size()), random, 30'000);
  const std::size_t side = input.pick<std::size_t>(360, 520);
  Lattice<std::int8_t> part(side);
  std::copy_n(l.site.begin(), part.site.size(), part.site.begin());
  Lattice<std::uint32_t> label(side), visits(side);
  std::vector<std::uint32_t> parent, walkers(input.pick<std::size_t>(6'000, 10'000));
  label_clusters(part, label, parent);
  const std::size_t largest = largest_cluster(label, parent);
  for (std::uint32_t& walker : walkers) walker = random.below(visits.site.size());
  walk(visits, walkers, input.seed);
  Lattice<std::uint64_t> bits(side), next(side);
  for (std::uint64_t& word : bits.site) word = random.next();
  sweep_bits(bits, next);
  Lattice<std::int32_t> pile(side);
  for (std::int32_t& grains : pile.site) grains = static_cast<std::int32_t>(random.below(5));
  const std::size_t topplings = topple(pile, 2);
  return {.checksum = magnet + static_cast<double>(turned + largest + topplings + (next.at(side / 2, side / 2) & 255)),
          .right = total(visits.site) == 16 * walkers.size()};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
