// Smoothed-particle hydrodynamics: water falls in a box. Particles are sorted by cells, density by summation over
// neighbours and by the equation of continuity, pressure by Tait's equation, artificial viscosity, XSPH, walls.
// Source: Monaghan, Rep. Prog. Phys. 68, 2005; Liu and Liu, Smoothed Particle Hydrodynamics, chapters 4 and 9.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

using Index = std::uint32_t;
using Values = std::vector<double>;

struct Vec {
  double x, y;
};

Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }

constexpr double spacing = 0.5, reach = 1.0, sound = 20, rest = 1.0, mass = rest * spacing * spacing;

struct Particle {
  Vec place, velocity;
};

/// Cells of the length of the kernel's reach.
struct Box {
  std::size_t side;
  std::size_t cell(Vec p) const {
    const auto clamp = [this](double u) { return std::min(static_cast<std::size_t>(std::max(u, 0.0)), side - 1); };
    return clamp(p.y) * side + clamp(p.x);
  }
};

/// Wendland's kernel of radius 1 in the plane, and its derivative over the distance.
double kernel(double r) { return 7 / std::numbers::pi * std::pow(1 - r, 4) * (1 + 4 * r); }
double slope(double r) { return -140 / std::numbers::pi * std::pow(1 - r, 3); }

CORPUS_REGION void place(const Box& box, std::vector<Particle>& particles, std::uint64_t seed) {
  const std::size_t row = 2 * box.side - 2;
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double u = corpus::random_real(seed, 2 * i) - 0.5, v = corpus::random_real(seed, 2 * i + 1) - 0.5;
    const auto x = static_cast<double>(i % row), y = static_cast<double>(i / row);
    particles[i] = {{(x + 1.5 + 0.2 * u) * spacing, (y + 1.5 + 0.2 * v) * spacing}, {u, v}};
  }
}

CORPUS_REGION void find_cells(const Box& box, const std::vector<Particle>& particles, std::vector<Index>& cell) {
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) cell[i] = static_cast<Index>(box.cell(particles[i].place));
}

CORPUS_REGION void count(const std::vector<Index>& cell, std::vector<Index>& begin) {
  for (const Index c : cell) ++begin[c + 1];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
}

CORPUS_REGION void shuffle(std::vector<Particle>& particles, std::uint64_t seed) {
  for (std::size_t i = particles.size(); i > 1; --i)
    std::swap(particles[i - 1], particles[corpus::random_below(static_cast<Index>(i), seed, i)]);
}

CORPUS_REGION void sort(const std::vector<Particle>& in, const std::vector<Index>& cell, std::vector<Index> next,
                        std::vector<Particle>& out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[next[cell[i]]++] = in[i];
}

struct State {
  Box box;
  std::vector<Index> begin;  ///< the first particle of each cell
  std::vector<Particle> particles;
  Values density, pressure, rate;
  std::vector<Vec> force, smooth;
  explicit State(Box b, std::size_t n)
      : box(b), begin(b.side * b.side + 1), particles(n), density(n), pressure(n), rate(n), force(n), smooth(n) {}
};

/// Calls use(j, difference, distance) for all particles nearer than the reach.
template <class Use>
void neighbours(const State& s, std::size_t i, Use use) {
  const Vec here = s.particles[i].place;
  const std::size_t cell = s.box.cell(here), side = s.box.side, x = cell % side, y = cell / side;
  for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, side - 1); ++v) {
    const std::size_t to = s.begin[v * side + std::min(x + 1, side - 1) + 1];
    for (std::size_t j = s.begin[v * side + (x > 0 ? x - 1 : 0)]; j < to; ++j) {
      const Vec d = here - s.particles[j].place;
      if (const double square = dot(d, d); square < reach * reach) use(j, d, std::sqrt(square));
    }
  }
}

CORPUS_REGION void sum_density(State& s) {
#pragma omp parallel for schedule(static, 64)
  for (std::size_t i = 0; i < s.density.size(); ++i) {
    double sum = 0;
    neighbours(s, i, [&](std::size_t, Vec, double r) { sum += mass * kernel(r); });
    s.density[i] = sum;
  }
}

/// Each pair once: what it adds to both is scattered, so one lane does it.
CORPUS_REGION void sum_density_by_pairs(const State& s, Values& density) {
  for (std::size_t i = 0; i < density.size(); ++i) {
    double sum = mass * kernel(0);
    neighbours(s, i, [&](std::size_t j, Vec, double r) {
      if (j >= i) return;
      sum += mass * kernel(r);
      density[j] += mass * kernel(r);
    });
    density[i] += sum;
  }
}

CORPUS_REGION void find_pressure(State& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.pressure.size(); ++i)
    s.pressure[i] = rest * sound * sound / 7 * (std::pow(std::max(s.density[i], rest) / rest, 7.0) - 1);
}

CORPUS_REGION void find_forces(State& s) {
#pragma omp parallel for schedule(dynamic, 128)
  for (std::size_t i = 0; i < s.force.size(); ++i) {
    Vec sum{0, -9.81};
    const double own = s.pressure[i] / (s.density[i] * s.density[i]);
    neighbours(s, i, [&](std::size_t j, Vec d, double r) {
      const double other = s.pressure[j] / (s.density[j] * s.density[j]);
      const double towards = dot(s.particles[i].velocity - s.particles[j].velocity, d);
      const double mean = 0.5 * (s.density[i] + s.density[j]);
      const double viscous = towards < 0 ? -0.1 * sound * towards / ((r * r + 0.01) * mean) : 0.0;
      const double strength = -mass * (own + other + viscous) * slope(r);
      sum.x += strength * d.x, sum.y += strength * d.y;
    });
    s.force[i] = sum;
  }
}

