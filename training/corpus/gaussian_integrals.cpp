// Integrals over Gaussian functions of a long molecule, and what becomes of them: pairs of near functions, overlap,
// kinetic energy, attraction by nuclei, bounds of repulsion, Coulomb and exchange sums, moments of boxes, p functions,
// a density matrix of near pairs that is purified.
// Source: Szabo, Ostlund, Modern Quantum Chemistry, appendix A; Obara, Saika, J. Chem. Phys. 84, 1986; Haser, Ahlrichs,
// J. Comput. Chem. 10, 1989 (bounds); White, Johnson, Gill, Head-Gordon, Chem. Phys. Lett. 230, 1994; McWeeny, Rev.
// Modern Physics 32, 1960.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Values = std::vector<double>;
using Index = std::uint32_t;
using Indices = std::vector<Index>;
using Vector = std::array<double, 3>;
constexpr double pi = std::numbers::pi;

struct Atom {
  Vector at;
  double exponent;
};
using Atoms = std::vector<Atom>;

double square(const Vector& a, const Vector& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/// The product of two functions, a Gaussian itself.
struct Pair {
  Vector centre;
  double exponent, factor, bound;
  Index a, b;
};
using Pairs = std::vector<Pair>;

/// A helix with some disorder.
CORPUS_REGION void make_atoms(std::uint64_t seed, Atoms& atoms) {
#pragma omp parallel for
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const auto turn = static_cast<double>(i);
    const double shift = corpus::random_real(seed, i);
    atoms[i] = {{3 * std::cos(turn) + shift, 3 * std::sin(turn), 0.6 * turn}, 0.4 + 0.4 * shift};
  }
}

/// Partners within the cut-off: atoms further along the chain than 20 are too far away.
template <class Work>
void near(const Atoms& atoms, std::size_t i, Work work) {
  for (std::size_t j = i < 20 ? 0 : i - 20; j < std::min(atoms.size(), i + 21); ++j)
    if (square(atoms[i].at, atoms[j].at) < 40) work(j);
}

CORPUS_REGION void count_partners(const Atoms& atoms, Indices& begin) {
#pragma omp parallel for
  for (std::size_t i = 0; i < atoms.size(); ++i) near(atoms, i, [&](std::size_t) { ++begin[i + 1]; });
}

CORPUS_REGION void make_pairs(const Atoms& atoms, const Indices& begin, Pairs& pairs) {
#pragma omp parallel for
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    Index next = begin[i];
    near(atoms, i, [&](std::size_t j) {
      const Atom &a = atoms[i], &b = atoms[j];
      const double p = a.exponent + b.exponent;
      Pair& pair = pairs[next++];
      for (std::size_t k = 0; k < 3; ++k) pair.centre[k] = (a.exponent * a.at[k] + b.exponent * b.at[k]) / p;
      pair.exponent = p;
      pair.factor = std::exp(-a.exponent * b.exponent / p * square(a.at, b.at));
      pair.a = static_cast<Index>(i), pair.b = static_cast<Index>(j);
    });
  }
}

CORPUS_REGION void overlaps(const Pairs& pairs, Values& overlap) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) overlap[i] = pairs[i].factor * std::pow(pi / pairs[i].exponent, 1.5);
}

/// Kinetic energies follow from overlaps and the exponents of both atoms.
CORPUS_REGION void kinetic(const Atoms& atoms, const Pairs& pairs, const Values& overlap, Values& energy) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Atom &a = atoms[pairs[i].a], &b = atoms[pairs[i].b];
    const double reduced = a.exponent * b.exponent / pairs[i].exponent;
    energy[i] = reduced * (3 - 2 * reduced * square(a.at, b.at)) * overlap[i];
  }
}

/// Boys' function of order 0 at steps of 1 / 64 up to 32.
CORPUS_REGION void make_table(Values& table) {
  table[0] = 1;
  for (std::size_t i = 1; i < table.size(); ++i) {
    const double root = std::sqrt(static_cast<double>(i) / 64);
    table[i] = std::sqrt(pi) / 2 / root * std::erf(root);
  }
}

double boys(const Values& table, double t) {
  if (t >= 31.9) return 0.5 * std::sqrt(pi / t);
  const auto step = static_cast<std::size_t>(t * 64);
  const double part = t * 64 - static_cast<double>(step);
  return table[step] + part * (table[step + 1] - table[step]);
}

