// The fast multipole method in the plane: point vortices sorted by Morton's order, expansions of their cells, shifts to
// parents and children, translations to local expansions, sums over near cells; besides: a treecode that evaluates the
// expansions particle by particle, direct sums for a sample, and a step of the flow.
// Source: Greengard and Rokhlin, J. Comput. Phys. 73, 1987; Barnes and Hut, Nature 324, 1986; Cottet and Koumoutsakos,
// Vortex Methods, chapter 2 and appendix B.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Complex = std::complex<double>;

constexpr std::size_t order = 8;

using Series = std::array<Complex, order>;

struct Vortex {
  Complex place;  ///< in the unit square
  double strength;
};

using Vortices = std::vector<Vortex>;

Complex times(Complex a, Complex b) {  // without the standard's care for infinities
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex inverse(Complex a) { return std::conj(a) / std::norm(a); }

Index spread(Index bits) {
  bits = (bits | bits << 8) & 0x00ff00ff, bits = (bits | bits << 4) & 0x0f0f0f0f;
  return (bits = (bits | bits << 2) & 0x33333333, (bits | bits << 1) & 0x55555555);
}

Index gathered(Index bits) {
  bits &= 0x55555555;
  bits = (bits | bits >> 1) & 0x33333333, bits = (bits | bits >> 2) & 0x0f0f0f0f;
  return (bits = (bits | bits >> 4) & 0x00ff00ff, (bits | bits >> 8) & 0xffff);
}

/// Levels 0 to `deepest`; cells of a level in Morton's order, all levels in one array.
struct Tree {
  std::size_t deepest;
  std::vector<Series> outer, inner;  ///< of what is in the cell; of what is far from it
  std::vector<Index> begin;          ///< of each cell of the deepest level
  explicit Tree(std::size_t levels)
      : deepest(levels), outer(first(levels + 1)), inner(outer.size()), begin((std::size_t{1} << 2 * levels) + 1) {}
  static std::size_t first(std::size_t level) { return ((std::size_t{1} << 2 * level) - 1) / 3; }
  static std::size_t count(std::size_t level) { return std::size_t{1} << 2 * level; }
  static Complex centre(std::size_t level, std::size_t cell) {
    const double size = std::ldexp(1.0, -static_cast<int>(level));
    return size * Complex(gathered(static_cast<Index>(cell)) + 0.5, gathered(static_cast<Index>(cell >> 1)) + 0.5);
  }
  Index leaf(Complex place) const {
    const double size = std::ldexp(1.0, static_cast<int>(deepest));
    return spread(static_cast<Index>(place.real() * size)) | spread(static_cast<Index>(place.imag() * size)) << 1;
  }
};

/// Two clouds.
CORPUS_REGION void place(Vortices& vortices, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < vortices.size(); ++i) {
    const auto roll = [&](std::size_t k) { return corpus::random_real(seed, 5 * i + k); };
    const double x = (roll(0) + roll(1)) / 2, y = (roll(2) + roll(3)) / 2, side = i % 2 == 0 ? 0.3 : 0.0;
    vortices[i] = {{0.7 * x + side, 0.7 * y + side}, roll(4) - (i % 2 == 0 ? 0.2 : 0.6)};
  }
}

CORPUS_REGION void find_leaves(const Tree& tree, const Vortices& vortices, std::vector<Index>& leaf) {
#pragma omp parallel for
  for (std::size_t i = 0; i < leaf.size(); ++i) leaf[i] = tree.leaf(vortices[i].place);
}

CORPUS_REGION void sort(const Vortices& in, const std::vector<Index>& leaf, Tree& tree, std::vector<Index>& next,
                        Vortices& out) {
  for (const Index l : leaf) ++tree.begin[l + 1];
  for (std::size_t cell = 1; cell < tree.begin.size(); ++cell) tree.begin[cell] += tree.begin[cell - 1];
  std::copy(tree.begin.begin(), tree.begin.end() - 1, next.begin());
  for (std::size_t i = 0; i < in.size(); ++i) out[next[leaf[i]]++] = in[i];
}

/// sum of strength (z - centre)^k: the velocity outside is sum of a_k / (z - centre)^(k + 1).
CORPUS_REGION void expand(const Vortices& vortices, Tree& tree) {
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t cell = 0; cell < Tree::count(tree.deepest); ++cell) {
    Series& a = tree.outer[Tree::first(tree.deepest) + cell];
    const Complex centre = Tree::centre(tree.deepest, cell);
    for (Index i = tree.begin[cell]; i < tree.begin[cell + 1]; ++i) {
      Complex power = vortices[i].strength;
      for (std::size_t k = 0; k < order; ++k) a[k] += power, power = times(power, vortices[i].place - centre);
    }
  }
}

