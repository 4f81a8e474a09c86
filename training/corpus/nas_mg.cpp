// V-cycles for Poisson's equation on a periodic cube: the kernel MG of the NAS Parallel Benchmarks (Bailey et al., NASA
// RNR-94-007, section 2.4; its coefficients of the operators for 27 points).
#include <cmath>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

/// A cube of n^3 points within one layer of copies of the opposite faces.
struct Grid {
  explicit Grid(std::size_t points) : n(points), m(points + 2), value(m * m * m) {}
  std::size_t at(std::size_t k, std::size_t j, std::size_t i) const { return (k * m + j) * m + i; }
  std::size_t n, m;
  Reals value;
};

/// Sums over the neighbours of point i that share a face, an edge, a corner with it.
struct Shells {
  double faces, edges, corners;
};

inline Shells shells(const double* p, std::size_t m) {
  const std::size_t s = m * m;
  const double around = p[-m] + p[m] + p[-s] + p[s];
  const double diagonal = p[-m - s] + p[-m + s] + p[m - s] + p[m + s];
  double beside = p[-1] + p[1], edges = diagonal, corners = 0;
  for (int d = -1; d <= 1; d += 2) {
    const double* q = p + d;
    edges += q[-m] + q[m] + q[-s] + q[s];
    corners += q[-m - s] + q[-m + s] + q[m - s] + q[m + s];
  }
  return {beside + around, edges, corners};
}

CORPUS_REGION void wrap_rows(Grid& g) {
#pragma omp parallel for
  for (std::size_t k = 1; k <= g.n; ++k) {
    for (std::size_t j = 1; j <= g.n; ++j) {
      g.value[g.at(k, j, 0)] = g.value[g.at(k, j, g.n)];
      g.value[g.at(k, j, g.n + 1)] = g.value[g.at(k, j, 1)];
    }
  }
}

CORPUS_REGION void wrap_planes(Grid& g) {
  const std::size_t n = g.n, m = g.m;
  double* v = g.value.data();
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < m; ++i) {
      v[g.at(k, 0, i)] = v[g.at(k, n, i)];
      v[g.at(k, n + 1, i)] = v[g.at(k, 1, i)];
    }
  }
#pragma omp parallel for
  for (std::size_t i = 0; i < m * m; ++i) {
    v[i] = v[n * m * m + i];
    v[(n + 1) * m * m + i] = v[m * m + i];
  }
}

void wrap(Grid& g) {
  wrap_rows(g);
  wrap_planes(g);
}

/// r = v - A u.
CORPUS_REGION void residual(const Grid& u, const Grid& v, Grid& r) {
#pragma omp parallel for
  for (std::size_t k = 1; k <= u.n; ++k) {
    for (std::size_t j = 1; j <= u.n; ++j) {
      for (std::size_t i = 1; i <= u.n; ++i) {
        const std::size_t p = u.at(k, j, i);
        const Shells s = shells(&u.value[p], u.m);
        r.value[p] = v.value[p] + 8.0 / 3.0 * u.value[p] - 1.0 / 6.0 * s.edges - 1.0 / 12.0 * s.corners;
      }
    }
  }
  wrap(r);
}

/// u += S r.
CORPUS_REGION void smooth(const Grid& r, Grid& u) {
#pragma omp parallel for collapse(2)
  for (std::size_t k = 1; k <= u.n; ++k) {
    for (std::size_t j = 1; j <= u.n; ++j) {
      for (std::size_t i = 1; i <= u.n; ++i) {
        const std::size_t p = u.at(k, j, i);
        const Shells s = shells(&r.value[p], r.m);
        u.value[p] += -3.0 / 8.0 * r.value[p] + 1.0 / 32.0 * s.faces - 1.0 / 64.0 * s.edges;
      }
    }
  }
  wrap(u);
}

