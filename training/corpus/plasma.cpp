// Particles in cells in two dimensions: deposition of charge (atomic, and by colours of sorted blocks), Poisson's
// equation by SOR, the field, gather and push, sorting of particles, moments; structures of arrays and arrays of
// structures. Source: Birdsall and Langdon, Plasma Physics via Computer Simulation, 1985, chapters 2, 14; Bowers, J.
// Comp. Phys. 173, 2001.
#include <algorithm>
#include <cmath>
#include <vector>

#include "training/corpus/corpus.h"

namespace {

struct Particle {
  float x, y, u, v;
};

using Particles = std::vector<Particle>;
using Field = std::vector<float>;

CORPUS_REGION void start(Particles& particles, float side, std::uint64_t seed) {
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const auto real = [&](std::size_t k) { return static_cast<float>(corpus::random_real(seed, 4 * i + k)); };
    particles[i] = {real(0) * (side - 1), real(1) * (side - 1), real(2) - 0.5f, real(3) - 0.5f};
  }
}

struct Weights {
  std::size_t cell;
  float x, y;
};

Weights weights(const Particle& p, std::size_t side) {
  const auto x = static_cast<std::size_t>(p.x), y = static_cast<std::size_t>(p.y);
  return {y * side + x, p.x - static_cast<float>(x), p.y - static_cast<float>(y)};
}

CORPUS_REGION void deposit_atomic(const Particles& particles, std::size_t side, Field& charge) {
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const Weights w = weights(particles[i], side);
    const float part[] = {(1 - w.x) * (1 - w.y), w.x * (1 - w.y), (1 - w.x) * w.y, w.x * w.y};
    for (std::size_t k = 0; k < 4; ++k)
#pragma omp atomic
      charge[w.cell + k % 2 + k / 2 * side] += part[k];
  }
}

/// By rows of cells: the particles are sorted, so even rows do not meet, and then odd ones.
CORPUS_REGION void deposit_sorted(const Particles& particles, const std::vector<std::uint32_t>& begin, std::size_t side,
                                  Field& charge) {
#pragma omp parallel
  for (std::size_t parity = 0; parity < 2; ++parity) {
#pragma omp for schedule(static, 4)
    for (std::size_t row = parity; row < side - 1; row += 2)
      for (std::size_t i = begin[row * side]; i < begin[(row + 1) * side]; ++i) {
        const Weights w = weights(particles[i], side);
        charge[w.cell] += (1 - w.x) * (1 - w.y);
        charge[w.cell + 1] += w.x * (1 - w.y);
        charge[w.cell + side] += (1 - w.x) * w.y;
        charge[w.cell + side + 1] += w.x * w.y;
      }
  }
}

CORPUS_REGION std::vector<std::uint32_t> count_cells(const Particles& particles, std::size_t side) {
  std::vector<std::uint32_t> begin(side * side + 1);
  for (const Particle& p : particles) ++begin[weights(p, side).cell + 1];
  for (std::size_t cell = 0; cell < side * side; ++cell) begin[cell + 1] += begin[cell];
  return begin;
}

CORPUS_REGION void sort_particles(const Particles& particles, std::vector<std::uint32_t> next, std::size_t side,
                                  Particles& out) {
  for (const Particle& p : particles) out[next[weights(p, side).cell]++] = p;
}

CORPUS_REGION void relax(Field& potential, const Field& charge, std::size_t side, int sweeps) {
  for (int sweep = 0; sweep < 2 * sweeps; ++sweep) {
    const auto colour = static_cast<std::size_t>(sweep % 2);
#pragma omp parallel for
    for (std::size_t y = 1; y < side - 1; ++y)
      for (std::size_t x = 1 + (y + colour) % 2; x < side - 1; x += 2) {
        const std::size_t at = y * side + x;
        const float around = potential[at - 1] + potential[at + 1] + potential[at - side] + potential[at + side];
        potential[at] += 1.7f * (0.25f * (around + charge[at]) - potential[at]);
      }
  }
}

struct Force {
  float x, y;
};

