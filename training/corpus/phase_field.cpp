// Phase fields in a plane: Cahn and Hilliard's separation (explicit, two Laplacians, in two passes and in one),
// Allen and Cahn's grains with an order parameter each, Kobayashi's dendrites with anisotropy, and the crystal field of
// Elder with three Laplacians; grains are counted at last.
// Source: Provatas and Elder, Phase-Field Methods in Materials Science and Engineering, chapters 4 to 8; Kobayashi,
// Physica D 63, 1993; Chen and Yang, Phys. Rev. B 50, 1994 (grains).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Field = std::vector<double>;

/// Periodic in both directions.
struct Plane {
  std::size_t side;
  std::size_t size() const { return side * side; }
};

/// Calls use(i, west, east, north, south) for the points of all rows.
template <class Use>
void all_points(const Plane& plane, Use use) {
  const std::size_t n = plane.side;
#pragma omp for
  for (std::size_t y = 0; y < n; ++y) {
    const std::size_t row = y * n, north = (y + n - 1) % n * n, south = (y + 1) % n * n;
    use(row, row + n - 1, row + 1, north, south);
    for (std::size_t x = 1; x + 1 < n; ++x) use(row + x, row + x - 1, row + x + 1, north + x, south + x);
    use(row + n - 1, row + n - 2, row, north + n - 1, south + n - 1);
  }
}

CORPUS_REGION void randomise(double mean, Field& c, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = mean + 0.1 * (corpus::random_real(seed, i) - 0.5);
}

CORPUS_REGION double mean(const Field& c) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < c.size(); ++i) sum += c[i];
  return sum / static_cast<double>(c.size());
}

/// mu = c^3 - c - laplace c
CORPUS_REGION void chemical_potential(const Plane& plane, const Field& c, Field& mu) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    mu[i] = c[i] * c[i] * c[i] - c[i] - (c[w] + c[e] + c[n] + c[s] - 4 * c[i]);
  });
}

CORPUS_REGION void diffuse(const Plane& plane, const Field& mu, double dt, Field& c) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    c[i] += dt * (mu[w] + mu[e] + mu[n] + mu[s] - 4 * mu[i]);
  });
}

/// Both passes in one: thirteen points around, the potential is computed five times.
CORPUS_REGION void separate_at_once(const Plane& plane, const Field& c, double dt, Field& next) {
  const std::size_t n = plane.side;
#pragma omp parallel for
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) {
      const auto at = [&](std::size_t v, std::size_t u) { return c[(v + n) % n * n + (u + n) % n]; };
      const auto mu = [&](std::size_t v, std::size_t u) {
        const double m = at(v, u);
        return m * m * m - m - (at(v, u - 1) + at(v, u + 1) + at(v - 1, u) + at(v + 1, u) - 4 * m);
      };
      next[y * n + x] = at(y, x) + dt * (mu(y, x - 1) + mu(y, x + 1) + mu(y - 1, x) + mu(y + 1, x) - 4 * mu(y, x));
    }
}

CORPUS_REGION double free_energy(const Plane& plane, const Field& c) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  all_points(plane, [&](std::size_t i, std::size_t, std::size_t e, std::size_t, std::size_t s) {
    const double well = c[i] * c[i] - 1, x = c[e] - c[i], y = c[s] - c[i];
    sum += 0.25 * well * well + 0.5 * (x * x + y * y);
  });
  return sum;
}

CORPUS_REGION double difference(const Field& a, const Field& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

constexpr std::size_t orders = 4;

/// Grains: a record of four parameters at each point, one of which is near 1.
CORPUS_REGION void seed_grains(const Plane& plane, Field& eta, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < plane.size(); ++i) {
    const std::size_t patch = i / plane.side / 16 * plane.side + i % plane.side / 16;
    for (std::size_t k = 0; k < orders; ++k) eta[i * orders + k] = 0.02;
    eta[i * orders + corpus::random_below(orders, seed, patch)] = 0.9;
  }
}

CORPUS_REGION void grow_grains(const Plane& plane, const Field& eta, double dt, Field& next) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    double squares = 0;
    for (std::size_t k = 0; k < orders; ++k) squares += eta[i * orders + k] * eta[i * orders + k];
    for (std::size_t k = 0; k < orders; ++k) {
      const double here = eta[i * orders + k];
      const double around = eta[w * orders + k] + eta[e * orders + k] + eta[n * orders + k] + eta[s * orders + k];
      next[i * orders + k] = here - dt * (here * (2 * squares - here * here - 1) - 2 * (around - 4 * here));
    }
  });
}

/// Which parameter is the largest: its number as a byte.
CORPUS_REGION void find_owners(const Field& eta, std::vector<std::uint8_t>& owner) {
#pragma omp parallel for
  for (std::size_t i = 0; i < owner.size(); ++i) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < orders; ++k)
      if (eta[i * orders + k] > eta[i * orders + best]) best = k;
    owner[i] = static_cast<std::uint8_t>(best);
  }
}

/// Points whose neighbours belong to another grain: the length of the borders.
CORPUS_REGION std::size_t borders(const Plane& plane, const std::vector<std::uint8_t>& owner) {
  std::size_t count = 0;
#pragma omp parallel reduction(+ : count)
  all_points(plane, [&](std::size_t i, std::size_t, std::size_t e, std::size_t, std::size_t s) {
    count += (owner[i] != owner[e]) + (owner[i] != owner[s]);
  });
  return count;
}