/// Attraction of each pair by the nuclei nearby.
CORPUS_REGION void attraction(const Atoms& atoms, const Pairs& pairs, const Values& table, Values& energy) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double sum = 0;
    for (std::size_t c = pairs[i].a; c < std::min<std::size_t>(atoms.size(), pairs[i].a + 24); ++c)
      sum += boys(table, pairs[i].exponent * square(pairs[i].centre, atoms[c].at));
    energy[i] -= 2 * pi / pairs[i].exponent * pairs[i].factor * sum;
  }
}

double repulsion(const Pair& x, const Pair& y, const Values& table) {
  const double p = x.exponent, q = y.exponent;
  const double t = p * q / (p + q) * square(x.centre, y.centre);
  return 2 * pi * pi * std::sqrt(pi) / (p * q * std::sqrt(p + q)) * x.factor * y.factor * boys(table, t);
}

/// Schwarz: no integral is larger than the product of both pairs' bounds.
CORPUS_REGION void find_bounds(const Values& table, Pairs& pairs) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].bound = std::sqrt(repulsion(pairs[i], pairs[i], table));
}

/// From large to small bounds, by their exponents of two.
CORPUS_REGION void sort_pairs(const Pairs& pairs, Indices& next, Indices& order) {
  const auto level = [](const Pair& pair) {
    return static_cast<std::size_t>(std::clamp(8 - std::ilogb(pair.bound), 0, 62));
  };
  for (const Pair& pair : pairs) ++next[level(pair) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (Index i = 0; i < pairs.size(); ++i) order[next[level(pairs[i])]++] = i;
}

/// Repulsion of some pairs by all charge. Stops where the rest is too small.
CORPUS_REGION void coulomb(const Pairs& pairs, const Indices& order, const Values& density, const Values& table,
                           std::size_t step, Values& sums) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const Pair& bra = pairs[s * step];
    double sum = 0;
    for (const Index k : order) {
      if (bra.bound * pairs[k].bound < 1e-6) break;
      sum += density[k] * repulsion(bra, pairs[k], table);
    }
    sums[s] = sum;
  }
}

struct Box {
  double charge;
  Vector moment;
};

/// Charge and dipole of boxes along the molecule.
CORPUS_REGION void fill_boxes(const Pairs& pairs, const Values& density, const Values& overlap,
                              std::vector<Box>& boxes) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Box& box = boxes[static_cast<std::size_t>(pairs[i].centre[2] / 12)];
    box.charge += density[i] * overlap[i];
    for (std::size_t k = 0; k < 3; ++k) box.moment[k] += density[i] * overlap[i] * pairs[i].centre[k];
  }
}

/// The same sums: far boxes as points, near pairs one by one.
CORPUS_REGION void fast_coulomb(const Pairs& pairs, const Indices& begin, const std::vector<Box>& boxes,
                                const Values& density, const Values& table, std::size_t step, Values& sums) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const Pair& bra = pairs[s * step];
    const auto own = static_cast<std::ptrdiff_t>(bra.centre[2] / 12);
    double far = 0, sum = 0;
    for (std::ptrdiff_t b = 0; b < static_cast<std::ptrdiff_t>(boxes.size()); ++b) {
      const Box& box = boxes[static_cast<std::size_t>(b)];
      if (std::abs(b - own) < 3 || box.charge == 0) continue;
      Vector middle;
      for (std::size_t k = 0; k < 3; ++k) middle[k] = box.moment[k] / box.charge;
      far += box.charge / std::sqrt(square(middle, bra.centre));
    }
    const std::size_t first = bra.a < 80 ? 0 : bra.a - 80, last = std::min<std::size_t>(begin.size() - 1, bra.a + 81);
    for (Index k = begin[first]; k < begin[last]; ++k)
      if (std::abs(static_cast<std::ptrdiff_t>(pairs[k].centre[2] / 12) - own) < 3)
        sum += density[k] * repulsion(bra, pairs[k], table);
    sums[s] = sum + far * bra.factor * std::pow(pi / bra.exponent, 1.5);
  }
}