CORPUS_REGION void find_field(const Field& potential, std::size_t side, std::vector<Force>& field) {
#pragma omp parallel for
  for (std::size_t y = 1; y < side - 1; ++y)
    for (std::size_t x = 1; x < side - 1; ++x) {
      const std::size_t at = y * side + x;
      field[at] = {0.5f * (potential[at - 1] - potential[at + 1]),
                   0.5f * (potential[at - side] - potential[at + side])};
    }
}

CORPUS_REGION void push(Particles& particles, const std::vector<Force>& field, std::size_t side, float dt) {
  const float end = static_cast<float>(side) - 1.001f;
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) {
    Particle& p = particles[i];
    const Weights w = weights(p, side);
    const Force &a = field[w.cell], &b = field[w.cell + 1], &c = field[w.cell + side], &d = field[w.cell + side + 1];
    p.u += dt * ((1 - w.y) * ((1 - w.x) * a.x + w.x * b.x) + w.y * ((1 - w.x) * c.x + w.x * d.x));
    p.v += dt * ((1 - w.y) * ((1 - w.x) * a.y + w.x * b.y) + w.y * ((1 - w.x) * c.y + w.x * d.y));
    p.x = std::clamp(p.x + dt * p.u, 0.0f, end);
    p.y = std::clamp(p.y + dt * p.v, 0.0f, end);
  }
}

struct Columns {
  Field x, y, u, v;
};

CORPUS_REGION void split(const Particles& particles, Columns& c) {
#pragma omp parallel for
  for (std::size_t i = 0; i < particles.size(); ++i) {
    c.x[i] = particles[i].x, c.y[i] = particles[i].y;
    c.u[i] = particles[i].u, c.v[i] = particles[i].v;
  }
}

/// Boris' rotation in a constant field: four streams, vectors.
CORPUS_REGION void rotate(Columns& c, float angle) {
  const float t = std::tan(angle / 2), s = 2 * t / (1 + t * t);
#pragma omp parallel for simd
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const float u = c.u[i] + c.v[i] * t, v = c.v[i] - c.u[i] * t;
    c.u[i] += v * s, c.v[i] -= u * s;
    c.x[i] += 0.1f * c.u[i], c.y[i] += 0.1f * c.v[i];
  }
}

CORPUS_REGION double energy(const Columns& c) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < c.u.size(); ++i) sum += static_cast<double>(c.u[i] * c.u[i] + c.v[i] * c.v[i]);
  return sum;
}

/// How many particles have which speed and where: a table of two dimensions.
CORPUS_REGION void phase_space(const Particles& particles, float scale, std::vector<std::uint32_t>& table) {
  for (const Particle& p : particles) {
    const auto column = static_cast<std::size_t>(p.x * scale), row = static_cast<std::size_t>((p.u + 2) * 100);
    ++table[std::min<std::size_t>(row, 399) * 512 + std::min<std::size_t>(column, 511)];
  }
}

CORPUS_REGION double largest_difference(const Field& a, const Field& b) {
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return static_cast<double>(most);
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t side = input.pick<std::size_t>(200, 290), count = side * side * 2;
  Particles particles(count), sorted(count);
  start(particles, static_cast<float>(side), input.seed);
  Field charge(side * side), again(side * side), potential(side * side);
  deposit_atomic(particles, side, charge);
  const std::vector<std::uint32_t> begin = count_cells(particles, side);
  sort_particles(particles, begin, side, sorted);
  deposit_sorted(sorted, begin, side, again);
  const bool right = largest_difference(charge, again) < 1e-4;
  relax(potential, charge, side, 3);
  std::vector<Force> field(side * side);
  find_field(potential, side, field);
  push(particles, field, side, 0.1f);
  push(sorted, field, side, 0.05f);
  Columns columns{Field(count), Field(count), Field(count), Field(count)};
  split(particles, columns);
  const double before = energy(columns);
  rotate(columns, 0.3f);
  std::vector<std::uint32_t> table(400 * 512);
  phase_space(particles, 512 / static_cast<float>(side), table);
  const double after = energy(columns);
  return {.checksum = after + table[200 * 512 + 77], .right = right && std::fabs(after - before) < 1e-3 * before};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