/// Full weighting onto the grid of half as many points.
CORPUS_REGION void restrict_to(const Grid& fine, Grid& coarse) {
#pragma omp parallel for
  for (std::size_t k = 1; k <= coarse.n; ++k) {
    for (std::size_t j = 1; j <= coarse.n; ++j) {
      for (std::size_t i = 1; i <= coarse.n; ++i) {
        const std::size_t p = fine.at(2 * k, 2 * j, 2 * i);
        const Shells s = shells(&fine.value[p], fine.m);
        coarse.value[coarse.at(k, j, i)] = 0.5 * fine.value[p] + 0.25 * s.faces + 0.125 * s.edges + 0.0625 * s.corners;
      }
    }
  }
  wrap(coarse);
}

/// Adds the trilinear interpolation: every fine point has one or two coarse ones in each direction.
CORPUS_REGION void prolong(const Grid& coarse, Grid& fine) {
#pragma omp parallel for
  for (std::size_t k = 1; k <= fine.n; ++k) {
    for (std::size_t j = 1; j <= fine.n; ++j) {
      const std::size_t k0 = k / 2, k1 = (k + 1) / 2, j0 = j / 2, j1 = (j + 1) / 2;
      for (std::size_t i = 1; i <= fine.n; ++i) {
        double sum = 0;
        for (const std::size_t a : {i / 2, (i + 1) / 2}) {
          sum += coarse.value[coarse.at(k0, j0, a)] + coarse.value[coarse.at(k0, j1, a)] +
                 coarse.value[coarse.at(k1, j0, a)] + coarse.value[coarse.at(k1, j1, a)];
        }
        fine.value[fine.at(k, j, i)] += 0.125 * sum;
      }
    }
  }
  wrap(fine);
}

CORPUS_REGION double norm(const Grid& g) {
  double sum = 0, most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most)
  for (std::size_t i = 0; i < g.value.size(); ++i) {
    sum += g.value[i] * g.value[i];
    most = std::fmax(most, std::fabs(g.value[i]));
  }
  return std::sqrt(sum / static_cast<double>(g.value.size()));
}

CORPUS_REGION void clear(Grid& g) {
#pragma omp parallel for
  for (std::size_t i = 0; i < g.value.size(); ++i) g.value[i] = 0;
}

/// Twenty charges, ten of either sign, at random points.
CORPUS_REGION void charge(Grid& g, std::uint64_t seed) {
  const auto n = static_cast<std::uint32_t>(g.n);
  for (std::uint64_t c = 0; c < 20; ++c) {
    g.value[g.at(1 + corpus::random_below(n, seed, 3 * c), 1 + corpus::random_below(n, seed, 3 * c + 1),
                 1 + corpus::random_below(n, seed, 3 * c + 2))] = c < 10 ? 1 : -1;
  }
  wrap(g);
}

/// u of level 0 becomes better, from r of level 0.
void cycle(std::vector<Grid>& u, std::vector<Grid>& r, const Grid& v) {
  const std::size_t levels = u.size();
  for (std::size_t l = 0; l + 1 < levels; ++l) restrict_to(r[l], r[l + 1]);
  clear(u[levels - 1]);
  smooth(r[levels - 1], u[levels - 1]);
  for (std::size_t l = levels - 1; l-- > 1;) {
    clear(u[l]);
    prolong(u[l + 1], u[l]);
    residual(u[l], Grid(r[l]), r[l]);
    smooth(r[l], u[l]);
  }
  prolong(u[1], u[0]);
  residual(u[0], v, r[0]);
  smooth(r[0], u[0]);
  residual(u[0], v, r[0]);
}

corpus::Answer mg(const corpus::Input& input) {
  std::size_t n = input.pick<std::size_t>(48, 64);
  Grid v(n);
  charge(v, input.seed);
  std::vector<Grid> u, r;
  for (; n >= 4; n /= 2) u.emplace_back(n), r.emplace_back(n);
  residual(u[0], v, r[0]);
  const double before = norm(r[0]);
  cycle(u, r, v);
  const double after = norm(r[0]);
  return {after, after < 0.5 * before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, mg); }
