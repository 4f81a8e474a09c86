// Spectral elements in a bent block: the Laplacian by sum factorisation with a full tensor of geometry, sums over
// shared points (by lists of copies, and into a global vector), conjugate gradients, a modal filter; besides:
// discontinuous Galerkin advection with upwind fluxes on the same points.
// Source: Deville, Fischer, Mund: High-Order Methods for Incompressible Fluid Flow, chapters 2 and 4; Hesthaven and
// Warburton, Nodal Discontinuous Galerkin Methods, chapters 2 and 6; Fischer and Mullen, C. R. Acad. Sci. 332, 2001.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Vector = std::vector<double>;

constexpr std::size_t q = 6, face = q * q, points = q * q * q;  ///< points of a line, a face, an element

/// Gauss-Lobatto points of fifth order, their weights, and the matrix of derivatives.
struct Rule {
  std::array<double, q> x, weight;
  std::array<std::array<double, q>, q> derivative;
};

Rule make_rule() {
  const double a = std::sqrt((7 - 2 * std::sqrt(7.0)) / 21), b = std::sqrt((7 + 2 * std::sqrt(7.0)) / 21);
  const double inner = (14 + std::sqrt(7.0)) / 30, outer = (14 - std::sqrt(7.0)) / 30;
  Rule rule{{-1, -b, -a, a, b, 1}, {1.0 / 15, outer, inner, inner, outer, 1.0 / 15}, {}};
  const auto factor = [&](std::size_t i) {  // of the barycentric formula
    double product = 1;
    for (std::size_t k = 0; k < q; ++k) product *= k == i ? 1 : rule.x[i] - rule.x[k];
    return product;
  };
  for (std::size_t i = 0; i < q; ++i)
    for (std::size_t j = 0; j < q; ++j) {
      if (i == j) continue;
      rule.derivative[i][j] = factor(i) / factor(j) / (rule.x[i] - rule.x[j]);
      rule.derivative[i][i] -= rule.derivative[i][j];
    }
  return rule;
}

struct Mesh {
  std::size_t side;                  ///< elements along each edge of the block
  std::vector<Index> global;         ///< the number of each element's points
  std::vector<Index> begin, copies;  ///< the places of each global point
  Vector geometry;                   ///< six entries of a symmetric tensor at each point, weights included
  Vector mass;
  std::size_t elements() const { return side * side * side; }
  std::size_t line() const { return side * (q - 1) + 1; }
  std::size_t unknowns() const { return line() * line() * line(); }
};

CORPUS_REGION void number_points(Mesh& mesh) {
  const std::size_t n = mesh.side, line = mesh.line();
#pragma omp parallel for
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (std::size_t p = 0; p < points; ++p) {
      const std::size_t x = e % n * (q - 1) + p % q, y = e / n % n * (q - 1) + p / q % q;
      const std::size_t z = e / (n * n) * (q - 1) + p / face;
      mesh.global[e * points + p] = static_cast<Index>((z * line + y) * line + x);
    }
}

CORPUS_REGION void list_copies(Mesh& mesh) {
  for (const Index g : mesh.global) ++mesh.begin[g + 1];
  for (std::size_t g = 1; g < mesh.begin.size(); ++g) mesh.begin[g] += mesh.begin[g - 1];
  std::vector<Index> next(mesh.begin.begin(), mesh.begin.end() - 1);
  for (Index p = 0; p < mesh.global.size(); ++p) mesh.copies[next[mesh.global[p]]++] = p;
}

/// A map that shears and stretches: J^-1 J^-T times the determinant and the weights, for each point.
CORPUS_REGION void find_geometry(const Rule& rule, Mesh& mesh, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    const double shear = 0.4 * (corpus::random_real(seed, e) - 0.5), stretch = 1 + 0.5 * corpus::random_real(seed, ~e);
    for (std::size_t p = 0; p < points; ++p) {
      const double w = rule.weight[p % q] * rule.weight[p / q % q] * rule.weight[p / face] * stretch / 8;
      double* g = &mesh.geometry[(e * points + p) * 6];
      g[0] = 4 * w * (1 + shear * shear), g[1] = 4 * w * shear, g[2] = 0;
      g[3] = 4 * w, g[4] = w * shear * rule.x[p % q], g[5] = 4 * w / (stretch * stretch);
      mesh.mass[e * points + p] = w;
    }
  }
}

