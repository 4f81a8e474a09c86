// Density functionals on grids around atoms: points and their weights by cells, functions on points in blocks and only
// where they are not small, densities and gradients as products with a matrix, exchange and correlation, the
// potential's matrix, moments of atoms, potentials of the charge on a cube, interpolation from the cube. Source: Becke,
// J. Chem. Phys. 88, 2547, 1988 (cells); Treutler, Ahlrichs, J. Chem. Phys. 102, 1995; Stratmann, Scuseria, Frisch,
// Chem. Phys. Lett. 257, 1996 (blocks); Perdew, Zunger, Physical Review B 23, 1981; Perdew, Burke, Ernzerhof, Physical
// Review Letters 77, 1996.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Index = std::size_t;
using Values = std::vector<double>;
using Vector = std::array<double, 3>;
constexpr double pi = std::numbers::pi;
constexpr Index functions = 32, block = 64;

struct Point {
  Vector at;
  double weight;
  Index atom;
};
using Points = std::vector<Point>;

struct Function {
  Vector at;
  double exponent;
};
using Functions = std::vector<Function>;

double square(const Vector& a, const Vector& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/// Shells around every atom, directions on a spiral.
CORPUS_REGION void make_points(const Functions& atoms, Index shells, Index directions, Points& points) {
  const Index each = shells * directions;
#pragma omp parallel for
  for (Index i = 0; i < points.size(); ++i) {
    const Index atom = i / each, shell = i % each / directions, d = i % directions;
    const double x = (static_cast<double>(shell) + 0.5) / static_cast<double>(shells);
    const double r = 2 * x / (1 - x), step = 2 / ((1 - x) * (1 - x)) / static_cast<double>(shells);
    const double height = (2.0 * static_cast<double>(d) + 1) / static_cast<double>(directions) - 1;
    const double angle = pi * (3 - std::sqrt(5.0)) * static_cast<double>(d), ring = std::sqrt(1 - height * height);
    const Vector& c = atoms[atom].at;
    points[i] = {{c[0] + r * ring * std::cos(angle), c[1] + r * ring * std::sin(angle), c[2] + r * height},
                 4 * pi * r * r * step / static_cast<double>(directions),
                 atom};
  }
}

/// Becke's cells: which atom a point belongs to, smoothly.
CORPUS_REGION void weigh(const Functions& atoms, Points& points) {
#pragma omp parallel for schedule(static, 64)
  for (Index i = 0; i < points.size(); ++i) {
    double own = 0, all = 0;
    for (Index a = 0; a < atoms.size(); ++a) {
      double cell = 1;
      const double near = std::sqrt(square(points[i].at, atoms[a].at));
      for (Index b = 0; b < atoms.size() && cell > 1e-10; ++b) {
        if (a == b) continue;
        double m = (near - std::sqrt(square(points[i].at, atoms[b].at))) / std::sqrt(square(atoms[a].at, atoms[b].at));
        for (int k = 0; k < 3; ++k) m = 1.5 * m - 0.5 * m * m * m;
        cell *= 0.5 * (1 - m);
      }
      all += cell;
      if (a == points[i].atom) own = cell;
    }
    points[i].weight *= all > 0 ? own / all : 0;
  }
}

/// By boxes of space, so that points of a block are near each other.
CORPUS_REGION void sort_points(const Points& points, std::vector<Index>& next, Points& sorted) {
  const auto box = [](const Point& p) {
    Index number = 0;
    for (const double x : p.at) number = number * 16 + static_cast<Index>(std::clamp(x + 8, 0.0, 15.9));
    return number;
  };
  for (const Point& p : points) ++next[box(p) + 1];
  for (Index i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  for (const Point& p : points) sorted[next[box(p)]++] = p;
}

double value(const Function& f, const Vector& at) {
  return std::pow(2 * f.exponent / pi, 0.75) * std::exp(-f.exponent * square(f.at, at));
}

/// [point][function].
CORPUS_REGION void evaluate(const Functions& basis, const Points& points, Values& phi) {
#pragma omp parallel for
  for (Index i = 0; i < points.size(); ++i)
    for (Index f = 0; f < functions; ++f) phi[i * functions + f] = value(basis[f], points[i].at);
}

/// Which functions are not small on each block.
CORPUS_REGION void screen(const Values& phi, std::vector<std::uint32_t>& used) {
#pragma omp parallel for
  for (Index b = 0; b < used.size(); ++b)
    for (Index i = b * block; i < (b + 1) * block; ++i)
      for (Index f = 0; f < functions; ++f)
        if (phi[i * functions + f] > 1e-6) used[b] |= std::uint32_t{1} << f;
}

/// The density as phi D phi, with all functions.
CORPUS_REGION void density(const Values& phi, const Values& d, Values& rho) {
#pragma omp parallel for
  for (Index i = 0; i < rho.size(); ++i) {
    std::array<double, functions> half{};
    for (Index f = 0; f < functions; ++f)
      for (Index g = 0; g < functions; ++g) half[g] += phi[i * functions + f] * d[f * functions + g];
    double sum = 0;
    for (Index g = 0; g < functions; ++g) sum += half[g] * phi[i * functions + g];
    rho[i] = sum;
  }
}

/// With those that were found not to be small, from a list.
CORPUS_REGION void screened_density(const Values& phi, const Values& d, const std::vector<std::uint32_t>& used,
                                    Values& rho) {
#pragma omp parallel for schedule(static, 4)
  for (Index b = 0; b < used.size(); ++b) {
    std::array<Index, functions> list;
    Index count = 0;
    for (Index f = 0; f < functions; ++f)
      if (used[b] >> f & 1) list[count++] = f;
    for (Index i = b * block; i < (b + 1) * block; ++i) {
      double sum = 0;
      for (Index k = 0; k < count; ++k)
        for (Index l = 0; l < count; ++l)
          sum += phi[i * functions + list[k]] * d[list[k] * functions + list[l]] * phi[i * functions + list[l]];
      rho[i] = sum;
    }
  }
}

/// Squares of the density's gradient: derivatives of functions follow from their values.
CORPUS_REGION void gradients(const Functions& basis, const Points& points, const Values& phi, const Values& d,
                             Values& sigma) {
#pragma omp parallel for
  for (Index i = 0; i < points.size(); ++i) {
    Vector sum{};
    for (Index f = 0; f < functions; ++f) {
      double half = 0;
      for (Index g = 0; g < functions; ++g) half += d[f * functions + g] * phi[i * functions + g];
      const double factor = -4 * basis[f].exponent * phi[i * functions + f] * half;
      for (Index k = 0; k < 3; ++k) sum[k] += factor * (points[i].at[k] - basis[f].at[k]);
    }
    sigma[i] = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
  }
}

/// Exchange and correlation of a uniform gas: energy and potential of each point.
CORPUS_REGION double uniform_gas(const Points& points, const Values& rho, Values& potential) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < rho.size(); ++i) {
    if (rho[i] < 1e-12) continue;
    const double root = std::cbrt(rho[i]), radius = std::cbrt(3 / (4 * pi)) / root;
    const double exchange = -0.75 * std::cbrt(3 / pi) * root;
    const double correlation = -0.1423 / (1 + 1.0529 * std::sqrt(radius) + 0.3334 * radius);
    potential[i] = 4 * exchange / 3 + correlation;
    sum += points[i].weight * rho[i] * (exchange + correlation);
  }
  return sum;
}

