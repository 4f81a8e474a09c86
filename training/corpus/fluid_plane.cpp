// Flows in the plane: the shallow water equations by Sadourny's scheme (as in the benchmark SWIM of SPEC; Hoffmann et
// al., NCAR, 1988), and stable fluids: semi-Lagrangian advection and projection (Stam, SIGGRAPH 1999).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/corpus/corpus.h"

namespace {

using Reals = std::vector<double>;

CORPUS_REGION void currents(std::size_t n, Reals& u, Reals& v, Reals& p) {
  const double wave = 2 * std::numbers::pi / static_cast<double>(n - 1);
#pragma omp parallel for
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = wave * static_cast<double>(i), y = wave * static_cast<double>(j);
      u[j * n + i] = -std::sin(x) * std::cos(y);
      v[j * n + i] = std::cos(x) * std::sin(y);
      p[j * n + i] = 50 + std::cos(2 * x) + std::cos(2 * y);
    }
  }
}

struct Fluxes {
  Reals cu, cv, z, h;
};

CORPUS_REGION void mass_fluxes(std::size_t n, const Reals& u, const Reals& v, const Reals& p, Fluxes& f) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n; ++j) {
    for (std::size_t x = j * n + 1; x < j * n + n; ++x) {
      f.cu[x] = 0.5 * (p[x] + p[x - 1]) * u[x];
      f.cv[x] = 0.5 * (p[x] + p[x - n]) * v[x];
    }
  }
}

/// Potential vorticity (a division each) and height.
CORPUS_REGION void vorticity(std::size_t n, const Reals& u, const Reals& v, const Reals& p, Fluxes& f) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t x = j * n + 1; x < j * n + n - 1; ++x) {
      f.z[x] = (4 * (v[x] - v[x - 1] - u[x] + u[x - n])) / (p[x - n - 1] + p[x - n] + p[x] + p[x - 1]);
      f.h[x] = p[x] + 0.25 * (u[x + 1] * u[x + 1] + u[x] * u[x] + v[x + n] * v[x + n] + v[x] * v[x]);
    }
  }
}

/// Ten streams in one loop.
CORPUS_REGION void advance(std::size_t n, const Fluxes& f, Reals& u, Reals& v, Reals& p) {
  constexpr double dt = 1e-3;
#pragma omp parallel for
  for (std::size_t j = 2; j < n - 2; ++j) {
    for (std::size_t x = j * n + 2; x < j * n + n - 2; ++x) {
      u[x] += dt * ((f.z[x + n] + f.z[x]) * (f.cv[x + n] + f.cv[x] + f.cv[x - 1] + f.cv[x + n - 1]) / 8 - f.h[x] +
                    f.h[x - 1]);
      v[x] -= dt * ((f.z[x + 1] + f.z[x]) * (f.cu[x + 1] + f.cu[x] + f.cu[x - n] + f.cu[x - n + 1]) / 8 + f.h[x] -
                    f.h[x - n]);
      p[x] -= dt * (f.cu[x + 1] - f.cu[x] + f.cv[x + n] - f.cv[x]);
    }
  }
}

/// The filter of Robert and Asselin.
CORPUS_REGION void filter(const Reals& now, const Reals& next, Reals& old) {
#pragma omp parallel for simd
  for (std::size_t x = 0; x < now.size(); ++x) old[x] = now[x] + 1e-3 * (next[x] - 2 * now[x] + old[x]);
}

/// Where the fluid of each point came from: four values at an address that depends on data.
CORPUS_REGION void advect(std::size_t n, const Reals& u, const Reals& v, const Reals& from, Reals& to) {
  const double last = static_cast<double>(n) - 1.001;
#pragma omp parallel for collapse(2)
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = std::clamp(static_cast<double>(i) - 25 * u[j * n + i], 0.0, last);
      const double y = std::clamp(static_cast<double>(j) - 25 * v[j * n + i], 0.0, last);
      const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y);
      const double s = x - static_cast<double>(a), t = y - static_cast<double>(b);
      const double* c = &from[b * n + a];
      to[j * n + i] = (1 - t) * ((1 - s) * c[0] + s * c[1]) + t * ((1 - s) * c[n] + s * c[n + 1]);
    }
  }
}