using Cube = std::array<double, points>;

/// out = D in along one direction, whose points are `stride` apart; transposed if `back`, and added.
void differentiate(const Rule& rule, const double* in, std::size_t stride, bool back, double* out) {
  for (std::size_t p = 0; p < points; ++p) {
    const std::size_t at = p / stride % q, first = p - at * stride;
    double sum = back ? out[p] : 0;
    for (std::size_t k = 0; k < q; ++k)
      sum += (back ? rule.derivative[k][at] : rule.derivative[at][k]) * in[first + k * stride];
    out[p] = sum;
  }
}

constexpr double shift = 200;  ///< times the mass: what a step in time adds to the Laplacian

/// y = A x in each element by itself; returns x . y.
CORPUS_REGION double apply(const Rule& rule, const Mesh& mesh, const Vector& x, Vector& y) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    Cube r, s, t;
    const double* u = &x[e * points];
    double* out = &y[e * points];
    differentiate(rule, u, 1, false, r.data());
    differentiate(rule, u, q, false, s.data());
    differentiate(rule, u, face, false, t.data());
    for (std::size_t p = 0; p < points; ++p) {
      const double* g = &mesh.geometry[(e * points + p) * 6];
      const double a = r[p], b = s[p], c = t[p];
      r[p] = g[0] * a + g[1] * b + g[2] * c;
      s[p] = g[1] * a + g[3] * b + g[4] * c;
      t[p] = g[2] * a + g[4] * b + g[5] * c;
      out[p] = shift * mesh.mass[e * points + p] * u[p];
    }
    differentiate(rule, r.data(), 1, true, out);
    differentiate(rule, s.data(), q, true, out);
    differentiate(rule, t.data(), face, true, out);
    for (std::size_t p = 0; p < points; ++p) dot += u[p] * out[p];
  }
  return dot;
}

/// The diagonal of A, for the preconditioner: three sums of squares a point.
CORPUS_REGION void find_diagonal(const Rule& rule, const Mesh& mesh, Vector& diagonal) {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t e = 0; e < mesh.elements(); ++e)
    for (std::size_t p = 0; p < points; ++p) {
      double sum = shift * mesh.mass[e * points + p];
      const auto along = [&](std::size_t stride, std::size_t entry) {
        const std::size_t at = p / stride % q, first = p - at * stride;
        for (std::size_t k = 0; k < q; ++k)
          sum += mesh.geometry[(e * points + first + k * stride) * 6 + entry] * std::pow(rule.derivative[k][at], 2.0);
      };
      along(1, 0), along(q, 3), along(face, 5);
      diagonal[e * points + p] = sum;
    }
}

/// All copies of a point get their sum: lists.
CORPUS_REGION void sum_copies(const Mesh& mesh, Vector& x) {
#pragma omp parallel for
  for (std::size_t g = 0; g < mesh.unknowns(); ++g) {
    double sum = 0;
    for (Index k = mesh.begin[g]; k < mesh.begin[g + 1]; ++k) sum += x[mesh.copies[k]];
    for (Index k = mesh.begin[g]; k < mesh.begin[g + 1]; ++k) x[mesh.copies[k]] = sum;
  }
}

/// The same by one lane through a global vector.
CORPUS_REGION void scatter(const Mesh& mesh, const Vector& x, Vector& sum) {
  for (std::size_t p = 0; p < x.size(); ++p) sum[mesh.global[p]] += x[p];
}

CORPUS_REGION void gather(const Mesh& mesh, const Vector& sum, Vector& x) {
#pragma omp parallel for
  for (std::size_t p = 0; p < x.size(); ++p) x[p] = sum[mesh.global[p]];
}

CORPUS_REGION void fill(const Mesh& mesh, Vector& f, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t p = 0; p < f.size(); ++p) f[p] = mesh.mass[p] * (1 + corpus::random_real(seed, mesh.global[p]));
}

/// z = r / diagonal; r . z with every global point counted once.
CORPUS_REGION double precondition(const Mesh& mesh, const Vector& diagonal, const Vector& r, Vector& z) {
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (std::size_t p = 0; p < r.size(); ++p) {
    z[p] = r[p] / diagonal[p];
    const Index g = mesh.global[p];
    dot += r[p] * z[p] / (mesh.begin[g + 1] - mesh.begin[g]);
  }
  return dot;
}