/// How much exchange grows where the density changes.
CORPUS_REGION double enhanced(const Points& points, const Values& rho, const Values& sigma) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < rho.size(); ++i) {
    if (rho[i] < 1e-9) continue;
    const double s = sigma[i] / (4 * std::pow(3 * pi * pi, 2.0 / 3) * std::pow(rho[i], 8.0 / 3));
    sum -= points[i].weight * std::pow(rho[i], 4.0 / 3) * (1.804 - 0.804 / (1 + 0.21951 * s / 0.804));
  }
  return sum * 0.75 * std::cbrt(3 / pi);
}

/// The matrix of a potential: products of functions, weighted; every lane has sums of its own.
CORPUS_REGION void matrix(const Points& points, const Values& phi, const Values& potential, Values& v) {
  double* const sums = v.data();
#pragma omp parallel for reduction(+ : sums[ : functions * functions])
  for (Index i = 0; i < points.size(); ++i)
    for (Index f = 0; f < functions; ++f) {
      const double factor = points[i].weight * potential[i] * phi[i * functions + f];
      for (Index g = 0; g < functions; ++g) sums[f * functions + g] += factor * phi[i * functions + g];
    }
}

/// Charge and dipole of each atom: additions by the points' atoms.
CORPUS_REGION void moments(const Points& points, const Values& rho, const Functions& atoms, std::vector<Vector>& found,
                           Values& charge) {
  for (Index i = 0; i < points.size(); ++i) {
    const double amount = points[i].weight * rho[i];
    charge[points[i].atom] += amount;
    for (Index k = 0; k < 3; ++k) found[points[i].atom][k] += amount * (points[i].at[k] - atoms[points[i].atom].at[k]);
  }
}

/// Charge onto the nearest eight nodes of a cube from -8 to 8.
struct Corner {
  Index first;
  Vector part;
};

Corner corner(const Vector& at, Index side) {
  Corner c{0, {}};
  for (Index k = 0; k < 3; ++k) {
    const double x = std::clamp((at[k] + 8) / 16, 0.01, 0.99) * static_cast<double>(side - 1);
    c.first = c.first * side + static_cast<Index>(x);
    c.part[k] = x - std::floor(x);
  }
  return c;
}