using Binomials = std::array<std::array<double, 2 * order>, 2 * order>;

Binomials binomials() {
  Binomials b{};
  for (std::size_t n = 0; n < b.size(); ++n)
    for (std::size_t k = 0; k <= n; ++k) b[n][k] = k == 0 || k == n ? 1 : b[n - 1][k - 1] + b[n - 1][k];
  return b;
}

/// Children's expansions around their parents' centres, level by level upwards.
CORPUS_REGION void shift_upwards(const Binomials& b, Tree& tree) {
#pragma omp parallel
  for (std::size_t level = tree.deepest; level-- > 2;) {
#pragma omp for
    for (std::size_t cell = 0; cell < Tree::count(level); ++cell)
      for (std::size_t child = 4 * cell; child < 4 * cell + 4; ++child) {
        const Series& from = tree.outer[Tree::first(level + 1) + child];
        const Complex way = Tree::centre(level + 1, child) - Tree::centre(level, cell);
        Series& to = tree.outer[Tree::first(level) + cell];
        for (std::size_t k = 0; k < order; ++k) {
          Complex power = 1;
          for (std::size_t j = k + 1; j-- > 0; power = times(power, way)) to[k] += b[k][j] * times(from[j], power);
        }
      }
  }
}

/// Calls use(other) for the cells of a level around a cell, itself included, that exist.
template <class Use>
void around(std::size_t level, std::size_t cell, Use use) {
  const Index x = gathered(static_cast<Index>(cell)), y = gathered(static_cast<Index>(cell >> 1));
  const Index end = Index{1} << level;
  for (Index v = y > 0 ? y - 1 : 0; v < std::min(y + 2, end); ++v)
    for (Index u = x > 0 ? x - 1 : 0; u < std::min(x + 2, end); ++u) use(std::size_t{spread(u) | spread(v) << 1});
}

bool touch(std::size_t a, std::size_t b) {
  const auto near = [](Index u, Index v) { return u < v ? v - u <= 1 : u - v <= 1; };
  return near(gathered(static_cast<Index>(a)), gathered(static_cast<Index>(b))) &&
         near(gathered(static_cast<Index>(a >> 1)), gathered(static_cast<Index>(b >> 1)));
}

/// Local expansions from up to 27 cells: children of the parent's neighbours that do not touch the cell.
CORPUS_REGION void translate(const Binomials& b, Tree& tree, std::size_t level) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t cell = 0; cell < Tree::count(level); ++cell) {
    Series& to = tree.inner[Tree::first(level) + cell];
    around(level - 1, cell / 4, [&](std::size_t parent) {
      for (std::size_t other = 4 * parent; other < 4 * parent + 4; ++other) {
        if (touch(cell, other)) continue;
        const Series& from = tree.outer[Tree::first(level) + other];
        const Complex step = inverse(Tree::centre(level, cell) - Tree::centre(level, other));
        Series scaled;
        Complex power = step;
        for (std::size_t k = 0; k < order; ++k) scaled[k] = times(from[k], power), power = times(power, step);
        power = 1;
        for (std::size_t l = 0; l < order; ++l, power = times(power, -step)) {
          Complex sum = 0;
          for (std::size_t k = 0; k < order; ++k) sum += b[k + l][l] * scaled[k];
          to[l] += times(sum, power);
        }
      }
    });
  }
}

/// Parents' local expansions around their children's centres.
CORPUS_REGION void shift_downwards(const Binomials& b, Tree& tree, std::size_t level) {
#pragma omp parallel for
  for (std::size_t cell = 0; cell < Tree::count(level); ++cell) {
    const Series& from = tree.inner[Tree::first(level - 1) + cell / 4];
    const Complex way = Tree::centre(level, cell) - Tree::centre(level - 1, cell / 4);
    for (std::size_t l = 0; l < order; ++l) {
      Complex power = 1;
      for (std::size_t k = l; k < order; ++k, power = times(power, way))
        tree.inner[Tree::first(level) + cell][l] += b[k][l] * times(from[k], power);
    }
  }
}

CORPUS_REGION void evaluate_far(const Vortices& vortices, const Tree& tree, std::vector<Complex>& velocity) {
#pragma omp parallel for
  for (std::size_t cell = 0; cell < Tree::count(tree.deepest); ++cell) {
    const Series& a = tree.inner[Tree::first(tree.deepest) + cell];
    const Complex centre = Tree::centre(tree.deepest, cell);
    for (Index i = tree.begin[cell]; i < tree.begin[cell + 1]; ++i) {
      Complex sum = a[order - 1];
      for (std::size_t k = order - 1; k-- > 0;) sum = times(sum, vortices[i].place - centre) + a[k];
      velocity[i] = sum;
    }
  }
}

