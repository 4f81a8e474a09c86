// The lattice Boltzmann method in the plane with nine velocities (D2Q9) and one relaxation time, in two layouts: an
// array per velocity, and the nine of a cell side by side (Succi: The Lattice Boltzmann Equation, 2001; He, Luo, Phys.
// Rev. E 56, 1997). Walls bounce, and a cylinder stands in the flow.
#include <cmath>
#include <utility>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;
constexpr std::size_t q = 9;
constexpr int cx[q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::size_t opposite[q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constexpr double weight[q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
constexpr double relaxation = 0.8;

struct Field {
  std::size_t nx, ny, cells;
  std::ptrdiff_t shift(std::size_t d) const { return cy[d] * static_cast<std::ptrdiff_t>(nx) + cx[d]; }
};

struct Moments {
  double rho, u, v;
};

inline double equilibrium(const Moments& m, std::size_t d) {
  const double c = 3 * (cx[d] * m.u + cy[d] * m.v);
  return weight[d] * m.rho * (1 + c + 0.5 * c * c - 1.5 * (m.u * m.u + m.v * m.v));
}

inline Moments moments(const double* f) {
  Moments m{};
  for (std::size_t d = 0; d < q; ++d) m.rho += f[d], m.u += cx[d] * f[d], m.v += cy[d] * f[d];
  m.u /= m.rho;
  m.v /= m.rho;
  return m;
}

CORPUS_REGION void obstacles(const Field& g, std::vector<unsigned char>& solid) {
#pragma omp parallel for
  for (std::size_t p = 0; p < g.cells; ++p) {
    const std::size_t row = p / g.nx;
    const double x = static_cast<double>(p % g.nx) - static_cast<double>(g.nx) / 4;
    const double y = static_cast<double>(row) - static_cast<double>(g.ny) / 2;
    const bool wall = p < g.nx || p + g.nx >= g.cells || p % g.nx == 0 || p % g.nx == g.nx - 1;
    solid[p] = wall || x * x + y * y < 100 ? 1 : 0;
  }
}

CORPUS_REGION void initialise(const Field& g, std::uint64_t seed, Reals& f) {
#pragma omp parallel for
  for (std::size_t p = 0; p < g.cells; ++p) {
    const Moments m{1, 0.05 + 0.01 * corpus::random_real(seed, p), 0};
    for (std::size_t d = 0; d < q; ++d) f[d * g.cells + p] = equilibrium(m, d);
  }
}

CORPUS_REGION void to_cells(const Field& g, const Reals& f, Reals& cell) {
#pragma omp parallel for
  for (std::size_t p = 0; p < g.cells; ++p) {
    for (std::size_t d = 0; d < q; ++d) cell[p * q + d] = f[d * g.cells + p];
  }
}

/// An array per velocity: collision in place.
CORPUS_REGION void collide(const Field& g, const std::vector<unsigned char>& solid, Reals& f) {
#pragma omp parallel for
  for (std::size_t p = 0; p < g.cells; ++p) {
    if (solid[p]) continue;
    double mine[q];
    for (std::size_t d = 0; d < q; ++d) mine[d] = f[d * g.cells + p];
    const Moments m = moments(mine);
    for (std::size_t d = 0; d < q; ++d) f[d * g.cells + p] += relaxation * (equilibrium(m, d) - mine[d]);
  }
}

/// A shifted copy of each velocity's array.
CORPUS_REGION void stream(const Field& g, const Reals& f, Reals& next) {
#pragma omp parallel for
  for (std::size_t j = 1; j < g.ny - 1; ++j) {
    for (std::size_t d = 0; d < q; ++d) {
      const double* from = &f[d * g.cells];
      double* to = &next[d * g.cells];
      for (std::size_t p = j * g.nx + 1; p < (j + 1) * g.nx - 1; ++p)
        to[p] = from[p - static_cast<std::size_t>(g.shift(d))];
    }
  }
}

/// What came out of a wall is what went into it.
CORPUS_REGION void bounce(const Field& g, const std::vector<unsigned char>& solid, const Reals& f, Reals& next) {
#pragma omp parallel for
  for (std::size_t p = g.nx; p < g.cells - g.nx; ++p) {
    if (solid[p]) continue;
    for (std::size_t d = 1; d < q; ++d) {
      if (solid[p - static_cast<std::size_t>(g.shift(d))]) next[d * g.cells + p] = f[opposite[d] * g.cells + p];
    }
  }
}

/// The nine of a cell side by side: pull, bounce and collide in one pass.
CORPUS_REGION void fused(const Field& g, const std::vector<unsigned char>& solid, const Reals& f, Reals& next) {
#pragma omp parallel for schedule(static, 4)
  for (std::size_t j = 1; j < g.ny - 1; ++j) {
    for (std::size_t p = j * g.nx + 1; p < (j + 1) * g.nx - 1; ++p) {
      if (solid[p]) continue;
      double mine[q];
      for (std::size_t d = 0; d < q; ++d) {
        const std::size_t from = p - static_cast<std::size_t>(g.shift(d));
        mine[d] = solid[from] ? f[p * q + opposite[d]] : f[from * q + d];
      }
      const Moments m = moments(mine);
      for (std::size_t d = 0; d < q; ++d) next[p * q + d] = mine[d] + relaxation * (equilibrium(m, d) - mine[d]);
    }
  }
}

CORPUS_REGION void velocities(const Field& g, const Reals& f, Reals& u, Reals& v) {
#pragma omp parallel for
  for (std::size_t p = 0; p < g.cells; ++p) {
    const Moments m = moments(&f[p * q]);
    u[p] = m.u;
    v[p] = m.v;
  }
}

CORPUS_REGION double vorticity(const Field& g, const Reals& u, const Reals& v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = g.nx; p < g.cells - g.nx; ++p) {
    const double curl = v[p + 1] - v[p - 1] - u[p + g.nx] + u[p - g.nx];
    sum += curl * curl;
  }
  return sum;
}

/// Of fluid only.
CORPUS_REGION double mass(const Field& g, const std::vector<unsigned char>& solid, const Reals& f) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t p = 0; p < g.cells; ++p) {
    for (std::size_t d = 0; d < q; ++d) sum += solid[p] ? 0 : f[d * g.cells + p];
  }
  return sum;
}

CORPUS_REGION double drag(const Field& g, const std::vector<unsigned char>& solid, const Reals& f) {
  double sum = 0;
  for (std::size_t p = g.nx + 1; p < g.cells - g.nx - 1; ++p) {
    if (solid[p] || !(solid[p - 1] | solid[p + 1])) continue;
    for (std::size_t d = 1; d < q; ++d) sum += cx[d] * f[p * q + d];
  }
  return sum;
}

corpus::Answer flow(const corpus::Input& input) {
  const std::size_t nx = input.pick<std::size_t>(200, 256), ny = input.pick<std::size_t>(120, 192);
  const Field g{nx, ny, nx * ny};
  Reals f(q * g.cells), next(q * g.cells), u(g.cells), v(g.cells);
  std::vector<unsigned char> solid(g.cells);
  obstacles(g, solid);
  initialise(g, input.seed, f);
  const double before = mass(g, solid, f);
  for (int step = 0; step < 2; ++step) {
    collide(g, solid, f);
    stream(g, f, next);
    bounce(g, solid, f, next);
    std::swap(f, next);
  }
  const double lost = std::fabs(mass(g, solid, f) / before - 1);
  to_cells(g, f, next);
  fused(g, solid, next, f);
  velocities(g, next, u, v);
  return {vorticity(g, u, v) + drag(g, solid, f), lost < 1e-9};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, flow); }