CORPUS_REGION void spread(const Points& points, const Values& rho, Index side, Values& cube) {
  for (Index i = 0; i < points.size(); ++i) {
    const Corner c = corner(points[i].at, side);
    for (Index k = 0; k < 8; ++k) {
      double share = points[i].weight * rho[i];
      for (Index axis = 0; axis < 3; ++axis) share *= k >> axis & 1 ? c.part[axis] : 1 - c.part[axis];
      cube[c.first + (k & 1) * side * side + (k >> 1 & 1) * side + (k >> 2)] += share;
    }
  }
}

/// A step towards the potential of the charge.
CORPUS_REGION double relax(Index side, const Values& charge, const Values& now, Values& next) {
  double change = 0;
#pragma omp parallel for reduction(+ : change)
  for (Index x = 1; x < side - 1; ++x)
    for (Index y = 1; y < side - 1; ++y)
      for (Index i = (x * side + y) * side + 1; i < (x * side + y + 1) * side - 1; ++i) {
        next[i] = (now[i - 1] + now[i + 1] + now[i - side] + now[i + side] + now[i - side * side] +
                   now[i + side * side] + 4 * pi * charge[i]) /
                  6;
        change += std::fabs(next[i] - now[i]);
      }
  return change;
}

/// The potential at the points: eight numbers of the cube each.
CORPUS_REGION void interpolate(const Points& points, Index side, const Values& cube, Values& potential) {
#pragma omp parallel for
  for (Index i = 0; i < points.size(); ++i) {
    const Corner c = corner(points[i].at, side);
    double sum = 0;
    for (Index k = 0; k < 8; ++k) {
      double share = 1;
      for (Index axis = 0; axis < 3; ++axis) share *= k >> axis & 1 ? c.part[axis] : 1 - c.part[axis];
      sum += share * cube[c.first + (k & 1) * side * side + (k >> 1 & 1) * side + (k >> 2)];
    }
    potential[i] = sum;
  }
}

CORPUS_REGION double total(const Points& points, const Values& rho) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index i = 0; i < rho.size(); ++i) sum += points[i].weight * rho[i];
  return sum;
}

corpus::Answer program(const corpus::Input& input) {
  corpus::Random random(input.seed);
  const Index count = 8, shells = input.pick<Index>(20, 24), directions = input.pick<Index>(48, 64);
  Functions atoms(count), basis(functions);
  for (Index a = 0; a < count; ++a)
    for (Index k = 0; k < 3; ++k) atoms[a].at[k] = (a >> k & 1 ? 1.5 : -1.5) + 0.3 * random.unit();
  for (Index f = 0; f < functions; ++f) {
    const Index shell = f / count;
    basis[f] = {atoms[f % count].at, 0.3 + 0.25 * static_cast<double>(shell)};
  }
  const Index size = count * shells * directions, side = input.pick<Index>(36, 48);
  Points points(size), sorted(size);
  make_points(atoms, shells, directions, points);
  weigh(atoms, points);
  std::vector<Index> next(4'097);
  sort_points(points, next, sorted);
  Values phi(size * functions), d(functions * functions), rho(size), screened(size), sigma(size), potential(size);
  evaluate(basis, sorted, phi);
  // Functions have the norm 1, so the number of electrons follows from the overlaps of those that are coupled.
  for (Index f = 0; f < functions; ++f) d[f * functions + f] = 1;
  for (Index f = 0; f + 1 < functions; ++f) d[f * functions + f + 1] = d[(f + 1) * functions + f] = 0.1;
  density(phi, d, rho);
  std::vector<std::uint32_t> used(size / block);
  screen(phi, used);
  screened_density(phi, d, used, screened);
  double differ = 0, exact = functions;
  for (Index i = 0; i < size; ++i) differ = std::max(differ, std::fabs(rho[i] - screened[i]));
  for (Index f = 0; f + 1 < functions; ++f) {
    const double p = basis[f].exponent + basis[f + 1].exponent, q = basis[f].exponent * basis[f + 1].exponent / p;
    exact += 0.2 * std::pow(4 * q / p, 0.75) * std::exp(-q * square(basis[f].at, basis[f + 1].at));
  }
  const double electrons = total(sorted, rho);
  bool right = differ < 1e-3 && std::fabs(electrons - exact) < 0.02 * exact;
  gradients(basis, sorted, phi, d, sigma);
  double energy = uniform_gas(sorted, rho, potential);
  right = right && enhanced(sorted, rho, sigma) < energy / 2;
  Values v(functions * functions), charge(count), cube(side * side * side), now(cube.size()), later(cube.size());
  matrix(sorted, phi, potential, v);
  std::vector<Vector> dipoles(count);
  moments(sorted, rho, atoms, dipoles, charge);
  spread(sorted, rho, side, cube);
  double first = 0, last = 0;
  for (int step = 0; step < 4; ++step, now.swap(later))
    last = relax(side, cube, now, later), first = step ? first : last;
  interpolate(sorted, side, now, potential);
  right = right && last < first && total(sorted, potential) > 0;
  energy += total(sorted, potential) * 1e-6 + v[5] + charge[1] + dipoles[2][0];
  return {.checksum = energy + electrons, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