CORPUS_REGION void descend(double alpha, const Vector& p, const Vector& a, Vector& x, Vector& r) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += alpha * p[i], r[i] -= alpha * a[i];
}

CORPUS_REGION void turn(double beta, const Vector& z, Vector& p) {
#pragma omp parallel for
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
}

/// The highest mode along x loses a part: a small matrix for each line.
CORPUS_REGION void filter(const std::array<double, q>& mode, const Rule& rule, double share, Vector& x) {
  double norm = 0;
  for (std::size_t k = 0; k < q; ++k) norm += rule.weight[k] * mode[k] * mode[k];
#pragma omp parallel for
  for (std::size_t line = 0; line < x.size(); line += q) {
    double part = 0;
    for (std::size_t k = 0; k < q; ++k) part += rule.weight[k] * mode[k] * x[line + k];
    for (std::size_t k = 0; k < q; ++k) x[line + k] -= share * part / norm * mode[k];
  }
}

/// Discontinuous Galerkin's advection along z: inside by derivatives, at faces from where the wind comes from.
CORPUS_REGION void advect(const Rule& rule, const Mesh& mesh, const Vector& u, double dt, Vector& next) {
  const std::size_t layer = mesh.side * mesh.side, total = mesh.elements();
#pragma omp parallel for
  for (std::size_t e = 0; e < total; ++e) {
    Cube slope;
    differentiate(rule, &u[e * points], face, false, slope.data());
    const double* before = &u[(e + total - layer) % total * points + points - face];
    for (std::size_t k = 0; k < face; ++k) slope[k] += (u[e * points + k] - before[k]) / rule.weight[0];
    for (std::size_t p = 0; p < points; ++p) next[e * points + p] = u[e * points + p] - dt * slope[p];
  }
}

/// The integral with the weights of the reference element.
CORPUS_REGION double integrate(const Rule& rule, const Vector& u) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t p = i % points;
    sum += rule.weight[p % q] * rule.weight[p / q % q] * rule.weight[p / face] * u[i];
  }
  return sum;
}

CORPUS_REGION double difference(const Vector& a, const Vector& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

corpus::Answer program(const corpus::Input& input) {
  const Rule rule = make_rule();
  Mesh mesh{input.pick<std::size_t>(6, 7), {}, {}, {}, {}, {}};
  const std::size_t n = mesh.elements() * points;
  mesh.global.resize(n), mesh.copies.resize(n), mesh.begin.resize(mesh.unknowns() + 1);
  mesh.geometry.resize(6 * n), mesh.mass.resize(n);
  number_points(mesh);
  list_copies(mesh);
  find_geometry(rule, mesh, input.seed);
  Vector x(n), r(n), z(n), p(n), a(n), diagonal(n), sum(mesh.unknowns());
  fill(mesh, r, input.seed);
  scatter(mesh, r, sum);
  gather(mesh, sum, z);
  sum_copies(mesh, r);
  const double apart = difference(r, z);
  find_diagonal(rule, mesh, diagonal);
  sum_copies(mesh, diagonal);
  double rho = precondition(mesh, diagonal, r, z);
  const double first = rho;
  p = z;
  for (int iteration = 0; iteration < 5; ++iteration) {
    const double alpha = rho / apply(rule, mesh, p, a);
    sum_copies(mesh, a);
    descend(alpha, p, a, x, r);
    const double next = precondition(mesh, diagonal, r, z);
    turn(next / rho, z, p);
    rho = next;
  }
  std::array<double, q> mode;  // Legendre's polynomial of fifth degree
  for (std::size_t k = 0; k < q; ++k)
    mode[k] = (63 * std::pow(rule.x[k], 5.0) - 70 * std::pow(rule.x[k], 3.0) + 15 * rule.x[k]) / 8;
  filter(mode, rule, 0.3, x);
  const double before = integrate(rule, x);
  for (int step = 0; step < 2; ++step, x.swap(z)) advect(rule, mesh, x, 0.01, z);
  const double moved = integrate(rule, x) / before - 1;
  const bool right = apart < 1e-12 && rho < 0.01 * first && std::fabs(moved) < 1e-10;
  return {.checksum = before + rho / first + x[n / 2], .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