/// Connected grains of one owner: disjoint sets, halved paths.
CORPUS_REGION std::size_t count_grains(const Plane& plane, const std::vector<std::uint8_t>& owner,
                                       std::vector<std::uint32_t>& parent) {
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::size_t i) {
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
  };
  std::size_t grains = plane.size();
  for (std::size_t i = 0; i < plane.size(); ++i)
    for (const std::size_t j : {i / plane.side * plane.side + (i + 1) % plane.side, (i + plane.side) % plane.size()}) {
      if (owner[i] != owner[j]) continue;
      const std::size_t a = root(i), b = root(j);
      if (a != b) parent[a] = static_cast<std::uint32_t>(b), --grains;
    }
  return grains;
}

struct Dendrite {
  Field phi, heat, flux_x, flux_y, width, next_phi, next_heat;
  explicit Dendrite(std::size_t n) : phi(n), heat(n), flux_x(n), flux_y(n), width(n), next_phi(n), next_heat(n) {}
};

/// The width of the front depends on its direction: fluxes with a sixfold symmetry.
CORPUS_REGION void find_fluxes(const Plane& plane, Dendrite& d) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    const double x = (d.phi[e] - d.phi[w]) / 2, y = (d.phi[s] - d.phi[n]) / 2, angle = 6 * std::atan2(y, x);
    const double wide = 0.6 * (1 + 0.05 * std::cos(angle)), slope = -0.6 * 0.3 * std::sin(angle);
    d.flux_x[i] = -wide * slope * y;
    d.flux_y[i] = wide * slope * x;
    d.width[i] = wide * wide;
  });
}

/// Ice grows where it is cold, and warms what is around.
CORPUS_REGION void freeze(const Plane& plane, double dt, Dendrite& d) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    const double p = d.phi[i], drive = 0.28 * std::atan(10 * (1 - d.heat[i]));
    const double around = d.phi[w] + d.phi[e] + d.phi[n] + d.phi[s] - 4 * p;
    const double turned = (d.flux_x[e] - d.flux_x[w] + d.flux_y[s] - d.flux_y[n]) / 2;
    const double change = dt * (d.width[i] * around + turned + p * (1 - p) * (p - 0.5 + drive));
    d.next_phi[i] = p + change;
    d.next_heat[i] = d.heat[i] + dt * (d.heat[w] + d.heat[e] + d.heat[n] + d.heat[s] - 4 * d.heat[i]) + 1.6 * change;
  });
}

CORPUS_REGION void plant(const Plane& plane, Dendrite& d) {
  const double middle = static_cast<double>(plane.side) / 2;
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < plane.side; ++y)
    for (std::size_t x = 0; x < plane.side; ++x) {
      const double far = std::hypot(static_cast<double>(x) - middle, static_cast<double>(y) - middle);
      d.phi[y * plane.side + x] = 0.5 - 0.5 * std::tanh(far - middle / 2);
    }
}

/// out = (1 + laplace) in, for the crystal: applied twice.
CORPUS_REGION void one_plus_laplace(const Plane& plane, const Field& in, Field& out) {
#pragma omp parallel
  all_points(plane, [&](std::size_t i, std::size_t w, std::size_t e, std::size_t n, std::size_t s) {
    out[i] = in[i] + (in[w] + in[e] + in[n] + in[s] - 4 * in[i]);
  });
}

CORPUS_REGION void crystal_potential(const Field& c, Field& mu) {
#pragma omp parallel for
  for (std::size_t i = 0; i < c.size(); ++i) mu[i] += c[i] * (c[i] * c[i] - 0.4);
}

corpus::Answer program(const corpus::Input& input) {
  const Plane plane{input.pick<std::size_t>(200, 270)};
  Field c(plane.size()), mu(c.size()), next(c.size());
  randomise(0.1, c, input.seed);
  const double material = mean(c), before = free_energy(plane, c);
  separate_at_once(plane, c, 0.01, next);
  chemical_potential(plane, c, mu);
  diffuse(plane, mu, 0.01, c);
  const double apart = difference(c, next), after = free_energy(plane, c);

  one_plus_laplace(plane, c, next);
  one_plus_laplace(plane, next, mu);
  crystal_potential(c, mu);
  diffuse(plane, mu, 0.002, c);
  const double lost = std::fabs(mean(c) - material);

  Field eta(orders * plane.size()), other(eta.size());
  std::vector<std::uint8_t> owner(plane.size());
  std::vector<std::uint32_t> parent(plane.size());
  seed_grains(plane, eta, input.seed);
  find_owners(eta, owner);
  const std::size_t rough = borders(plane, owner), many = count_grains(plane, owner, parent);
  for (int step = 0; step < 2; ++step, eta.swap(other)) grow_grains(plane, eta, 0.1, other);
  find_owners(eta, owner);
  const std::size_t smooth = borders(plane, owner), less = count_grains(plane, owner, parent);

  Dendrite d(plane.size());
  plant(plane, d);
  const double ice = mean(d.phi);
  for (int step = 0; step < 2; ++step) {
    find_fluxes(plane, d);
    freeze(plane, 0.1, d);
    d.phi.swap(d.next_phi), d.heat.swap(d.next_heat);
  }
  const double grown = mean(d.phi) - ice, heated = mean(d.heat);
  const bool grains = smooth <= rough && less <= many && less > 1;
  const bool right =
      apart < 1e-12 && after < before && lost < 1e-12 && grains && grown > 0 && std::fabs(heated - 1.6 * grown) < 1e-12;
  return {.checksum = after + static_cast<double>(smooth + less) + grown, .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