/// How fast the density changes.
CORPUS_REGION void continuity(State& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.rate.size(); ++i) {
    double sum = 0;
    neighbours(s, i, [&](std::size_t j, Vec d, double r) {
      sum += mass * slope(r) * dot(s.particles[i].velocity - s.particles[j].velocity, d);
    });
    s.rate[i] = sum;
  }
}

/// XSPH: particles move with a mean velocity of those around.
CORPUS_REGION void smooth_velocity(State& s) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.smooth.size(); ++i) {
    Vec sum{};
    neighbours(s, i, [&](std::size_t j, Vec, double r) {
      const double weight = 2 * mass * kernel(r) / (s.density[i] + s.density[j]);
      const Vec d = s.particles[j].velocity - s.particles[i].velocity;
      sum.x += weight * d.x, sum.y += weight * d.y;
    });
    s.smooth[i] = sum;
  }
}

/// The largest step that sound, force and viscosity allow.
CORPUS_REGION double allowed_step(const State& s) {
  double step = 1;
#pragma omp parallel for reduction(min : step)
  for (std::size_t i = 0; i < s.force.size(); ++i) {
    const double force = std::sqrt(dot(s.force[i], s.force[i]));
    const double speed = std::sqrt(dot(s.particles[i].velocity, s.particles[i].velocity));
    step = std::min({step, std::sqrt(0.05 / force), 0.1 * reach / (sound + speed)});
  }
  return step;
}

CORPUS_REGION void kick(State& s, double step) {
#pragma omp parallel for
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    Vec& v = s.particles[i].velocity;
    v = {v.x + step * s.force[i].x, v.y + step * s.force[i].y};
    s.density[i] += step * s.rate[i];
  }
}

/// Walls throw particles back and take half of their speed.
CORPUS_REGION std::size_t drift(State& s, double step) {
  const auto wall = static_cast<double>(s.box.side);
  std::size_t hits = 0;
  const auto reflect = [wall](double& x, double& v) {
    const bool outside = x < 0 || x > wall;
    if (outside) v *= -0.5, x = std::clamp(x, 0.0, wall);
    return outside ? 1u : 0u;
  };
#pragma omp parallel for reduction(+ : hits)
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    auto& [p, v] = s.particles[i];
    p = {p.x + step * (v.x + 0.3 * s.smooth[i].x), p.y + step * (v.y + 0.3 * s.smooth[i].y)};
    hits += reflect(p.x, v.x) + reflect(p.y, v.y);
  }
  return hits;
}

CORPUS_REGION double energy(const State& s) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    const auto& [p, v] = s.particles[i];
    sum += mass * (0.5 * dot(v, v) + 9.81 * p.y);
  }
  return sum;
}

CORPUS_REGION double difference(const Values& a, const Values& b) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

/// Density on a grid of points, from the particles of the cells around: how full the box is.
CORPUS_REGION std::size_t full_points(const State& s, std::vector<float>& grid) {
  const std::size_t side = 2 * s.box.side;
  std::size_t full = 0;
#pragma omp parallel for reduction(+ : full)
  for (std::size_t g = 0; g < grid.size(); ++g) {
    const Vec here{static_cast<double>(g % side) / 2 + 0.25, static_cast<double>(g / side) / 2 + 0.25};
    const std::size_t cell = s.box.cell(here);
    double sum = 0;
    for (std::size_t j = s.begin[cell]; j < s.begin[cell + 1]; ++j) {
      const Vec d = here - s.particles[j].place;
      if (const double square = dot(d, d); square < reach * reach) sum += mass * kernel(std::sqrt(square));
    }
    grid[g] = static_cast<float>(sum);
    full += sum > 0.2 * rest;
  }
  return full;
}

corpus::Answer program(const corpus::Input& input) {
  const Box box{input.pick<std::size_t>(90, 120)};
  State s(box, (2 * box.side - 2) * box.side);  // the lower half of the box
  std::vector<Particle> unsorted(s.particles.size());
  std::vector<Index> cell(unsorted.size());
  Values other(unsorted.size());
  std::vector<float> grid(4 * box.side * box.side);
  place(box, unsorted, input.seed);
  shuffle(unsorted, input.seed);
  find_cells(box, unsorted, cell);
  count(cell, s.begin);
  sort(unsorted, cell, s.begin, s.particles);
  sum_density(s);
  sum_density_by_pairs(s, other);
  const double apart = difference(s.density, other);
  find_pressure(s);
  find_forces(s);
  continuity(s);
  smooth_velocity(s);
  const double before = energy(s), step = allowed_step(s);
  const std::size_t full = full_points(s, grid);
  kick(s, step);
  const std::size_t hits = drift(s, step);
  const double after = energy(s), share = static_cast<double>(full) / static_cast<double>(grid.size());
  const bool right = apart < 1e-9 && std::fabs(after / before - 1) < 0.1 && share > 0.4 && share < 0.6;
  return {.checksum = after + step + static_cast<double>(hits), .right = right};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