CORPUS_REGION void divergence(std::size_t n, const Reals& u, const Reals& v, Reals& d) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t x = j * n + 1; x < j * n + n - 1; ++x) d[x] = 0.5 * (u[x + 1] - u[x - 1] + v[x + n] - v[x - n]);
  }
}

/// Red and black points in two passes over a row's pair: lines are used twice while they are near.
CORPUS_REGION void pressure(std::size_t n, const Reals& d, Reals& p) {
  for (std::size_t sweep = 0; sweep < 4; ++sweep) {
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t j = 1; j < n - 1; ++j) {
      for (std::size_t x = j * n + 1 + (j + sweep) % 2; x < j * n + n - 1; x += 2) {
        p[x] = 0.25 * (p[x - 1] + p[x + 1] + p[x - n] + p[x + n] - d[x]);
      }
    }
  }
}

CORPUS_REGION void project(std::size_t n, const Reals& p, Reals& u, Reals& v) {
#pragma omp parallel for
  for (std::size_t j = 1; j < n - 1; ++j) {
    for (std::size_t x = j * n + 1; x < j * n + n - 1; ++x) {
      u[x] -= 0.5 * (p[x + 1] - p[x - 1]);
      v[x] -= 0.5 * (p[x + n] - p[x - n]);
    }
  }
}

/// Smoke in random places: scattered additions.
CORPUS_REGION void add_smoke(std::size_t n, std::uint64_t seed, Reals& smoke) {
  const auto limit = static_cast<std::uint32_t>(n * n);
  for (std::size_t i = 0; i < 12'000; ++i) smoke[corpus::random_below(limit, seed, i)] += 1;
}

/// Particles carried by the flow, one after another: random reads of two arrays.
CORPUS_REGION double trace(std::size_t n, std::uint64_t seed, const Reals& u, const Reals& v, std::size_t particles) {
  double sum = 0;
  const auto limit = static_cast<double>(n - 1);
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t k = 0; k < particles; ++k) {
    double x = corpus::random_real(seed, 2 * k) * limit, y = corpus::random_real(seed, 2 * k + 1) * limit;
    for (int step = 0; step < 4; ++step) {
      const std::size_t at = static_cast<std::size_t>(y) * n + static_cast<std::size_t>(x);
      x = std::clamp(x + 20 * u[at], 0.0, limit);
      y = std::clamp(y + 20 * v[at], 0.0, limit);
    }
    sum += x + y;
  }
  return sum;
}

CORPUS_REGION double total(const Reals& a) {
  double sum = 0;
  for (const double value : a) sum += value;
  return sum;
}

CORPUS_REGION double courant(const Reals& u, const Reals& v, const Reals& p) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t x = 0; x < u.size(); ++x) {
    most = std::max(most, std::sqrt(u[x] * u[x] + v[x] * v[x]) + std::sqrt(std::fabs(p[x])));
  }
  return most;
}

corpus::Answer fluid(const corpus::Input& input) {
  const std::size_t n = input.pick<std::size_t>(240, 320), m = n * n;
  Reals u(m), v(m), p(m), old(m);
  Fluxes f{Reals(m), Reals(m), Reals(m), Reals(m)};
  currents(n, u, v, p);
  const double before = total(p);
  for (int step = 0; step < 2; ++step) {
    mass_fluxes(n, u, v, p, f);
    vorticity(n, u, v, p, f);
    advance(n, f, u, v, p);
    filter(u, p, old);
  }
  const bool kept = std::fabs(total(p) / before - 1) < 0.01 && courant(u, v, p) < 12;
  Reals &smoke = f.z, &moved = f.h, &d = f.cu, &q = f.cv;
  add_smoke(n, input.seed, smoke);
  advect(n, u, v, smoke, moved);
  advect(n, u, v, u, old);
  divergence(n, u, v, d);
  pressure(n, d, q);
  project(n, q, old, v);
  return {total(moved) + trace(n, input.seed, u, v, 6'000) + old[m / 2], kept};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, fluid); }