/// What the vortices first to last do at a place.
Complex direct(const Vortices& vortices, std::size_t first, std::size_t last, Complex place) {
  Complex sum = 0;
  for (std::size_t j = first; j < last; ++j) {
    const Complex d = place - vortices[j].place;
    const double square = std::norm(d);
    if (square > 0) sum += vortices[j].strength / square * std::conj(d);
  }
  return sum;
}

CORPUS_REGION void add_near(const Vortices& vortices, const Tree& tree, std::vector<Complex>& velocity) {
#pragma omp parallel for schedule(dynamic, 32)
  for (std::size_t cell = 0; cell < Tree::count(tree.deepest); ++cell)
    around(tree.deepest, cell, [&](std::size_t other) {
      for (Index i = tree.begin[cell]; i < tree.begin[cell + 1]; ++i)
        velocity[i] += direct(vortices, tree.begin[other], tree.begin[other + 1], vortices[i].place);
    });
}

/// Barnes and Hut: from the root downwards, a cell that is small from here is one expansion.
Complex walk(const Vortices& vortices, const Tree& tree, Complex place, std::size_t level, std::size_t cell) {
  const Complex d = place - Tree::centre(level, cell);
  if (level >= 2 && std::norm(d) > 4 * std::ldexp(1.0, -2 * static_cast<int>(level))) {
    const Series& a = tree.outer[Tree::first(level) + cell];
    const Complex step = inverse(d);
    Complex sum = a[order - 1];
    for (std::size_t k = order - 1; k-- > 0;) sum = times(sum, step) + a[k];
    return times(sum, step);
  }
  if (level == tree.deepest) return direct(vortices, tree.begin[cell], tree.begin[cell + 1], place);
  Complex sum = 0;
  for (std::size_t child = 4 * cell; child < 4 * cell + 4; ++child)
    sum += walk(vortices, tree, place, level + 1, child);
  return sum;
}

CORPUS_REGION void treecode(const Vortices& vortices, const Tree& tree, std::size_t step, std::vector<Complex>& out) {
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < vortices.size(); i += step) out[i] = walk(vortices, tree, vortices[i].place, 0, 0);
}

CORPUS_REGION void sum_directly(const Vortices& vortices, std::size_t step, std::vector<Complex>& out) {
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < vortices.size(); i += step)
    out[i] = direct(vortices, 0, vortices.size(), vortices[i].place);
}

double difference(const std::vector<Complex>& a, const std::vector<Complex>& b, std::size_t step) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); i += step) error += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(error / size);
}

/// Along with the flow, and back into the square.
CORPUS_REGION double move(Vortices& vortices, const std::vector<Complex>& velocity, double dt) {
  double far = 0;
#pragma omp parallel for reduction(+ : far)
  for (std::size_t i = 0; i < vortices.size(); ++i) {
    const Complex way = dt / (2 * std::numbers::pi) * Complex(-velocity[i].imag(), -velocity[i].real());
    Complex& p = vortices[i].place;
    p = {std::clamp(p.real() + way.real(), 0.0, 0.999), std::clamp(p.imag() + way.imag(), 0.0, 0.999)};
    far += std::abs(way);
  }
  return far;
}

/// Linear and angular impulse.
CORPUS_REGION double impulse(const Vortices& vortices) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < vortices.size(); ++i)
    sum += vortices[i].strength * (std::norm(vortices[i].place) + vortices[i].place.real());
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  Vortices unsorted(input.pick<std::size_t>(20'000, 40'000)), vortices(unsorted.size());
  Tree tree(6);
  std::vector<Index> leaf(vortices.size()), next(tree.begin.size());
  std::vector<Complex> velocity(vortices.size()), other(vortices.size()), exact(vortices.size());
  const Binomials b = binomials();
  place(unsorted, input.seed);
  find_leaves(tree, unsorted, leaf);
  sort(unsorted, leaf, tree, next, vortices);
  expand(vortices, tree);
  shift_upwards(b, tree);
  for (std::size_t level = 2; level <= tree.deepest; ++level) {
    if (level > 2) shift_downwards(b, tree, level);
    translate(b, tree, level);
  }
  evaluate_far(vortices, tree, velocity);
  add_near(vortices, tree, velocity);
  const std::size_t step = vortices.size() / 40;  // a multiple of 25
  treecode(vortices, tree, 25, other);
  sum_directly(vortices, step, exact);
  const double by_cells = difference(velocity, exact, step), by_tree = difference(other, exact, step);
  const double before = impulse(vortices), far = move(vortices, velocity, 1e-6), after = impulse(vortices);
  const bool right = by_cells < 1e-4 && by_tree < 1e-4 && std::fabs(after / before - 1) < 1e-2;
  return {.checksum = before + far + std::abs(velocity[77]), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