/// Exchange of some atoms: chains of near pairs a b, b d, d c.
CORPUS_REGION void exchange(const Pairs& pairs, const Indices& begin, const Values& density, const Values& table,
                            std::size_t step, Values& sums) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (Index ab = begin[s * step]; ab < begin[s * step + 1]; ++ab)
      for (Index bd = begin[pairs[ab].b]; bd < begin[pairs[ab].b + 1]; ++bd) {
        if (std::fabs(density[bd]) * pairs[ab].bound < 1e-2) continue;
        for (Index dc = begin[pairs[bd].b]; dc < begin[pairs[bd].b + 1]; ++dc)
          sums[s] += density[bd] * repulsion(pairs[ab], pairs[dc], table);
      }
}

/// Overlaps of the three p functions of both atoms: nine numbers a pair.
CORPUS_REGION void p_overlaps(const Atoms& atoms, const Pairs& pairs, const Values& overlap, Values& blocks) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Atom &a = atoms[pairs[i].a], &b = atoms[pairs[i].b];
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t l = 0; l < 3; ++l)
        blocks[i * 9 + k * 3 + l] = overlap[i] * ((pairs[i].centre[k] - a.at[k]) * (pairs[i].centre[l] - b.at[l]) +
                                                  (k == l ? 0.5 / pairs[i].exponent : 0.0));
  }
}

/// Squares of the matrix where it has entries, by crossing rows: x y for pairs of atoms.
CORPUS_REGION void multiply(const Pairs& pairs, const Indices& begin, const Values& x, const Values& y, Values& z) {
#pragma omp parallel for
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    double sum = 0;
    for (Index k = begin[pairs[i].a], l = begin[pairs[i].b]; k < begin[pairs[i].a + 1] && l < begin[pairs[i].b + 1];) {
      if (pairs[k].b == pairs[l].b)
        sum += x[k++] * y[l++];
      else if (pairs[k].b < pairs[l].b)
        ++k;
      else
        ++l;
    }
    z[i] = sum;
  }
}

/// 3 D^2 - 2 D^3. Returns how far D was from its square.
CORPUS_REGION double purify(const Values& second, const Values& third, Values& density) {
  double error = 0;
#pragma omp parallel for reduction(+ : error)
  for (std::size_t i = 0; i < density.size(); ++i) {
    error += (second[i] - density[i]) * (second[i] - density[i]);
    density[i] = 3 * second[i] - 2 * third[i];
  }
  return error;
}

corpus::Answer program(const corpus::Input& input) {
  Atoms atoms(input.pick<std::size_t>(1'200, 2'000));
  make_atoms(input.seed, atoms);
  Indices begin(atoms.size() + 1);
  count_partners(atoms, begin);
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  Pairs pairs(begin.back());
  make_pairs(atoms, begin, pairs);
  const std::size_t n = pairs.size();
  Values overlap(n), energy(n), table(2050), density(n), second(n), third(n), blocks(9 * n);
  overlaps(pairs, overlap);
  kinetic(atoms, pairs, overlap, energy);
  make_table(table);
  attraction(atoms, pairs, table, energy);
  find_bounds(table, pairs);
  Indices next(64), order(n);
  sort_pairs(pairs, next, order);
  for (std::size_t i = 0; i < n; ++i) density[i] = (pairs[i].a == pairs[i].b ? 0.5 : 0.0) + 0.01 * overlap[i];
  const std::size_t step = n / 60;
  Values sums(60), fast(60), crossed(60);
  coulomb(pairs, order, density, table, step, sums);
  std::vector<Box> boxes(atoms.size() / 15);
  fill_boxes(pairs, density, overlap, boxes);
  fast_coulomb(pairs, begin, boxes, density, table, step, fast);
  exchange(pairs, begin, density, table, atoms.size() / 60, crossed);
  p_overlaps(atoms, pairs, overlap, blocks);
  Values errors;
  for (int round = 0; round < 3; ++round) {
    multiply(pairs, begin, density, density, second);
    multiply(pairs, begin, second, density, third);
    errors.push_back(purify(second, third, density));
  }
  double wrong = 0, size = 0;
  for (std::size_t s = 0; s < sums.size(); ++s) wrong += std::fabs(sums[s] - fast[s]), size += std::fabs(sums[s]);
  const double trace = std::accumulate(density.begin(), density.end(), crossed[7] + blocks[n]);
  return {.checksum = trace + size + energy[n / 2], .right = wrong < 1e-2 * size && errors[2] < errors[0]};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
